"""What each elaboration changes and preserves: `elaborate`, and the table of all rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import fill, indent
from typing import Any, Literal, Unpack

from aspdoku.errors import Advice, ArgumentError, RuleError
from aspdoku.lecture.changes import Contract, GroundDiff, LineCount, TextDiff
from aspdoku.lecture.elaboration import (
    COUNTED_SIZE,
    SIZE,
    ElaborationReport,
    ElaborationRow,
    ElaborationStep,
    ElaborationTable,
    ExampleGrid,
    SolutionCount,
    elaboration_tables,
)
from aspdoku.lecture.elaboration import elaborate as report_elaborations
from aspdoku.lecture.own_base import own_base
from aspdoku.program import RuleFile, library, lint, syntax
from aspdoku.puzzle import Solution
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.questions import text
from aspdoku.questions.equal import rule_file
from aspdoku.questions.result import (
    ProgramResult,
    Result,
    Verdict,
    assumptions,
    encoded,
    fields,
    figure,
)
from aspdoku.questions.source import Rule, RuleOptions, Source, program_of, require_limit
from aspdoku.questions.text import width as layout_width
from aspdoku.questions.text import wrapped
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.signals import interruptible

_MARGIN = " " * 13
_HANGING: dict[str, Any] = {"subsequent_indent": _MARGIN, "break_long_words": False}
COUNTED = "Solutions are counted as grids: answer sets with the same grid count once."
GIVENS = (
    "Ground rules are counted with the puzzle's givens: literals that these decide are evaluated."
)
CAVEAT = (
    "No text was removed, but ground rules were: an elaboration-tolerant text need not have an"
    " elaboration-tolerant ground program."
)
_COUNTED = ("added", "removed", "tokens", "kept", "gone", "new", "before", "after")
HEADINGS = ("elaboration", "contract", *_COUNTED)
LEGEND = (
    "added, removed: statements of the text; tokens: of the added ones; kept, gone, new: ground"
    f" rules of a blank {SIZE}x{SIZE}\ngrid; before, after: {COUNTED_SIZE}x{COUNTED_SIZE}"
    " solutions. *: with the example inputs of the rule file.\nWhat only speeds up the search, in"
    " asp/speed, is not counted."
)
# Of the columns, so that a row can be printed before the next one is known.
_WIDTHS = (23, 10, 5, 7, 6, 11, 5, 5, 6, 5)


@dataclass(frozen=True, repr=False)
class Elaborations(ProgramResult):
    """What each elaboration of a puzzle changes and preserves; see `ElaborationReport`."""

    _kind, _fields = (
        "elaborate",
        "base=data.base.place files=data.files steps=data.steps combined=data.combined",
    )
    data: ElaborationReport

    @property
    def complete(self) -> bool:
        """Whether the time limit left no question open."""
        return self.data.complete

    def _text(self) -> str:
        return elaboration_text(self.data)

    def _summary(self) -> str:
        return ", ".join([self.data.base.name, *(step.name for step in self.data.steps)])

    def to_html(self) -> str:
        """A self-contained page. Raises RuleError for an invalid style, TimeLimitError."""
        return self._html("elaboration.html.j2")

    def _repr_html_(self) -> str:
        return self._html("elaboration_body.html.j2")

    def _html(self, template: str) -> str:
        from aspdoku.drawing.output import svg  # text does without pictures
        from aspdoku.markup import render

        def drawings(step: ElaborationStep) -> dict[str, str]:
            return {
                kind: svg(figure(self.program, grid, cells=marked, title=""), inline=True)
                for kind, grid, marked in example_grids(step)
            }

        data = self.data
        steps = [
            (step, _counted_last(step), step_facts(step), drawings(step)) for step in data.all_steps
        ]
        said = [*notes(data), *assumptions(data.puzzle)]
        return render(template, report=data, heading=heading(data), steps=steps, notes=said)


def _counted_last(step: ElaborationStep) -> tuple[Verdict | None, str]:
    """The number of solutions after a step, of the puzzle if that was counted, and what changed."""
    added, removed = len(step.text_diff.added), len(step.text_diff.removed)
    ledger = f"added {added} · removed {removed}"
    count = next((each for each in reversed(step.counts) if each.after is not None), None)
    if count is None or count.after is None:
        return None, ledger
    many = "" if count.after_exact else "at least "
    words = f"{many}{pluralize(count.after, 'solution')}" if count.after else "No solution"
    unique = count.after == 1 and count.after_exact
    state: Literal["unique", "none", ""] = "unique" if unique else "" if count.after else "none"
    more = "" if count.before_exact else "+"
    before = "" if count.before is None else f"was {count.before}{more}"
    blank = f"blank {count.size}x{count.size} grid" if count.blank else ""
    return Verdict(words, state), " · ".join(filter(None, (before, blank, ledger)))


encoded.register(Contract, fields("kind guarantee heads"))


@encoded.register
def _(step: ElaborationStep) -> dict[str, Any]:
    text = fields("files=kept added removed tokens")(step.text_diff)
    allowed, violations = step.allowed or (None, ())
    return {
        **fields("name place")(step),
        "text": text | {"diff": list(step.unified_diff)},
        **fields("contract ground=ground_diff gave_up solutions=counts forbidden")(step),
        "allowed": encoded(allowed),
        "allowed_violations": encoded(violations),
        "no_example_reason": step.no_example_reason,
    }


@interruptible
def elaborate(
    puzzle: Source,
    *,
    time_limit: float | None = 60.0,
    limit: int = 1000,
    over: Rule | None = None,
    grid: str | None = None,
    interruptible: bool = False,
    **rules: Unpack[RuleOptions],
) -> Elaborations:
    """Report what each rule, exception and retraction changes in the program and preserves.

    over: another base than ours, such as `"slides/base"`, without our default rules. If it has no
    exception for a rule to retract, the step is an edit: BASE-without-RULE.lp replaces it
    grid: the predicate that is the grid of another base, such as `"sudoku/3"`, if it is not a/3: a
        file of its own derives a/3 from it. To retract a rule, the statements are removed that
        state it
    limit: count solutions up to this many, 0 for all of them
    time_limit: seconds; questions that it leaves open are reported as open
    interruptible: at KeyboardInterrupt, return the steps that are complete, if there are any
    The other arguments are those of `solve`. Raises PuzzleError or RuleError.
    """
    require_limit(limit)
    program = program_of(puzzle, time_limit, **rules)
    files = program.rules[1:]
    if grid is not None and over is None:
        raise ArgumentError("grid names a predicate of another base: it requires over")
    base = library.base() if over is None else rule_file(over)
    if base != library.base():
        files = [rule for rule in files if rule not in library.defaults()]
    deadline = Deadline(time_limit)
    is_parsed = not syntax.parse(base)[1]
    if grid is None and is_parsed and lint.PLACED not in lint.defined_predicates(base):
        no_grid = f"{base.place} defines no a/3: name the predicate that plays its part"
        raise RuleError(no_grid, Advice(", as in --grid p/3", ", as in grid='p/3'"))
    puzzle, constants = program.puzzle, program.constants
    start = base if grid is None else own_base(base, grid, puzzle, deadline)
    left = deadline.time_limit()
    data = report_elaborations(puzzle, files, limit, left, start, constants, interruptible)
    return Elaborations(program, data)


def elaboration_text(
    report: ElaborationReport, diff: bool = False, colour: bool = False, footnotes: bool = True
) -> str:
    """All steps in order, then all together; footnotes: hashes, and how solutions are counted."""
    blocks = [heading(report)]
    for number, step in enumerate(report.all_steps, 1):
        together = step is report.combined
        title = "All together, against " if together else f"{number}. {step.name}: "
        blocks.append("\n".join([f"{title}{step.place}", *_lines(step)]))
        if diff:
            lines = map(text.coloured_change, step.unified_diff) if colour else step.unified_diff
            blocks.append(indent("\n".join(lines), "   "))
    if not footnotes:
        return "\n\n".join(blocks)
    hashes = [f"   {file.sha256}  {file.place}" for file in report.files]
    blocks.append("\n".join(["SHA-256 of the files, in all programs that contain them:", *hashes]))
    return "\n\n".join([*blocks, "\n".join(map(wrapped, notes(report)))])


def heading(report: ElaborationReport) -> str:
    """What the report is about: the base and the puzzle."""
    puzzle = report.puzzle
    size, givens = f"{puzzle.size}x{puzzle.size} grid", puzzle.givens()
    content = (len(givens), "given") if givens else (len(puzzle.facts), "fact")
    unnamed = f"a {size} with {pluralize(*content)}" if content[0] else f"a blank {size}"
    name = puzzle.name or puzzle.title or unnamed
    return f"Elaborations of {report.base.place} for {name}{puzzle.caveat}"


def notes(report: ElaborationReport) -> list[str]:
    """How solutions and ground rules are counted, and what is not."""
    left_out = (f"Left out, because it only speeds up the search: {it}" for it in report.left_out)
    return [COUNTED, *([GIVENS] if report.puzzle.givens() else []), *left_out]


def step_facts(step: ElaborationStep) -> list[tuple[str, str]]:
    """The findings of a step, as pairs of a heading and a sentence."""
    pairs = [("text", _text_changes(step.text_diff))]
    if step.contract:
        heads = (head for head in step.contract.heads if head.role == "redefinition")
        broken = sorted({(head.line, head.predicate) for head in heads})
        where = "".join(f" Line {line} defines {predicate}." for line, predicate in broken)
        pairs.append(("contract", f"{step.contract.kind}. {step.contract.guarantee}{where}"))
    ground = step.ground_diff
    pairs.append(("ground", step.gave_up or (_ground_changes(ground) if ground else "")))
    if ground and ground.removed + ground.changed and not step.text_diff.removed:
        pairs.append(("but", CAVEAT))
    pairs.append(("solutions", "; ".join(map(_count, step.counts))))
    if step.forbidden:
        pairs.append(("forbids", f"e.g. this grid{_violated(step.forbidden, step)}:"))
    if step.allowed:
        example = "e.g. this grid, which was not a solution before"
        pairs.append(("allows", f"{example}{_violated(step.allowed, step)}:"))
    if step.no_example_reason:
        pairs.append(("examples", step.no_example_reason))
    return pairs


def _violated(example: ExampleGrid, step: ElaborationStep) -> str:
    """The first violation as `, by line 13: "box 1 needs a 1"`, and the number of the others."""
    if not example.violations:
        return ""
    first, *others = example.violations
    line = f"line {first.line}" if first.place == step.place else f"{first.place}:{first.line}"
    message = f', "{first.message}"' if first.message else ""
    more = f" (and {pluralize(len(others), 'other violation')})" if others else ""
    return f", by {line}{message}{more}"


def _lines(step: ElaborationStep) -> Iterator[str]:
    grids = {
        heading: text.grid(grid, marked=marked) for heading, grid, marked in example_grids(step)
    }
    for heading, sentence in step_facts(step):
        begin = f"   {heading:<10}"
        yield fill(sentence, layout_width(), initial_indent=begin, **_HANGING)
        if heading in grids:
            yield f"\n{indent(grids[heading], _MARGIN)}"


def example_grids(step: ElaborationStep) -> Iterator[tuple[str, Solution, tuple[Cell, ...]]]:
    """The example grids of a step, each with its heading and the cells to mark."""
    for heading, example in (("forbids", step.forbidden), ("allows", step.allowed)):
        if example:
            cells = example.violations[0].cells if example.violations else ()
            yield heading, example.grid, cells


def _text_changes(diff: TextDiff) -> str:
    kept = ", ".join(file.place for file in diff.kept if file.untouched)
    changed = ", ".join(file.place for file in diff.kept if not file.untouched)
    states = [f"{kept} byte for byte unchanged"] * bool(kept)
    states += [f"{changed} changed"] * bool(changed)
    added, removed = (pluralize(len(each), "statement") for each in (diff.added, diff.removed))
    declarations = sum(statement.text.startswith("#defined") for statement in diff.added)
    counted = f"{pluralize(declarations, 'declaration')}, " if declarations else ""
    tokens = pluralize(diff.tokens, "token")
    gone = removed if diff.removed else "none"
    return f"{added} added ({counted}{tokens}), {gone} removed; {'; '.join(states)}"


def _ground_changes(diff: GroundDiff) -> str:
    if diff.kept == diff.before:
        parts = [f"all {pluralize(diff.before, 'rule')} kept"]
    else:
        parts = [f"of {pluralize(diff.before, 'rule')} {diff.kept} kept"]
        if diff.simplified:
            parts.append(f"{diff.simplified} simplified by grounding, because more atoms are facts")
        if diff.changed:
            parts.append(f"{diff.changed} changed ({_from(diff.altered)})")
    if diff.lost:
        parts.append(f"{_total(diff.lost)} removed ({_from(diff.lost)})")
    new = f" ({_from(diff.gained)})" if diff.gained else ""
    return "; ".join([*parts, f"{_total(diff.gained)} added{new}"])


def _total(lines: Sequence[LineCount]) -> str:
    """The numbers of rules and facts, without those that are zero; `no rules` if both are."""
    rules, facts = sum(each.rules for each in lines), sum(each.facts for each in lines)
    counts = [pluralize(count, what) for count, what in ((rules, "rule"), (facts, "fact")) if count]
    return " and ".join(counts) or "no rules"


def _from(lines: tuple[LineCount, ...]) -> str:
    """The numbers of rules and facts by file and line."""
    places: dict[str, list[str]] = {}
    for line in lines:
        number = f"line {line.line}: " if line.line else ""
        places.setdefault(line.place, []).append(number + _total([line]))
    return "; ".join(f"{place}, {', '.join(counts)}" for place, counts in places.items())


def _count(count: SolutionCount) -> str:
    def counted(number: int | None, exact: bool) -> str:
        return "not counted" if number is None else ("" if exact else "at least ") + str(number)

    before = counted(count.before, count.before_exact)
    after = counted(count.after, count.after_exact)
    grid = f"blank {count.size}x{count.size} grid" if count.blank else "this puzzle"
    return f"{grid}: {before} before, {after} after"


def _cells(row: ElaborationRow) -> tuple[str, ...]:
    text, ground = row.text_diff, row.ground_diff
    kept = f"{ground.kept}/{ground.before}"
    gone = ground.removed + ground.changed + ground.simplified
    numbers = len(text.added), len(text.removed), text.tokens, kept, gone, ground.added
    return (row.name + "*" * bool(row.example), row.kind, *map(str, (*numbers, *row.solutions)))


def table_header_text(base: RuleFile) -> str:
    """The lines above the rows of a table."""
    return f"Base: {base.place}\n\n{text.table_head(HEADINGS, _WIDTHS, 2)}"


def table_row_text(row: ElaborationRow) -> str:
    """A row of a table as one line."""
    return text.table_row(_cells(row), _WIDTHS, 2)


@dataclass(frozen=True, repr=False)
class ElaborationTables(Result):
    """A table of all rules over each base."""

    _kind = "elaborate-all"
    data: Sequence[ElaborationTable]

    @property
    def complete(self) -> bool:
        """Whether all rows were known at the time limit."""
        return all(table.complete for table in self.data)

    def _text(self) -> str:
        tables = (
            "\n".join([table_header_text(each.base), *map(table_row_text, each.rows)])
            for each in self.data
        )
        return "\n\n".join([*tables, self.notes()])

    def notes(self) -> str:
        """The removed statements and their replacements, and the legend."""
        lines = []
        for row in (row for table in self.data for row in table.rows if row.text_diff.removed):
            lines += [f"{row.name} had to replace:"]
            for sign, statements in (("-", row.text_diff.removed), ("+", row.text_diff.added)):
                located = (f"{each.place}:{each.line}: {each.text}" for each in statements)
                lines += [wrapped(f"  {sign} {each}", 4) for each in located]
            lines.append("")
        return "\n".join([*lines, wrapped(LEGEND)])

    def _json(self) -> dict[str, Any]:
        row = fields(
            "name title contract=kind added=text_diff.added removed=text_diff.removed"
            " tokens=text_diff.tokens"
        )
        ground = fields("before kept simplified changed removed added")
        search = fields("solutions example")

        def rows(table: ElaborationTable) -> list[dict[str, Any]]:
            return [
                row(each) | {"ground": ground(each.ground_diff)} | search(each)
                for each in table.rows
            ]

        return {"tables": [{"base": each.base.place, "rows": rows(each)} for each in self.data]}

    def to_html(self) -> str:
        """The tables as a self-contained HTML page."""
        from aspdoku.markup import render

        shown = [(table, [(row, _cells(row)) for row in table.rows]) for table in self.data]
        return render("elaboration_table.html.j2", tables=shown, headings=HEADINGS, legend=LEGEND)


def elaborate_all(
    time_limit: float | None = None, on_row: Callable[[str], object] = lambda _: None
) -> ElaborationTables:
    """The tables of all rules with a name, as far as they are known at the time limit.

    on_row: called with each row as text, the first one of a table below the header
    """
    bases: list[RuleFile] = []

    def found(base: RuleFile, row: ElaborationRow) -> None:
        if base not in bases:
            on_row("\n" * bool(bases) + table_header_text(base))
            bases.append(base)
        on_row(table_row_text(row))

    return ElaborationTables(elaboration_tables(library.available_rules(), time_limit, found))
