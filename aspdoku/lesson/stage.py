"""The stage of a lesson: a puzzle, the rules of its tower, and what the page shows with them.

A block of directives changes a stage into the next one. Nothing is computed here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from aspdoku.errors import AspdokuError, did_you_mean
from aspdoku.formalisms.engine import stored_changes
from aspdoku.formats.detection import PREFIX
from aspdoku.lesson.reader import Block, Directive
from aspdoku.program import Program, RuleFile, assemble, compose, library
from aspdoku.program.rulefile import EXCEPTIONS, message_templates
from aspdoku.program.syntax import heads, parse, position_of, signature
from aspdoku.puzzle import Function, Puzzle
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzlefile.facts import parse_fact_text
from aspdoku.puzzlefile.lines import quote
from aspdoku.questions.source import puzzle_of

SHOWN = ("puzzle", "solution", "all-solutions", "changes")
_TOWERS = ("none", "base", "all")
_NAMES = re.compile(r"[ \t]*,[ \t]*|[ \t]+")
_CELL = re.compile(r"r([1-9]\d?)c([1-9]\d?)")
_RANGE = re.compile(r"([1-9]\d?)(?:-([1-9]\d?))?")
# As the scripts accept it: the name of a rule, perhaps with a number or a name in it.
_RETRACTED = re.compile(r'_*[a-z]\w*(?:,(?:-?\d+|_*[a-z]\w*|"[^"\\\n]*"))?')
LICENCE = "licence"


class InvalidError(AspdokuError):
    """A directive that cannot be followed: what is wrong, and what to do."""


@dataclass(frozen=True)
class Code:
    """The text on the slide: of a rule file, perhaps of some of its statements only.

    name: of the brick; statements: the first and the last one, counted from 1
    """

    name: str
    rule: RuleFile
    statements: tuple[int, int] | None = None


@dataclass(frozen=True)
class Quotation:
    """A text that somebody said, on the slide."""

    text: str
    by: str


@dataclass(frozen=True)
class BaseDifference:
    """On the slide, what the base has that the base before did not have, and the reverse."""

    before: RuleFile


@dataclass(frozen=True)
class Mark:
    """Marked cells: those that cannot hold the number of `cell` by a rule, with a sign in the cell;
    without a cell, the violations of a rule that only an exception allows.
    """

    rule: RuleFile
    cell: Cell | None = None
    sign: str = ""


@dataclass(frozen=True)
class Stage:
    """What is on the stage.

    puzzle: None for an empty stage; its `without` is empty, see `retracted`
    rules: the rule files that come with the puzzle, the base first, without the vocabulary
    added: the rule files that were added on the stage
    retracted: the arguments of facts ab(…), such as `box` and `anti_knight,5`
    tower: "none" if no rule is shown, "base" if only the base stands there
    base_name: that of a base other than ours
    mark, compare: of this stage only; the others remain when something changes
    formalisms: the changes whose costs are shown
    """

    puzzle: Puzzle | None = None
    rules: tuple[RuleFile, ...] = ()
    added: tuple[RuleFile, ...] = ()
    retracted: tuple[str, ...] = ()
    tower: str = "all"
    base_name: str = ""
    show: str = "puzzle"
    code: Code | Quotation | BaseDifference | None = None
    mark: Mark | None = None
    compare: tuple[RuleFile, RuleFile] | None = None
    formalisms: tuple[str, ...] = ()

    @property
    def standing(self) -> tuple[RuleFile, ...]:
        """The rule files of the program without those that were added on the stage."""
        return self.rules[:1] if self.tower == "base" else self.rules

    @property
    def program(self) -> Program:
        """The program, with its facts ab(…). Raises AspdokuError if the rules do not fit."""
        assert self.puzzle
        names = [each for each in self.retracted if "," not in each]
        exceptions = [_function(each) for each in self.retracted if "," in each]
        return assemble(
            self.puzzle.replace(box=self.puzzle.box, facts=(*self.puzzle.facts, *exceptions)),
            [*self.standing, *self.added],
            [name.replace("_", "-") for name in names],
        )


def _function(retracted: str) -> Function:
    return parse_fact_text(f"{EXCEPTIONS}({retracted}).")[0]


class Stager:
    """Changes stages by blocks; paths are relative to a folder."""

    def __init__(self, folder: Path, problem: Callable[[int, str], None]) -> None:
        self._folder, self._problem = folder, problem
        self._before = Stage()

    def changed(self, stage: Stage, block: Block) -> Stage:
        """The stage after a block. A directive that cannot be followed is a problem."""
        self._before = stage
        stage = replace(stage, mark=None, compare=None)
        # What replaces the stage comes first, then what changes its rules, then what is shown.
        for key in _ORDER:
            for directive in block.directives:
                if directive.key == key:
                    stage = self._followed(stage, directive)
        return stage

    def _followed(self, stage: Stage, directive: Directive) -> Stage:
        try:
            return _METHODS[directive.key](self, stage, directive.value)
        except AspdokuError as error:
            words = error.on_command_line.replace("\n", " ")
            self._problem(directive.line, f"{directive.key}: {words}")
            return stage

    def _puzzle(self, stage: Stage, value: str) -> Stage:
        source = value if value.startswith(PREFIX) else self._folder / value
        program = compose(puzzle_of(source))
        return self._fresh(stage, program.puzzle, program.rules)

    def _size(self, stage: Stage, value: str) -> Stage:
        if not (value.isascii() and value.isdigit() and len(value) < 3):
            raise InvalidError(f"invalid size {quote(value)}: expected a number of rows")
        return self._fresh(stage, Puzzle.blank(int(value)), [library.base()])

    def _fresh(self, stage: Stage, puzzle: Puzzle, rules: Iterable[RuleFile]) -> Stage:
        known = library.vocabulary().values()
        return Stage(
            puzzle.replace(box=puzzle.box, without=()),
            tuple(rule for rule in rules if rule not in known),
            retracted=tuple(name.replace("-", "_") for name in puzzle.without),
            code=None if isinstance(stage.code, Quotation) else stage.code,
        )

    def _base(self, stage: Stage, value: str) -> Stage:
        _require_puzzle(stage)
        rule = self._rule(value)
        is_ours = rule == library.base()
        # The boxes of another base are its own.
        others = [each for each in stage.rules[1:] if is_ours or each not in library.defaults()]
        return replace(stage, rules=(rule, *others), base_name="" if is_ours else value)

    def _tower(self, stage: Stage, value: str) -> Stage:
        return replace(stage, tower=_one_of(value, _TOWERS))

    def _add(self, stage: Stage, value: str) -> Stage:
        _require_puzzle(stage)
        for name in _NAMES.split(value):
            rule = self._rule(name)
            symbol = rule.name.replace("-", "_")
            if symbol in stage.retracted:
                raise InvalidError(
                    f"{name} stands there already, retracted by ab({symbol}).: choose another rule"
                )
            if rule not in (*stage.standing, *stage.added):
                stage = replace(stage, added=(*stage.added, rule))
        return stage

    def _without(self, stage: Stage, value: str) -> Stage:
        for name in _NAMES.split(value):
            standing = {rule.name: rule for rule in (*stage.rules[1:], *stage.added)}
            if name not in standing:
                raise InvalidError(
                    f"no rule '{name}' stands there.{did_you_mean(name, list(standing))} Rules that"
                    f" can be left out: {', '.join(standing) or 'none'}"
                )
            gone = standing[name]
            symbol = name.replace("-", "_")
            stage = replace(
                stage,
                rules=tuple(rule for rule in stage.rules if rule != gone),
                added=tuple(rule for rule in stage.added if rule != gone),
                retracted=tuple(r for r in stage.retracted if r.partition(",")[0] != symbol),
            )
        return stage

    def _fact(self, stage: Stage, value: str) -> Stage:
        _require_puzzle(stage)
        for fact in parse_fact_text(value):
            text = str(fact)
            inside = text[len(EXCEPTIONS) + 1 : -1]
            if fact.name != EXCEPTIONS or not _RETRACTED.fullmatch(inside):
                raise InvalidError(
                    f"{text} cannot be added on the stage: expected a fact such as ab(box). or"
                    " ab(anti_knight,5)., and other facts in the file of the puzzle"
                )
            known = sorted(set().union(*(r.retractable for r in (*stage.standing, *stage.added))))
            name = inside.partition(",")[0]
            if name not in known:
                raise InvalidError(
                    f"no rule that stands there reads {text}.{did_you_mean(name, known)}"
                )
            if inside not in stage.retracted:
                stage = replace(stage, retracted=(*stage.retracted, inside))
        return stage

    def _without_facts(self, stage: Stage, value: str) -> Stage:
        puzzle = _require_puzzle(stage)
        for fact in parse_fact_text(value):
            if fact not in puzzle.facts:
                raise InvalidError(f"the puzzle has no fact {fact}: delete it here")
            left = tuple(each for each in puzzle.facts if each != fact)
            puzzle = puzzle.replace(box=puzzle.box, facts=left)
        return replace(stage, puzzle=puzzle)

    def _code(self, stage: Stage, value: str) -> Stage:
        name, _, lines = value.partition(" ")
        if name == "none":
            return replace(stage, code=None)
        if value == "diff":
            before = self._before.rules[:1]
            if not before or before == stage.rules[:1]:
                raise InvalidError("the base is that of before: change it with base: in this block")
            return replace(stage, code=BaseDifference(before[0]))
        if name == "base" and stage.rules:
            rule = stage.rules[0]
            return replace(stage, code=Code(rule.name, rule, _statements(rule, lines)))
        rule = self._rule(name)
        slides = name.startswith(library.SLIDES)
        shown = Code(name if slides else rule.name, rule, _statements(rule, lines))
        return replace(stage, code=shown)

    def _mark(self, stage: Stage, value: str) -> Stage:
        puzzle = _require_puzzle(stage)
        words = value.split()
        if words[0] == LICENCE and len(words) == 2:
            return replace(stage, mark=Mark(self._rule(words[1].replace("_", "-"))))
        cell = _CELL.fullmatch(words[1]) if len(words) in (2, 3) else None
        if not cell:
            raise InvalidError(
                f"invalid mark {quote(value)}: expected a rule and a cell, such as `anti-knight"
                f" r5c5`, with a sign to draw in it if wanted, or `{LICENCE} anti-knight` for the"
                " cells that only an exception allows"
            )
        row, column = int(cell[1]), int(cell[2])
        if max(row, column) > puzzle.size:
            raise InvalidError(f"{cell[0]} is not in the grid: it has {puzzle.size} rows")
        sign = words[2] if len(words) == 3 else ""
        return replace(stage, mark=Mark(self._rule(words[0]), (row, column), sign))

    def _compare(self, stage: Stage, value: str) -> Stage:
        _require_puzzle(stage)
        names = _NAMES.split(value)
        if len(names) != 2:
            raise InvalidError(f"expected the names of two rules, not {quote(value)}")
        rules = self._rule(names[0]), self._rule(names[1])
        return replace(stage, compare=rules)

    def _show(self, stage: Stage, value: str) -> Stage:
        _require_puzzle(stage)
        return replace(stage, show=_one_of(value, SHOWN))

    def _quote(self, stage: Stage, value: str) -> Stage:
        text, dashes, by = value.rpartition("\n-- ")
        if not dashes:
            raise InvalidError("who said it is missing: end with a line `-- NAME`")
        return replace(stage, code=Quotation(" ".join(text.split()), by.strip()))

    def _formalisms(self, stage: Stage, value: str) -> Stage:
        known = stored_changes()
        names = re.split(r"[ \t]*,[ \t]*", value)
        for name in names:
            if name not in known:
                raise InvalidError(
                    f"no stored comparison of '{name}'.{did_you_mean(name, list(known))} Stored:"
                    f" {', '.join(known)}"
                )
        return replace(stage, formalisms=tuple(names))

    def _rule(self, name: str) -> RuleFile:
        return library.find_for(self._folder, name)


def _kept(_: Stager, stage: Stage, __: str) -> Stage:
    return stage


_METHODS: dict[str, Callable[[Stager, Stage, str], Stage]] = {
    "puzzle": Stager._puzzle,
    "size": Stager._size,
    "base": Stager._base,
    "without": Stager._without,
    "without-facts": Stager._without_facts,
    "tower": Stager._tower,
    "add": Stager._add,
    "fact": Stager._fact,
    "show": Stager._show,
    "code": Stager._code,
    "quote": Stager._quote,
    "mark": Stager._mark,
    "compare": Stager._compare,
    "formalisms": Stager._formalisms,
    "expect": _kept,  # of what is computed
}
_ORDER = tuple(_METHODS)


def _one_of(value: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise InvalidError(
            f"unknown value {quote(value)}.{did_you_mean(value, list(known))} Values:"
            f" {', '.join(known)}"
        )
    return value


def _require_puzzle(stage: Stage) -> Puzzle:
    if not stage.puzzle:
        raise InvalidError("no puzzle is on the stage: state puzzle: or size: first")
    return stage.puzzle


def rules_in(rule: RuleFile) -> int:
    """How many statements of a file say something about grids, as the slide counts them: neither
    declarations and definitions, which others use, nor what only speeds up the search.
    """
    templates = message_templates(rule)
    count = 0
    for statement in parse(rule)[0]:
        template = templates.get(position_of(statement)[0])
        if statement.ast_type.name == "Rule" and not (template and template.is_silent):
            defined = statement.head.ast_type.name == "Literal" and list(heads(statement))
            count += not defined or bool(template) or signature(defined[0])[0] == EXCEPTIONS
    return count


def _statements(rule: RuleFile, lines: str) -> tuple[int, int] | None:
    if not lines.strip():
        return None
    match = _RANGE.fullmatch(lines.strip())
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if not first <= last <= rules_in(rule):
        raise InvalidError(
            f"invalid statements {quote(lines.strip())}: {rule.place} has {rules_in(rule)}, such as"
            " 1-2"
        )
    return first, last
