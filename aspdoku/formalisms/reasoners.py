"""Reasoners for OWL, programs of their own.

They say of which classes each individual is an instance.

The jars of Pellet and HermiT come in the package `owlready2` and are called directly: its own way
to call Pellet needs a newer Java than most have, for a loader that is of no use here.
"""

from __future__ import annotations

import math
import os
import re
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import ClassVar, NamedTuple
from xml.etree import ElementTree

from aspdoku.engine.solver import TimeLimitError
from aspdoku.formalisms import process
from aspdoku.formalisms.engine import EngineError

JARS = "java and owlready2 (pip install 'aspdoku[owl]')"

# One thread collects the garbage: a reasoner is a single thread itself, and the others would only
# be started and stopped.
_JAVA = ("java", "-XX:+UseSerialGC", "-cp")
# Seconds for the first start of a reasoner that is started anew.
_PATIENCE = 4.0
_OWL = "{http://www.w3.org/2002/07/owl#}"


class Realization(NamedTuple):
    """What a reasoner says of an ontology.

    instances: class and individual, by the last parts of their names; None where the ontology is
    inconsistent
    start, solve: seconds until the ontology was loaded, and from there on, by the reasoner's own
    clock; where that says nothing, all of it is solving
    """

    instances: frozenset[tuple[str, str]] | None
    start: float
    solve: float


class Reasoner(ABC):
    """A program that realizes an ontology.

    For each class, which individuals are instances of it in all models.

    completion_marker: what it says when it has come to its end; its exit status says nothing
    phase: how it says what a part of its work has taken, as a pattern: minutes, if it counts them,
    and seconds or milliseconds
    complete: whether it finds all that holds whenever it is asked
    """

    title: ClassVar[str]
    completion_marker: ClassVar[str]
    phase_pattern: ClassVar[str]
    complete: ClassVar[bool] = True

    @abstractmethod
    def is_available(self) -> bool:
        """Whether it can be run here."""

    @abstractmethod
    def command(self, ontology: Path, result: Path) -> list[str]:
        """How it is called. It may write to the file `result`."""

    @abstractmethod
    def instances(self, output: str, result: Path) -> frozenset[tuple[str, str]]:
        """What it has printed or written, read."""

    def realize(self, ontology: str, seconds: float) -> Realization:
        """Realize an ontology in functional syntax.

        Raises TimeLimitError where it takes longer, EngineError where the reasoner breaks down.
        """
        with tempfile.TemporaryDirectory(prefix="aspdoku-") as folder:
            file, result = Path(folder, "ontology.ofn"), Path(folder, "result.xml")
            file.write_text(ontology, "utf-8")
            done = process.run(self.command(file, result), seconds)
            said = done.output + done.errors
            solve = min(self._solving(said), done.seconds)
            if re.search("ontology.* inconsistent|inconsistent ontology", said, re.IGNORECASE):
                return Realization(None, done.seconds - solve, solve)
            if done.status or self.completion_marker not in said:
                raise EngineError(failure_message(self.title, done))
            return Realization(self.instances(done.output, result), done.seconds - solve, solve)

    def _solving(self, said: str) -> float:
        found = [match.groupdict() for match in re.finditer(self.phase_pattern, said)]
        times = [
            int(each.get("m") or 0) * 60
            + float(each.get("s") or 0)
            + int(each.get("ms") or 0) / 1000
            for each in found
        ]
        return sum(times) if times else math.inf


class Pellet(Reasoner):
    """The reasoner of "Sudoku in OWL"."""

    title = "Pellet"
    completion_marker = "Timer summary"
    phase_pattern = r"Finished (?!loading).* in \d+:(?P<m>\d+):(?P<s>[\d.]+)"

    def is_available(self) -> bool:
        """Whether java and the jars are there."""
        return _jars("pellet") is not None

    def command(self, ontology: Path, result: Path) -> list[str]:
        """`pellet realize`."""
        return [
            *_JAVA,
            f"{_jars('pellet')}/*",
            "pellet.Pellet",
            "realize",
            "--verbose",
            str(ontology),
        ]

    def instances(self, output: str, result: Path) -> frozenset[tuple[str, str]]:
        """The tree of classes: a line `CLASS = CLASS - (INDIVIDUAL, INDIVIDUAL)` for each."""
        found = re.findall(r"^ *(\S+(?: = \S+)*) - \((.*)\)$", output, re.MULTILINE)
        return frozenset(
            (_local(name), _local(individual))
            for names, individuals in found
            for name in names.split(" = ")
            for individual in individuals.split(", ")
        )

    def explain(
        self, ontology: str, individual: str, name: str, seconds: float
    ) -> list[str] | None:
        """Axioms from which it follows that an individual is an instance of a class, as Pellet
        prints them; None if it does not.

        Both by their full names. Raises TimeLimitError where it takes longer, EngineError where the
        ontology is inconsistent.
        """
        with tempfile.TemporaryDirectory(prefix="aspdoku-") as folder:
            file = Path(folder, "ontology.ofn")
            file.write_text(ontology, "utf-8")
            program = [*_JAVA, f"{_jars('pellet')}/*", "pellet.Pellet"]
            done = process.run(
                [*program, "explain", "--instance", f"{individual},{name}", str(file)], seconds
            )
        if "Inconsistent" in done.errors:
            raise EngineError("the ontology is inconsistent: everything follows from it")
        if "NOT ENTAILED" in done.output:
            return None
        _, explained, listed = done.output.partition("1)")
        if not explained:
            raise EngineError(failure_message(self.title, done))
        # What is indented further goes on with the axiom before.
        parts = re.split(r"\n {5}(?=\S)", listed.strip())
        return [" ".join(part.split()) for part in parts]


class HermiT(Reasoner):
    """The quickest to start of those in Java, and often the last to end."""

    title = "HermiT"
    completion_marker = "action completed"
    phase_pattern = r"action completed in (?P<ms>\d+) msec"

    def is_available(self) -> bool:
        """Whether java and the jar are there."""
        return _jars("hermit") is not None

    def command(self, ontology: Path, result: Path) -> list[str]:
        """It classifies classes and properties, and then the individuals, by -I.

        That is in the classes beside the jar.
        """
        classes = f"{_jars('hermit')}{os.pathsep}{_jars('hermit')}/HermiT.jar"
        program = [*_JAVA, classes, "org.semanticweb.HermiT.cli.CommandLine"]
        return [*program, "-v", "-c", "-O", "-D", "-I", ontology.as_uri()]

    def instances(self, output: str, result: Path) -> frozenset[tuple[str, str]]:
        """Lines `Type( <INDIVIDUAL> <CLASS> )`."""
        found = re.findall(r"^Type\( <(\S+)> <(\S+)> \)$", output, re.MULTILINE)
        return frozenset((_local(name), _local(individual)) for individual, name in found)


class Konclude(Reasoner):
    """The quickest, without Java.

    It is not to be trusted with nominals, where it breaks down or finds too little.
    """

    title = "Konclude"
    completion_marker = "'UnnamedWriteIndividualTypesQuery' processed"
    phase_pattern = r"Finished (?!preprocessing).* in (?P<ms>\d+) ms"
    complete = (
        False  # one run in ten misses an instance or two of the little greater-than in the tests
    )

    def is_available(self) -> bool:
        """Whether it is installed."""
        return which("Konclude") is not None

    def command(self, ontology: Path, result: Path) -> list[str]:
        """With two threads: with one it can wait for itself forever."""
        return ["Konclude", "realization", "-w", "2", "-i", str(ontology), "-o", str(result)]

    def realize(self, ontology: str, seconds: float) -> Realization:
        """Realize an ontology, started anew where it takes long, each time with more patience.

        Its threads race, and the same ontology takes it one second or a hundred: a new start is the
        better bet.
        """
        began = time.perf_counter()
        for patience in restart_timeouts(seconds):
            try:
                found = super().realize(ontology, patience)
            except TimeLimitError:
                continue
            return found._replace(solve=time.perf_counter() - began - found.start)
        raise TimeLimitError(f"no answer after {seconds:g} s")

    def instances(self, output: str, result: Path) -> frozenset[tuple[str, str]]:
        """An ontology in XML, of assertions."""
        try:
            assertions = ElementTree.parse(result).iter(f"{_OWL}ClassAssertion")
        except (OSError, ElementTree.ParseError) as error:
            raise EngineError(f"Konclude has left no result: {error}") from None
        return frozenset(
            (_local(name.get("IRI", "")), _local(individual.get("IRI", "")))
            for name, individual in assertions
        )


def restart_timeouts(seconds: float) -> Iterator[float]:
    """How long to wait for each start, where all of them together have so many seconds.

    4, 8, …, and at last what is left.
    """
    patience = _PATIENCE
    while 3 * patience < seconds:
        yield patience
        seconds, patience = seconds - patience, 2 * patience
    yield seconds


def failure_message(title: str, done: process.ProcessResult) -> str:
    """What to say of a reasoner that has come to no end, with what it says of it itself."""
    said = f"{done.output}\n{done.errors}".strip().splitlines()
    faults = [
        line.strip()
        for line in said
        if re.search("exception|error|fault|invalid", line, re.IGNORECASE)
    ]
    return ": ".join([f"{title} broke down (status {done.status})", *faults[:1]])


@cache
def _jars(name: str) -> Path | None:
    """The folder of a reasoner's jars, None where they or java are not there."""
    package = find_spec("owlready2")
    if which("java") is None or package is None or not package.origin:
        return None
    folder = Path(package.origin).parent / name
    return folder if any(folder.glob("*.jar")) else None


def _local(name: str) -> str:
    return name.rpartition("#")[2]
