"""Compose base, elaborations and a puzzle into one logic program.

Untrusted files are vetted, the text is rendered from the template `program.lp.j2`, and warnings are
collected. The program keeps a line map, so that messages can refer to the rule files it was
composed from. Imports of the parser are inside functions, because bundled rules need no parsing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from aspdoku.errors import Advice, PuzzleError, RuleError, did_you_mean
from aspdoku.program import diagnostics, library
from aspdoku.program.layout import derived_layout, derives_layout, grounded
from aspdoku.program.rulefile import SIZES, RuleFile, suggested_name
from aspdoku.program.templates import program_text
from aspdoku.puzzle import Function, Puzzle, render
from aspdoku.puzzle.puzzle import RULES_IN_WORDS, Grid
from aspdoku.puzzle.term import PREDICATE

# Seconds to ground a line on which a cell occurs twice.
_LINE = 1.0
_ADVICE = {
    RULES_IN_WORDS: "; convert the puzzle into a puzzle file, state the rules there with `with:`,"
    " and delete its line `unsupported:`"
}
_VALUE = re.compile(r"-?[0-9]{1,9}|" + PREDICATE.pattern + r'|"[ !#-\[\]-~]*"')


class Part(NamedTuple):
    """A rule file in a program: its text begins at line `first_line` of the program."""

    rule: RuleFile
    first_line: int

    @property
    def last_line(self) -> int:
        """The last line of the program that belongs to this part."""
        return self.first_line + self.rule.text.count("\n")


@dataclass(frozen=True)
class Program:
    """A composed program.

    text: the program, as clingo reads it
    puzzle: the instance; its `without` lists all retracted rules
    parts: the rule files, with their positions in the text
    constants: the values of the constants that were set
    sizes: the constants that every program has, such as n
    undefined: warnings about undefined predicates that are used in spite of that
    """

    text: str
    puzzle: Puzzle
    parts: tuple[Part, ...]
    constants: Mapping[str, str | int]
    sizes: Mapping[str, int]
    undefined: tuple[str, ...] = ()
    fast: bool = True

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Messages for the user about suspicious rules and facts.

        They are looked for when they are wanted, since most programs are for a search only.
        """
        rules, puzzle = self.rules, self.puzzle
        elaborations = [rule for rule in rules if rule not in library.standard()]
        return (
            *self.undefined,
            *about_own_rules(rules),
            *self.missing_inputs,
            *diagnostics.incomplete_names(rules[1:], puzzle.facts),
            *diagnostics.unused_facts(rules, puzzle.facts),
            *diagnostics.unknown_exceptions(rules, puzzle.facts),
            *diagnostics.shared_exceptions(rules, puzzle),
            *diagnostics.box_shape_warnings(rules, puzzle),
            *diagnostics.region_size_warnings(puzzle),
            *diagnostics.surplus_number_warnings(puzzle),
            *diagnostics.unused_cell_warnings(elaborations, puzzle),
            *(
                f"{place_of_clue(puzzle, clue)}: {clue.text}"
                for clue in (
                    *diagnostics.digits_as_text(elaborations, puzzle),
                    *diagnostics.gaps(elaborations, puzzle),
                    *diagnostics.not_within(elaborations, puzzle),
                    *diagnostics.misplaced(elaborations, puzzle),
                    *self._impossible_repeats(elaborations),
                )
            ),
            *(f"unsupported and ignored: {it}{_ADVICE.get(it, '')}" for it in puzzle.unsupported),
            *(f"assumed: {it}" for it in puzzle.assumed),
            *diagnostics.unused_constants(rules, self.constants),
        )

    @cached_property
    def missing_inputs(self) -> tuple[str, ...]:
        """The warnings about rules that cannot apply because the puzzle lacks their inputs."""
        return tuple(diagnostics.missing_inputs(self.rules[1:], self.puzzle.facts))

    def _impossible_repeats(self, rules: list[RuleFile]) -> Iterator[diagnostics.OnLine]:
        """The lines with a cell that occurs twice which no numbers satisfy, each line alone."""
        numbers = self.puzzle.numbers
        without = library.base().retractable.union(self.puzzle.without)
        retracted = sorted(f"ab({name.replace('-', '_')})" for name in without)
        free = ["own_numbers", f"number({numbers[0]}..{numbers[-1]})", *retracted]
        for rule, facts, found in diagnostics.repeats(
            [each for each in rules if each.vetted], self.puzzle
        ):
            stated = [*free, *map(str, facts)]
            alone = with_facts_only(self.puzzle, [library.base(), rule], stated, self.constants)
            with suppress(TimeoutError):
                if (control := grounded(alone.text, _LINE)) is not None:
                    # Far more than a line takes.
                    control.configuration.solve.solve_limit = "5000"  # type: ignore[union-attr]
                    if control.solve().unsatisfiable:
                        yield found._replace(text=f"{found.text}, which no numbers satisfy")

    @property
    def rules(self) -> list[RuleFile]:
        """The rule files, the base first."""
        return [part.rule for part in self.parts]

    @property
    def added(self) -> list[RuleFile]:
        """The rule files other than the base and the default rules."""
        known = library.default_names()
        return [rule for rule in self.rules if rule.name not in known]

    def changed(
        self,
        rules: Iterable[RuleFile] | None = None,
        retracted: Iterable[str] = (),
        fast: bool | None = None,
        **changes: object,
    ) -> Program:
        """The program with changes of its puzzle, and with other rules.

        rules: exactly these rule files, by default those of the program
        retracted: names of further rules to retract
        fast: as for `assemble`, by default as in this program
        """
        puzzle = self.puzzle.replace(**changes)
        chosen = self.rules if rules is None else rules
        fast = self.fast if fast is None else fast
        return assemble(puzzle, chosen, retracted, self.constants, fast=fast)

    def with_grid(self, grid: Grid) -> Program:
        """The same rules and facts with another grid of the same size."""
        return self.changed(grid=grid)

    def without_givens(self) -> Program:
        """The same rules and facts with an empty grid."""
        size = self.puzzle.size
        return self.with_grid(((None,) * size,) * size) if self.puzzle.givens() else self

    def locate(self, line: int) -> tuple[str, int]:
        """The file and the line in it that a line of the program comes from.

        For lines of the instance: the puzzle and line 0.
        """
        for part in self.parts:
            if part.first_line <= line <= part.last_line:
                return part.rule.place, line - part.first_line + 1
        return _instance_name(self.puzzle), 0

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        rules = ", ".join(part.rule.name for part in self.parts)
        retracted = f" without {', '.join(self.puzzle.without)}" if self.puzzle.without else ""
        size = f"{self.puzzle.size}x{self.puzzle.size}"
        givens, facts = len(self.puzzle.givens()), len(self.puzzle.facts)
        return f"<Program: {size}, {rules}{retracted}; givens: {givens}, other facts: {facts}>"

    def _repr_html_(self) -> str:
        return render.html(self)


def compose(
    puzzle: Puzzle,
    *names: str | RuleFile,
    without: Iterable[str] = (),
    constants: Mapping[str, str | int] | None = None,
    trust: bool = False,
    force: bool = False,
) -> Program:
    """The program for a puzzle.

    It consists of the base, the default rules, the rules that the puzzle names, and `names`, each
    once.

    names: bundled rules, rules on ASPDOKU_PATH, paths of rule files, or rule files
    without: rules to retract, each by adding a fact `ab(NAME).`
    constants: values of constants that the rules leave open
    trust: allow the puzzle to name any rule file by its path, not only `.lp` files in its folder
    force: an undefined predicate in a rule is only a warning
    Raises RuleError if a rule cannot be found or used, if `without` names an unknown rule, or if a
    user's rule file uses a predicate that neither a rule nor the puzzle defines, or defines one of
    another file.
    """
    if puzzle.wording and (names or without or constants):
        puzzle = puzzle.replace(wording=())  # the rules are no longer those of the text
    rules = [*library.game(), *_named_by(puzzle, trust)]
    rules += [name if isinstance(name, RuleFile) else library.find(name) for name in names]
    program = assemble(puzzle, rules, [without] if isinstance(without, str) else without, constants)
    if not any(derives_layout(rule) and rule.name in program.puzzle.without for rule in rules):
        _refuse_other_cells(puzzle, program.puzzle)
    own = any(not part.rule.vetted for part in program.parts)
    return _compatible(program, force) if own else program


def _compatible(program: Program, force: bool) -> Program:
    """The program, with warnings about undefined predicates if forced. Raises RuleError."""
    from aspdoku.program.lint import errors_in_program, undefined_predicates

    if others := errors_in_program(program.rules):
        raise RuleError("\n".join(error.quoted for error in others))
    errors = undefined_predicates(program.rules, program.puzzle.facts)
    shown = tuple(error.quoted for error in errors)
    if errors and not force:
        raise RuleError(
            "\n".join([*shown, "An undefined predicate is always false."]),
            Advice(*(f" To use the rules anyway, add {it}" for it in ("--force", "force=True"))),
        )
    return replace(program, undefined=shown)


def _refuse_other_cells(puzzle: Puzzle, composed: Puzzle) -> None:
    for row, column in sorted(puzzle.unused ^ composed.unused) if puzzle.unused else ():
        shown, derived = "used", "unused"
        if (row, column) in puzzle.unused:
            shown, derived = derived, shown
        raise RuleError(
            f"{_instance_name(puzzle)}: r{row}c{column} is {shown} in the grid, but by the rules"
            f" of this program it is {derived}: correct the grid, or the facts"
        )


def _folder(puzzle: Puzzle) -> Path | None:
    return puzzle.origin.parent if puzzle.origin else None


def _named_by(puzzle: Puzzle, trust: bool) -> list[RuleFile]:
    try:
        return [library.find_for(_folder(puzzle), name, trust) for name in puzzle.elaborations]
    except RuleError as error:
        raise error.at(_instance_name(puzzle)) from None


def assemble(
    puzzle: Puzzle,
    rules: Iterable[RuleFile],
    without: Iterable[str] = (),
    constants: Mapping[str, str | int] | None = None,
    every_cell: bool = False,
    sizes: Mapping[str, int] | None = None,
    fast: bool = True,
) -> Program:
    """The program of exactly these rule files, each once, the base first, and the puzzle.

    every_cell: accept numbers in cells that the rules call unused
    sizes: those of a program that this one is compared with, instead of those of the grid
    fast: with the definitions that only speed up the search; not for searches that choose clues,
        over which these would count
    """
    rules = library.with_vocabulary(_vetted(rules), fast)
    constants = _checked(constants or {})
    puzzle = as_declared_by(puzzle, rules)
    retracted = tuple(dict.fromkeys(name.replace("_", "-") for name in (*puzzle.without, *without)))
    if retracted != puzzle.without:
        puzzle = puzzle.replace(without=retracted)
    diagnostics.require_inputs(rules, puzzle.facts, _instance_name(puzzle))
    if every_cell:
        blank = puzzle.replace(grid=((None,) * puzzle.size,) * puzzle.size)
        sizes = sizes or _sizes(_with_layout(blank, rules, constants))
    else:
        puzzle = _with_layout(puzzle, rules, constants)
        sizes = sizes or _sizes(puzzle)
    for clue in diagnostics.invalid_arguments(rules, puzzle, constants):
        raise RuleError(f"{place_of_clue(puzzle, clue)}: {clue.text}")
    retractions = [str(_retraction(name, rules)) for name in puzzle.without]
    program = _program(puzzle, rules, _instance(puzzle), constants, sizes, retractions)
    return replace(program, fast=fast)


def with_facts_only(
    puzzle: Puzzle,
    rules: Iterable[RuleFile],
    facts: Iterable[str],
    constants: Mapping[str, str | int],
) -> Program:
    """A program of rule files and facts, as clingo prints them, without the base and the givens."""
    instance = "".join(f"{fact}.\n" for fact in facts)
    return _program(puzzle, _vetted(rules), instance, _checked(constants), _sizes(puzzle))


def _program(
    puzzle: Puzzle,
    rules: list[RuleFile],
    instance: str,
    constants: dict[str, str | int],
    sizes: Mapping[str, int],
    retractions: Sequence[str] = (),
) -> Program:
    places = [(_printable(rule.place), rule.text) for rule in rules]
    # A base of one's own may set them itself, which no elaboration does.
    own = set().union(*(rule.constants for rule in rules))
    header = {name: each for name, each in {**sizes, **constants}.items() if name not in own}
    text = program_text(header, places, instance, retractions)
    return Program(text, puzzle, tuple(_parts(text, rules)), constants, sizes)


def _with_layout(
    puzzle: Puzzle, rules: list[RuleFile], constants: Mapping[str, str | int]
) -> Puzzle:
    deriving = [rule for rule in rules if derives_layout(rule)]
    found = derived_layout(puzzle, deriving, constants) if deriving else ()
    if found == puzzle.layout:
        return puzzle
    try:
        return puzzle.replace(layout=found)
    except PuzzleError as error:
        raise PuzzleError(str(error), _instance_name(puzzle)) from None


def as_its_rules_declare(puzzle: Puzzle) -> Puzzle:
    """The puzzle with the facts of its sections as the rules that it names declare them, as far as
    these can be found. Raises RuleError for a section that does not fit.
    """
    rules = []
    for name in puzzle.elaborations if puzzle.sections else ():
        with suppress(RuleError):
            rules.append(library.find_for(_folder(puzzle), name))
    return as_declared_by(puzzle, rules)


def as_declared_by(puzzle: Puzzle, rules: Iterable[RuleFile]) -> Puzzle:
    """The puzzle with the facts of its sections as these rules declare them. Raises RuleError."""
    if not puzzle.sections:
        return puzzle
    from aspdoku.puzzlefile.declared import UnfitError, settled  # few puzzles have sections
    from aspdoku.puzzlefile.lines import place_of

    # A file that was made from another one has no comments.
    inputs = [item for rule in rules for item in (rule.source or rule).inputs]
    try:
        return settled(puzzle, inputs)
    except UnfitError as error:
        place = place_of(_printable(puzzle.name), error.line)
        raise RuleError(f"{place}: {error}") from None


def place_of_clue(puzzle: Puzzle, clue: diagnostics.OnLine) -> str:
    """The line of a clue in a section of the puzzle's file; otherwise the puzzle."""
    from aspdoku.puzzlefile.declared import line_about, line_of
    from aspdoku.puzzlefile.lines import place_of

    instance = _instance_name(puzzle)
    for section in puzzle.sections:
        if section.name == clue.predicate:
            if clue.line is None:
                return place_of(instance, line_about(section, clue.fact, clue.cells))
            return place_of(instance, line_of(section, clue.line))
    return instance


def _instance(puzzle: Puzzle) -> str:
    lines = [f"% -- {_instance_name(puzzle)}"]
    if not puzzle.has_default_numbers:
        lines.append(f"own_numbers. number({puzzle.numbers[0]}..{puzzle.numbers[-1]}).")
    givens = puzzle.givens().items()
    for _, in_row in groupby(givens, key=lambda given: given[0][0]):
        lines.append(" ".join(f"a({row},{column},{number})." for (row, column), number in in_row))
    lines += [f"{fact}." for fact in puzzle.facts]
    return "\n".join([*lines, ""])


def _parts(text: str, rules: list[RuleFile]) -> Iterable[Part]:
    """Only comments separate two files, so the first match is the file itself."""
    position = 0
    for rule in rules:
        start = text.index(f"\n{rule.text}\n", position) + 1
        yield Part(rule, text.count("\n", 0, start) + 1)
        position = start + len(rule.text)


def _sizes(puzzle: Puzzle) -> dict[str, int]:
    """The constants of every instance. The box shape is 0 if the puzzle draws its own regions."""
    rows, columns = puzzle.box or (0, 0)
    return {"n": puzzle.size, "box_rows": rows, "box_columns": columns}


def _checked(constants: Mapping[str, str | int]) -> dict[str, str | int]:
    for name, value in constants.items():
        if name in SIZES:
            raise RuleError(f"constant {name} cannot be set: its value comes from the grid")
        valid = PREDICATE.fullmatch(name) and _VALUE.fullmatch(str(value))
        if not valid or "not" in (name, value):
            expected = "NAME=VALUE with an integer, identifier or quoted string, e.g. gap=5"
            raise RuleError(f"invalid constant {name}={value}: expected {expected}")
    return dict(constants)


def _retraction(name: str, rules: list[RuleFile]) -> Function:
    symbol = name.replace("-", "_")
    known = sorted(set().union(*(rule.retractable for rule in rules)))
    if symbol in known:
        return Function("ab", (Function(symbol),))
    for rule in rules:
        if rule.name.replace("_", "-") == name:
            problem = f"rule '{rule.name}' cannot be retracted:"
            if PREDICATE.fullmatch(symbol):
                raise RuleError(f"{problem} its constraints lack 'not ab({symbol})'")
            good = suggested_name(rule.name)
            raise RuleError(
                f"{problem} '{symbol}' is not a name in clingo. Call the file {good}.lp and add"
                f" 'not ab({good.replace('-', '_')})' to its constraints"
            )
    shown = [other.replace("_", "-") for other in known]
    raise RuleError(
        f"cannot retract '{name}': no such rule in this program.{did_you_mean(name, shown)} "
        f"Rules that can be retracted: {', '.join(shown)}"
    )


def _vetted(rules: Iterable[RuleFile]) -> list[RuleFile]:
    """The rule files, each once, or RuleError for a user's file that no program can contain."""
    files: dict[tuple[str, str], RuleFile] = {}
    for rule in rules:
        files.setdefault((rule.name, rule.text), rule)
    for rule in files.values():
        if not rule.vetted:
            from aspdoku.program.lint import require_valid

            require_valid(rule)
    return list(files.values())


def about_own_rules(rules: list[RuleFile]) -> Iterator[str]:
    """Warnings about users' files: no effect, helpers of others, growth without end."""
    own = [rule for rule in rules if not rule.vetted]
    if not own:
        return
    from aspdoku.program.lint import borrowed, growth, has_rules, lent

    for rule in own:
        if not has_rules(rule):
            problem = f"{rule.place} neither forbids nor defines anything"
            yield f"rule {rule.name} has no effect: {problem}"
        others = (each for each in rules if each != rule)
        yield from map(str, (*growth(rule), *borrowed(rule, others), *lent(rule, rules)))


def _instance_name(puzzle: Puzzle) -> str:
    return _printable(puzzle.name) if puzzle.name else "the puzzle"


def _printable(name: str) -> str:
    return name if name.isprintable() else ascii(name)
