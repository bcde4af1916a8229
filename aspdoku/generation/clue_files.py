"""`.gen` files, which draw the clues of a new puzzle: their programs and the errors in them.

A `.gen` file is a program like a rule file, whose answer sets are sets of clues: it has the inputs
of its rule in heads. Its facts are an answer set of the puzzle's rules, so that it can refer to the
numbers of the solution, `a/3`; if it does not, it is used before there is a solution, and the
solution is then drawn under its clues. Facts `order(R,C,P)` give the cells a random order. Common
shapes, such as lines, are programs in `asp/shapes`, which it includes by declaring their
predicates. A fact `ab(NAME)` retracts a rule while the solution is drawn. What follows `#program
value.` is a program of its own, whose facts are the answer set of what precedes it: the sum of a
cage is simple to say when its cells are known. Atoms `clue(I,F)` with the same I
keep clues together, of which the fact F is a part: all of them are left out, or none, such as the
regions of a chain puzzle.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from aspdoku.errors import RuleError, did_you_mean
from aspdoku.program import Program, RuleFile, library
from aspdoku.program.lint import as_message, defined_predicates, fatal_errors, growth, undefined_in
from aspdoku.program.messages import Message, about
from aspdoku.program.rulefile import EXCEPTIONS
from aspdoku.program.syntax import atoms, heads, parse, position_of, predicates, signature
from aspdoku.puzzle import Function
from aspdoku.puzzle.puzzle import GIVEN, REGION
from aspdoku.puzzle.term import Signature

SUFFIX = ".gen"
ORDER: Signature = ("order", 3)
CLUE: Signature = ("clue", 2)
_SHAPES = "shapes"

_SOLUTION = re.compile(r"\ba\s*\(")
_VALUES = re.compile(r"#program\s+value\s*\.")
_RETRACTION = re.compile(r"\bab\(\s*(_*[a-z]\w*)\s*\)\s*\.")


class Stage(NamedTuple):
    """A part of a `.gen` file, which is a program, and the shapes that it uses.

    read: the names of the predicates in it, or in what follows; others need not be among its facts
    shown: what is read of its answer sets, since reading atoms takes longer than drawing them
    """

    files: tuple[RuleFile, ...]
    read: frozenset[str]
    shown: RuleFile


class ClueFile(NamedTuple):
    """A `.gen` file: the rule whose inputs it draws, the whole file, and its programs."""

    rule: RuleFile
    text: RuleFile
    programs: tuple[Stage, ...]

    @property
    def follows_solution(self) -> bool:
        """Whether it refers to the numbers of a solution."""
        return any(_SOLUTION.search(file.code) for each in self.programs for file in each.files)

    def drawn_inputs(self, stated: Iterable[Function]) -> set[Signature]:
        """The inputs that the `.gen` file generates, and inputs about the same cages and lines.
        Facts that the puzzle states about the whole grid, such as a distance, are kept.
        """
        known = {fact.signature for fact in stated}
        drawn = defined_predicates(self.text)
        return {
            item.signature
            for item in self.rule.inputs
            if (item.names and item.signature != REGION)
            or (item.signature in drawn and not (item.signature in known and not item.places))
        }

    @property
    def retracted(self) -> list[str]:
        """The names of the rules that are retracted while a solution is drawn."""
        return [name.replace("_", "-") for name in _RETRACTION.findall(self.text.code)]


def clue_files(program: Program) -> list[ClueFile]:
    """The `.gen` files of a program's rules, unless the puzzle states all inputs of the rule."""
    files = []
    for rule in program.rules:
        if file := _read(rule):
            findings = _findings(rule, file, program.rules)
            if errors := [each.quoted for each in findings if each.severity == "error"]:
                raise RuleError("\n".join(errors))
            files.append(_clue_file(rule, file))
    return [each for each in files if each.drawn_inputs(program.puzzle.facts) or each.retracted]


def check_clue_file(rule: RuleFile) -> list[Message]:
    """The errors and warnings of the `.gen` file next to a rule file, if there is such a file."""
    try:
        file = _read(rule)
    except RuleError as error:
        return [as_message(error)]
    rules = [*library.game(), rule]
    findings = _findings(rule, file, rules) if file else []
    return sorted(findings, key=lambda message: (message.line, message.column))


def _read(rule: RuleFile) -> RuleFile | None:
    path = rule.path.with_suffix(SUFFIX) if rule.path else None
    if path is None or not path.is_file():
        return None
    return RuleFile.read(path, rule.place.removesuffix(".lp") + SUFFIX, rule.vetted)


def _parts(file: RuleFile) -> list[RuleFile]:
    """What precedes `#program value.`, and what follows it."""
    texts = [file.text]
    if values := _VALUES.search(file.code):
        start, end = values.span()
        # With lines before it, so that messages have the right numbers.
        texts = [file.text[:start], "\n" * file.text.count("\n", 0, end) + file.text[end:]]
    return [RuleFile(file.name, file.place, text, file.vetted) for text in texts]


def _clue_file(rule: RuleFile, file: RuleFile) -> ClueFile:
    first, *others = _parts(file)
    programs: list[Stage] = []
    wanted = {CLUE, *(item.signature for item in rule.inputs)}
    for files in [*([other] for other in others), list(_with_shapes(first))]:  # the last one first
        shown = "\n".join(f"#show {name}/{arity}." for name, arity in sorted(wanted))
        wanted = wanted.union(*map(predicates, files))
        names = frozenset(name for name, _ in wanted)
        programs.insert(0, Stage(tuple(files), names, RuleFile("shown", "shown", shown, True)))
    return ClueFile(rule, file, tuple(programs))


def _with_shapes(file: RuleFile) -> Iterator[RuleFile]:
    """The file and the shapes that it declares, and that these declare."""
    yield file
    for item in file.inputs:
        name = item.name.replace("_", "-")
        if name in _shape_names():
            yield from _with_shapes(library.bundled(f"{_SHAPES}/{name}.lp"))


def _shape_names() -> list[str]:
    return sorted(file.stem for file in (library.data_dir() / _SHAPES).glob("*.lp"))


def _findings(rule: RuleFile, file: RuleFile, rules: Iterable[RuleFile]) -> list[Message]:
    """The errors and warnings of a `.gen` file, which can use the predicates of the rules."""
    parts = _parts(file)
    if errors := [error for part in parts for error in fatal_errors(part)]:
        return errors
    inputs = {item.signature for item in rule.inputs}
    if numbers := [each for each in _heads(parts) if each[0] == GIVEN]:
        text = "a/3 is in a head, but the solution is given"
        return [about(part, position, text, "error") for _, position, part in numbers]
    if inputs.isdisjoint(defined_predicates(file)) and not _RETRACTION.search(file.code):
        names = ", ".join(f"{name}/{arity}" for name, arity in sorted(inputs)) or "no inputs"
        text = f"it draws no clues; the inputs of the rule are {names}"
        return [Message(file.place, 1, 1, "error", text)]
    if file.vetted:
        return []
    files = [*_with_shapes(parts[0]), *parts[1:]]
    errors = list(_undeclared_words(rule, parts, rules)) or [
        error for part in parts for error in undefined_in(part, [*rules, *files], [ORDER])
    ]
    return errors or [
        *(
            each._replace(text=f"warning: {each.text}").with_excerpt(part.text)
            for part in parts
            for each in growth(part)
        ),
        *_unused_heads(parts, files, inputs),
        *_unknown_declarations(parts, [*rules, *files]),
    ]


def _undeclared_words(
    rule: RuleFile, parts: Iterable[RuleFile], rules: Iterable[RuleFile]
) -> Iterator[Message]:
    """An error for each word of the vocabulary that no rule declares: a `.gen` file includes shapes
    only, and reads what follows from the rules.
    """
    missing = set(library.vocabulary())
    missing -= {item.signature for each in rules for item in each.declared}
    missing -= {predicate for predicate, _, _ in _heads(parts)}
    for part in parts:
        for atom in (atom for statement in parse(part)[0] for atom in atoms(statement)):
            if (found := signature(atom)) in missing:
                missing.discard(found)
                name = f"{found[0]}/{found[1]}"
                text = f"{name} is a word of the vocabulary, which only a rule can declare: write"
                text += f" #defined {name}. in {rule.place}"
                yield about(part, position_of(atom), text, "error")


def growth_warnings(program: Program) -> list[str]:
    """A warning for each rule of users' `.gen` files that may ground without end."""
    files = filter(None, (_read(part.rule) for part in program.parts if not part.rule.vetted))
    return [str(each) for file in files for part in _parts(file) for each in growth(part)]


def _unused_heads(
    parts: list[RuleFile], files: Iterable[RuleFile], inputs: set[Signature]
) -> Iterator[Message]:
    used = {CLUE, (EXCEPTIONS, 1), *inputs}
    for each in files:
        for statement in parse(each)[0]:
            defined = {position_of(head) for head in heads(statement)}
            used |= {
                signature(atom) for atom in atoms(statement) if position_of(atom) not in defined
            }
    for (name, arity), position, part in _heads(parts):
        if (name, arity) not in used:
            near = did_you_mean(name, sorted({other for other, _ in used}))
            text = f"{name}/{arity} is not used: it is neither an input of the rule nor read by a"
            yield about(part, position, f"{text} shape that the file declares.{near}")
            used.add((name, arity))


def _unknown_declarations(
    parts: Iterable[RuleFile], rules: Iterable[RuleFile]
) -> Iterator[Message]:
    known = set(library.bundled_inputs()).union(*map(defined_predicates, rules))
    for part in parts:
        for statement in parse(part)[0]:
            if statement.ast_type.name != "Defined" or statement.name == EXCEPTIONS:
                continue
            if (statement.name, statement.arity) not in known:
                text = f"nothing defines {statement.name}/{statement.arity}; the shapes are"
                text += f" {', '.join(_shape_names())}."
                text += did_you_mean(statement.name, _shape_names())
                yield about(part, position_of(statement), text)


def _heads(parts: Iterable[RuleFile]) -> Iterator[tuple[Signature, tuple[int, int], RuleFile]]:
    for part in parts:
        for statement in parse(part)[0]:
            yield from ((signature(head), position_of(head), part) for head in heads(statement))
