"""Find rule files: bundled ones, those in folders on ASPDOKU_PATH, and any others by path."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from aspdoku.errors import Advice, RuleError, did_you_mean
from aspdoku.program.rulefile import EXCEPTIONS, RuleFile
from aspdoku.program.rulefile import data_dir as data_dir
from aspdoku.program.rulefile import speed as speed
from aspdoku.program.rulefile import vocabulary as vocabulary
from aspdoku.puzzle.inputs import Input
from aspdoku.puzzle.term import Function, Signature

PATH_VARIABLE = "ASPDOKU_PATH"

SLIDES = "slides/"  # the prefix of rules in the slides' wording

_NAME = re.compile(rf"(?:{SLIDES})?[a-zA-Z0-9_-]{{1,100}}")
_LISTING = "`aspdoku rules`", "`aspdoku.rules()`"  # the command and the function


@cache
def bundled(file: str) -> RuleFile:
    """A bundled rule file by its path below `asp/`, as in `base.lp` or `slides/base.lp`."""
    return RuleFile.read(data_dir() / file, f"asp/{file}", vetted=True)


def base() -> RuleFile:
    """The base program (a Latin square), which no variant changes."""
    return bundled("base.lp")


@cache
def defaults() -> tuple[RuleFile, ...]:
    """The default rules (classic sudoku), active unless retracted."""
    return tuple(map(find, (data_dir() / "default").read_text("utf-8").split()))


def game(without: str = "") -> list[RuleFile]:
    """The base program and the default rules, except one with this name."""
    return [base(), *(rule for rule in defaults() if rule.name != without)]


def default_names() -> frozenset[str]:
    """The names of the files that explanations take for granted."""
    return frozenset(rule.name for rule in standard())


def standard() -> frozenset[RuleFile]:
    """The base program, the vocabulary and the default rules."""
    return frozenset((base(), *vocabulary().values(), *defaults()))


def rule_names() -> list[str]:
    """The names that `find` accepts, bundled and on ASPDOKU_PATH, sorted."""
    files = [*(data_dir() / "elaborations").glob("*.lp"), *_own_files()]
    return sorted({file.stem for file in files})


def slides_names() -> list[str]:
    """The names of the rules in the slides' wording, which `find` also accepts."""
    return sorted(f"{SLIDES}{file.stem}" for file in (data_dir() / SLIDES).glob("*.lp"))


def with_vocabulary(rules: Sequence[RuleFile], fast: bool = True) -> list[RuleFile]:
    """The rule files, with the definitions that they declare after the first one, the base.

    fast: whether with those that only speed up the search
    """
    known, unwanted = vocabulary(), () if fast else speed().values()
    others = [rule for rule in rules if rule not in known.values() and rule.source not in unwanted]
    declared = {item.signature for rule in others for item in rule.declared}
    made = {rule.source for rule in others}
    words = [
        rule
        for signature, rule in known.items()
        if signature in declared and rule not in made and rule not in unwanted
    ]
    return [*others[:1], *words, *others[1:]]


@cache
def bundled_inputs() -> dict[Signature, tuple[Input, str]]:
    """The inputs of the bundled rules by signature, with the first rule that declares each."""
    files = sorted((data_dir() / "elaborations").glob("*.lp"))
    rules = [bundled(f"elaborations/{file.name}") for file in files]
    return {item.signature: (item, rule.name) for rule in reversed(rules) for item in rule.inputs}


@cache
def finder(predicate: Signature) -> str:
    """The name of the bundled rule that finds and shows a predicate, such as regions, if any."""
    files = sorted((data_dir() / "elaborations").glob("*.lp"))
    return next((f.stem for f in files if predicate in bundled(f"elaborations/{f.name}").shown), "")


def refers_to_clues(facts: Iterable[Function]) -> bool:
    """Whether facts refer to clues by their names, as `ab(RULE,CLUE)` does: these have to stay."""
    inputs = bundled_inputs()
    return any(
        (fact.name == EXCEPTIONS and len(fact.arguments) > 1)
        or (fact.signature in inputs and inputs[fact.signature][0].reference is not None)
        for fact in facts
    )


def declared_inputs(name: str) -> tuple[Input, ...]:
    """The inputs with this predicate that bundled rules and those on ASPDOKU_PATH declare."""
    return _declared_inputs(name, tuple(_own_files()))


@cache
def _declared_inputs(name: str, own: tuple[Path, ...]) -> tuple[Input, ...]:
    # Only files that mention the predicate are parsed, because a section must not take long.
    mention = re.compile(rf"#defined\s+{re.escape(name)}\s*/")
    inputs: list[Input] = []
    for file in sorted([*(data_dir() / "elaborations").glob("*.lp"), *own]):
        with suppress(RuleError, OSError):
            if mention.search(file.read_text("utf-8", "replace")):
                inputs += RuleFile.read(file).inputs
    return tuple(dict.fromkeys(each for each in inputs if each.name == name))


def default_values(predicate: str, arity: int, count: int) -> tuple[int, ...]:
    """The values that bundled rules assume if no fact gives the last argument."""
    declared = bundled_inputs().get((predicate, arity))
    terms = declared[0].default_terms if declared else []
    if not terms:
        return ()
    import clingo  # only needed for arithmetic in these comments, and slow to import

    return tuple(clingo.parse_term(re.sub(r"\bq\b", str(count), term)).number for term in terms)


def available_rules() -> list[RuleFile]:
    """The rule files that can be found by name, except invalid files on ASPDOKU_PATH."""
    rules = []
    for name in rule_names():
        with suppress(RuleError):
            rules.append(find(name))
    return rules


def is_bundled(rule: RuleFile) -> bool:
    """Whether a rule file came with aspdoku: its text and its place are no secret."""
    return rule.vetted and rule.place.startswith("asp/")


def find(name: str) -> RuleFile:
    """The rule file called `name`: a bundled rule, or one in the slides' wording, e.g.
    `slides/greater-than`. Any other name that contains a slash or ends in `.lp` is a path; the rest
    are searched for on ASPDOKU_PATH. Raises RuleError with the nearest known name.
    """
    if rule := _called(name):
        return rule
    if _is_path(name):
        return RuleFile.read(Path(name), name)
    raise _unknown(name, Path())


def find_for(folder: Path | None, name: str, trust: bool = False) -> RuleFile:
    """The rule file that a puzzle in this folder, None if it is not a file, calls `name`: as
    `find`, with paths relative to the folder. A path must lead to an `.lp` file in the folder or
    below it, after resolving symbolic links, because a puzzle may come from an untrusted source and
    error messages quote rule files; with `trust`, any path. Raises RuleError.
    """
    if rule := _called(name):
        return rule
    if not _is_path(name):  # without a folder, nothing is said about files
        raise _unknown(name, folder)
    file = (folder or Path()) / name
    if trust or (folder and _is_within(folder, file)):
        return RuleFile.read(file, name)
    where = "in its own folder" if folder else "if it is itself a file, in its own folder"
    raise RuleError(
        f"'{name}' was not read: a puzzle can refer to .lp files by path only {where}",
        Advice(
            "; if you trust the puzzle, allow it with --trust",
            "; if you trust the puzzle, allow it with trust=True",
            "; copy its text into a rule of your own",
        ),
    )


def name_from(folder: Path, name: str, old: Path | None) -> str:
    """The name in this folder of a rule that the `old` folder calls `name`. Raises RuleError."""
    file = (old or Path()) / name
    if not _is_path(name) or _called(name) or folder.resolve() == (old or Path()).resolve():
        return name
    if not _is_within(folder, file):
        raise RuleError(
            f"the rule '{name}' is the file {file}, which a puzzle in another folder cannot refer"
            " to: write the puzzle to the folder of the rule file, or one above it"
        )
    return f"./{file.resolve().relative_to(folder.resolve()).as_posix()}"


def _unknown(name: str, folder: Path | None) -> RuleError:
    known = rule_names()
    if folder and _NAME.fullmatch(name) and (file := folder / f"{name}.lp").is_file():
        return RuleError(f"unknown rule '{name}'; to use the file {file}, write ./{name}.lp")
    listed = f"lists the {len(known)} available rules; to use your own rule file, give its path,"
    advice = (f" {command} {listed} e.g. ./mine.lp" for command in _LISTING)
    return RuleError(f"unknown rule '{name}'.{did_you_mean(name, known)}", Advice(*advice))


def bundled_rule(name: str) -> RuleFile | None:
    """The bundled rule with this name, if any."""
    if _NAME.fullmatch(name):
        for file in (
            f"elaborations/{name}.lp",
            f"vocabulary/{name}.lp",
            f"speed/{name}.lp",
            f"{name}.lp",
        ):
            if (data_dir() / file).is_file():
                return bundled(file)
    return None


def _called(name: str) -> RuleFile | None:
    if rule := bundled_rule(name):
        return rule
    files = _own_files(name) if _NAME.fullmatch(name) else ()
    return next(map(RuleFile.read, files), None)


def _is_path(name: str) -> bool:
    return name.endswith(".lp") or "/" in name or os.sep in name


def _is_within(folder: Path, file: Path) -> bool:
    """Whether this is an `.lp` file in the folder or below it, after resolving symbolic links."""
    try:
        real = Path(os.path.realpath(file))
    except ValueError:  # a NUL in the name
        return False
    return real.suffix == ".lp" and real.is_relative_to(os.path.realpath(folder))


def _own_files(name: str = "*") -> Iterator[Path]:
    """The rule files with this name in folders on ASPDOKU_PATH; no link leads out of its folder."""
    for folder in own_folders():
        for file in folder.glob(f"{name}.lp"):
            if file.is_file() and _is_within(folder, file):
                yield file


def own_folders() -> list[Path]:
    """The folders on ASPDOKU_PATH."""
    return list(map(Path, filter(None, os.environ.get(PATH_VARIABLE, "").split(os.pathsep))))
