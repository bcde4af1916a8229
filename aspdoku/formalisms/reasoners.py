"""OWL reasoners, run as external programs to realize ontologies.

Realization computes the classes that each individual is an instance of.

The jars of Pellet and HermiT are part of the package `owlready2` and are run directly: its own
function for Pellet requires a newer Java than most machines have, for a loader not needed here.
"""

from __future__ import annotations

import math
import os
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from itertools import chain, product
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import ClassVar, NamedTuple
from xml.etree import ElementTree

from aspdoku.errors import TimeLimitError
from aspdoku.formalisms.engine import EngineError
from aspdoku.runtime.child import ProcessResult, run_program

JARS = "java and owlready2 (pip install 'aspdoku[owl]')"

# Use a single thread for garbage collection: the reasoners are single-threaded, and starting more
# threads only costs time.
_JAVA = ("java", "-XX:+UseSerialGC", "-cp")
# Seconds for the first run of a reasoner that is restarted.
_PATIENCE = 4.0
_OWL = "{http://www.w3.org/2002/07/owl#}"


class Realization(NamedTuple):
    """The pairs of class and individual by their local names, None if the ontology is inconsistent,
    and seconds until it was loaded, and from then on; all is solving if no times are reported.
    """

    instances: frozenset[tuple[str, str]] | None
    start: float
    solve: float


class Reasoner(ABC):
    """A program that realizes an ontology: it finds the instances of each class in all models.

    requirement: what has to be installed
    jars: the folder with its jars in `owlready2`
    completion_marker: part of its output if it succeeds; its exit status is not reliable
    phase_pattern: a regular expression for the duration of a phase in its output, with groups for
    minutes, seconds or milliseconds
    complete: whether each run finds all entailed instances
    """

    title: ClassVar[str]
    requirement: ClassVar[str] = JARS
    jars: ClassVar[str] = ""
    completion_marker: ClassVar[str]
    phase_pattern: ClassVar[str]
    complete: ClassVar[bool] = True

    def is_available(self) -> bool:
        """Whether it can be run on this machine."""
        return _jars(self.jars) is not None

    @abstractmethod
    def command(self, ontology: Path, result: Path) -> list[str]:
        """The command line. The program may write to the file `result`."""

    @abstractmethod
    def instances(self, output: str, result: Path) -> frozenset[tuple[str, str]]:
        """The instances, parsed from its output or result file."""

    def realize(self, ontology: str, seconds: float) -> Realization:
        """Realize an ontology in functional syntax. Raises TimeLimitError after `seconds`,
        EngineError if the reasoner fails.
        """
        with TemporaryDirectory(prefix="aspdoku-") as folder:
            file, result = Path(folder, "ontology.ofn"), Path(folder, "result.xml")
            file.write_text(ontology, "utf-8")
            done = run_program(self.command(file, result), seconds)
            output = done.output + done.errors
            solve = min(self._solving(output), done.seconds)
            if re.search("ontology.* inconsistent|inconsistent ontology", output, re.IGNORECASE):
                return Realization(None, done.seconds - solve, solve)
            if done.status or self.completion_marker not in output:
                raise self._failure(done)
            return Realization(self.instances(done.output, result), done.seconds - solve, solve)

    def _solving(self, output: str) -> float:
        units = {"m": 60, "s": 1, "ms": 0.001}
        times = [
            sum(float(number or 0) * units[unit] for unit, number in match.groupdict().items())
            for match in re.finditer(self.phase_pattern, output)
        ]
        return sum(times) if times else math.inf

    def _failure(self, done: ProcessResult) -> EngineError:
        """The error of a reasoner that failed, with the first message in its output about it."""
        output = f"{done.output}\n{done.errors}"
        fault = re.search("(?im)^.*(?:exception|error|fault|invalid).*$", output)
        reason = f": {fault[0].strip()}" if fault else ""
        return EngineError(f"{self.title} failed (status {done.status}){reason}")


class Pellet(Reasoner):
    """The reasoner of "Sudoku in OWL"."""

    title = "Pellet"
    jars = "pellet"
    completion_marker = "Timer summary"
    phase_pattern = r"Finished (?!loading).* in \d+:(?P<m>\d+):(?P<s>[\d.]+)"

    def command(self, ontology: Path, result: Path) -> list[str]:
        """`pellet realize`."""
        return self._pellet("realize", "--verbose", str(ontology))

    def _pellet(self, *arguments: str) -> list[str]:
        return [*_JAVA, f"{_jars(self.jars)}/*", "pellet.Pellet", *arguments]

    def instances(self, output: str, result: Path) -> frozenset[tuple[str, str]]:
        """From the class tree, with lines `CLASS = CLASS - (INDIVIDUAL, INDIVIDUAL)`."""
        matches = re.findall(r"^ *(\S+(?: = \S+)*) - \((.*)\)$", output, re.MULTILINE)
        pairs = (product(names.split(" = "), listed.split(", ")) for names, listed in matches)
        return frozenset((_local(name), _local(each)) for name, each in chain.from_iterable(pairs))

    def explain(
        self, ontology: str, individual: str, name: str, seconds: float
    ) -> list[str] | None:
        """Axioms that entail that an individual is an instance of a class; None if nothing does.
        Raises TimeLimitError after `seconds`, EngineError if the ontology is inconsistent.
        """
        with TemporaryDirectory(prefix="aspdoku-") as folder:
            file = Path(folder, "ontology.ofn")
            file.write_text(ontology, "utf-8")
            command = self._pellet("explain", "--instance", f"{individual},{name}", str(file))
            done = run_program(command, seconds)
        if "Inconsistent" in done.errors:
            raise EngineError("the ontology is inconsistent: everything follows from it")
        if "NOT ENTAILED" in done.output:
            return None
        _, explained, listed = done.output.partition("1)")
        if not explained:
            raise self._failure(done)
        # Lines with deeper indentation continue the previous axiom.
        parts = re.split(r"\n {5}(?=\S)", listed.strip())
        return [" ".join(part.split()) for part in parts]


class HermiT(Reasoner):
    """The fastest of the Java reasoners to start, and often the slowest to finish."""

    title = "HermiT"
    jars = "hermit"
    completion_marker = "action completed"
    phase_pattern = r"action completed in (?P<ms>\d+) msec"

    def command(self, ontology: Path, result: Path) -> list[str]:
        """Classify classes and individuals, with an option of the classes next to the jar."""
        folder = _jars(self.jars)
        classes = f"{folder}{os.pathsep}{folder}/HermiT.jar"
        program = [*_JAVA, classes, "org.semanticweb.HermiT.cli.CommandLine"]
        return [*program, "-v", "-c", "-O", "-D", "-I", ontology.as_uri()]

    def instances(self, output: str, result: Path) -> frozenset[tuple[str, str]]:
        """From lines `Type( <INDIVIDUAL> <CLASS> )`."""
        matches = re.findall(r"^Type\( <(\S+)> <(\S+)> \)$", output, re.MULTILINE)
        return frozenset((_local(name), _local(individual)) for individual, name in matches)


class Konclude(Reasoner):
    """The fastest reasoner; it is unreliable with nominals: it crashes or misses instances."""

    title = "Konclude"
    requirement = "Konclude (apt install konclude)"
    completion_marker = "'UnnamedWriteIndividualTypesQuery' processed"
    phase_pattern = r"Finished (?!preprocessing).* in (?P<ms>\d+) ms"
    # One run in ten misses one or two instances of the small greater-than puzzle in the tests.
    complete = False

    def is_available(self) -> bool:
        """Whether it is installed."""
        return which("Konclude") is not None

    def command(self, ontology: Path, result: Path) -> list[str]:
        """With two threads: with one, it can deadlock."""
        return ["Konclude", "realization", "-w", "2", "-i", str(ontology), "-o", str(result)]

    def realize(self, ontology: str, seconds: float) -> Realization:
        """Realize an ontology, with restarts and increasing time limits. Because of races between
        its threads, the same ontology may take one second or a hundred.
        """
        began = time.perf_counter()
        for patience in restart_timeouts(seconds):
            try:
                realization = super().realize(ontology, patience)
            except TimeLimitError:
                continue
            return realization._replace(solve=time.perf_counter() - began - realization.start)
        raise TimeLimitError(f"no answer within {seconds:g} s")

    def instances(self, output: str, result: Path) -> frozenset[tuple[str, str]]:
        """From an ontology of class assertions in OWL/XML."""
        try:
            assertions = ElementTree.parse(result).iter(f"{_OWL}ClassAssertion")
        except (OSError, ElementTree.ParseError) as error:
            raise EngineError(f"Konclude has not written a result: {error}") from None
        iris = ((name.get("IRI", ""), each.get("IRI", "")) for name, each in assertions)
        return frozenset((_local(name), _local(individual)) for name, individual in iris)


def restart_timeouts(seconds: float) -> Iterator[float]:
    """The time limits of successive runs, for a total of `seconds`: 4, 8, …, and the rest."""
    patience = _PATIENCE
    while 3 * patience < seconds:
        yield patience
        seconds, patience = seconds - patience, 2 * patience
    yield seconds


@cache
def _jars(name: str) -> Path | None:
    """The folder of a reasoner's jars; None if they or java are not installed."""
    package = find_spec("owlready2")
    if which("java") is None or package is None or not package.origin:
        return None
    folder = Path(package.origin).parent / name
    return folder if any(folder.glob("*.jar")) else None


def _local(name: str) -> str:
    return name.rpartition("#")[2]
