"""What all results have in common: text, JSON, pages, and the parts of a puzzle that were not read.

JSON is encoded by the type of a value: `encoded.register(Type, fields("name line file=place"))`
in the module of a question says which attributes of a `Type` its object has.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import singledispatch
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeAlias

from aspdoku.errors import AspdokuError
from aspdoku.program import Program
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.render import shortened
from aspdoku.questions.text import unwrapped
from aspdoku.writing import write

if TYPE_CHECKING:
    from aspdoku.drawing import Picture
    from aspdoku.engine.solver import SearchEnd, SearchOutcome, SearchStatus
    from aspdoku.puzzle.puzzle import Cell, GridLike

Pictures: TypeAlias = "Iterable[Picture]"
SCHEMA_VERSION = 1
# Why a search ended early.
STOPPED = {"time": "the time limit was reached", "interrupted": "interrupted"}
ENDED = {"time": "time limit reached", "interrupted": "interrupted"}


@singledispatch
def encoded(value: object) -> Any:
    """A value as in JSON. Tuples and sets become lists, named tuples and mappings objects."""
    return value


@encoded.register(tuple)
def _(value: tuple[object, ...]) -> Any:
    return encoded(value._asdict()) if hasattr(value, "_asdict") else list(map(encoded, value))


encoded.register(list, lambda values: list(map(encoded, values)))
encoded.register(Set, lambda values: list(map(encoded, sorted(values))))
encoded.register(Mapping, lambda value: {key: encoded(each) for key, each in value.items()})
encoded.register(Function, lambda fact: f"{fact}.")
encoded.register(Solution, lambda solution: encoded(solution.rows))


def fields(names: str) -> Callable[[object], dict[str, Any]]:
    """The function that encodes these attributes of an object, as in `name line file=place`."""
    pairs = (name.partition("=") for name in names.split())
    getters = {key: attrgetter(attribute or key) for key, _, attribute in pairs}
    return lambda value: {key: encoded(get(value)) for key, get in getters.items()}


def tagged(kind: str, result: Mapping[str, object], puzzle: Puzzle | None = None) -> dict[str, Any]:
    """A result as JSON, with its kind, the version of the schema, and what is unsupported and
    assumed.
    """
    parts = fields("unsupported assumed")(puzzle) if puzzle else {}
    schema = {"schema": f"aspdoku/{kind}/{SCHEMA_VERSION}"}
    qualified = {name: texts for name, texts in parts.items() if texts}
    document: dict[str, Any] = encoded({**schema, **result, **qualified})
    return document


def assumptions(puzzle: Puzzle | None) -> list[str]:
    """What was assumed about a puzzle, for a page; commands print it as warnings."""
    return [f"assumed: {each}" for each in puzzle.assumed] if puzzle else []


class Table(NamedTuple):
    """A table of a page; `numbers` are the columns with numbers, counted from 0."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...] = ()


class Verdict(NamedTuple):
    """The answer in a few words: whether it holds ("unique"), does not ("none"), or neither."""

    words: str
    state: Literal["unique", "none", ""] = ""


class Bar(NamedTuple):
    """A number as a bar of a page, of the kind "good", "lax", "strict" or "other"."""

    name: str
    number: int
    kind: str


class Section(NamedTuple):
    """A part of a result: its text and pictures, and how a page shows them.

    words: what a page shows of the text as prose, whose indentation is kept; None for all of it
    code: what it shows of the text as lines whose columns are kept
    changes: what it shows of the text as a diff
    table: a table that a page shows; a first cell that is the heading of a section links to it
    """

    text: str
    pictures: tuple[Picture, ...] = ()
    heading: str = ""
    words: str | None = None
    code: str = ""
    changes: str = ""
    table: Table | None = None
    verdict: Verdict | None = None
    bars: tuple[Bar, ...] = ()


def in_columns(text: str, heading: str = "") -> Section:
    """A section whose text has columns, such as a grid or a program."""
    return Section(text, heading=heading, words="", code=text)


def junit(suite: str, of: str, cases: Sequence[Mapping[str, str]]) -> str:
    """A test suite in JUnit's XML. A case has a `name`, a `verdict`, a `reason` and a `text`; its
    `kind` is "failure", "error" or "".
    """
    from aspdoku.markup import render

    kinds = [each["kind"] for each in cases]
    counts = {"failures": kinds.count("failure"), "errors": kinds.count("error")}
    return render("grading.xml.j2", suite=suite, of=of, cases=cases, **counts)


def result_page(title: str, sections: Iterable[Section], verdict: Verdict | None = None) -> str:
    """A self-contained page."""
    from aspdoku.markup import render  # text does without pages

    sections = list(sections)
    numbered = reversed([*enumerate(sections)])  # a heading that occurs twice means the first
    ids = {each.heading: f"section-{place}" for place, each in numbered if each.heading}
    shown = [(each, _drawings(each), _lines(each)) for each in sections]
    return render("result.html.j2", title=title, sections=shown, ids=ids, verdict=verdict)


def result_part(section: Section) -> str:
    """What a notebook displays."""
    from aspdoku.markup import render

    return render("notebook.html.j2", drawings=_drawings(section), words=section.text)


def _drawings(section: Section) -> list[str]:
    from aspdoku.drawing.output import svg

    return [svg(picture, inline=True) for picture in section.pictures]


def _lines(section: Section) -> list[tuple[int, str]]:
    """The lines of the words, each with its indentation."""
    words = section.text if section.words is None else section.words
    lines = words.split("\n") if words else []
    return [(len(line) - len(line.lstrip(" ")), line.lstrip(" ")) for line in lines]


def figure(
    program: Program,
    grid: GridLike | None = None,
    *,
    cells: Iterable[Cell] = (),
    numbers: Mapping[Cell, int] | None = None,
    candidates: Mapping[Cell, Iterable[int]] | None = None,
    heat: Mapping[Cell, int] | None = None,
    labels: bool = True,
    title: str | None = None,
) -> Picture:
    """The picture of a program's puzzle for a result in a notebook, without captions.

    grid: a solution to draw instead; cells: to highlight; heat: counts that shade cells
    title: the text above the picture instead of the title of the puzzle
    Raises RuleError for an invalid style, TimeLimitError.
    """
    from aspdoku.drawing import NOTEBOOK_SECONDS, Marks, picture_of_program

    marks = Marks(numbers or {}, candidates or {}, frozenset(cells), labels, heat or {})
    return picture_of_program(
        program, grid, marks, captions=False, title=title, time_limit=NOTEBOOK_SECONDS
    )


def drawn(program: Program, grid: GridLike, cells: Iterable[Cell]) -> tuple[Picture, ...]:
    """The picture; none with an invalid style, or without time to ground what a style draws."""
    try:
        return (figure(program, grid, cells=cells),)
    except AspdokuError:
        return ()


class Result(ABC):
    """A frozen result.

    `str(result)` is what the command prints, `to_json()` and `to_html()` what it prints with
    `--format json` and `--format html`, and a notebook shows the pictures above the words.
    """

    _heading: ClassVar[str] = "Sudoku"
    """The title of the page, unless `_title` is another."""
    _kind: ClassVar[str]
    """The name of its schema."""
    _fields: ClassVar[str]
    """The attributes in its JSON, for `fields`, unless `_json` says more."""

    @abstractmethod
    def _text(self) -> str:
        """The text; `str` adds the caveat, unless the text has it."""

    def __str__(self) -> str:
        return self._with_caveat(self._text())

    def _with_caveat(self, text: str) -> str:
        """The text, with a last line that names what is unsupported unless the text does."""
        caveat = self._caveat().lstrip(" -")
        said = not caveat or " ".join(caveat.split()) in " ".join(text.split())
        return text if said else f"{text}\n{caveat}"

    def __repr__(self) -> str:
        caveat = self._caveat()
        summary = shortened(self._summary().replace(caveat, "") if caveat else self._summary())
        return f"<{type(self).__name__}: {summary}{caveat}>"

    def _puzzle(self) -> Puzzle | None:
        """The puzzle that the result is about: what is unsupported in it qualifies the result."""
        about = getattr(self, "outcome", None) or getattr(self, "program", None)
        puzzle = about and about.puzzle
        return puzzle and puzzle.doubted(getattr(self, "status", ""))

    def _caveat(self) -> str:
        """What qualifies the result; `repr` never shortens it."""
        puzzle = self._puzzle()
        return puzzle.caveat if puzzle else ""

    def _summary(self) -> str:
        """The result in one line."""
        return self._words().partition("\n")[0]

    def to_json(self) -> dict[str, Any]:
        """The result as a dictionary of what JSON has: lists, no tuples."""
        return tagged(self._kind, self._json(), self._puzzle())

    def _json(self) -> dict[str, Any]:
        """The result for `encoded`."""
        return fields(self._fields)(self)

    def to_html(self) -> str:
        """A self-contained page with the pictures and the words."""
        assumed = assumptions(self._puzzle())
        sections = [*self.sections(), *([Section("\n".join(assumed))] if assumed else [])]
        return result_page(self._title(), sections, self._first_line())

    def to_svg(self) -> str:
        """The first picture as SVG."""
        from aspdoku.drawing.output import svg

        return svg(next(iter(self._pictures())))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, whose suffix is .html or .htm.

        Raises AspdokuError for another suffix, OSError if it cannot be written.
        """
        if Path(path).suffix.lower() not in (".html", ".htm"):
            raise AspdokuError(f"{os.fspath(path)} would be a page: use the suffix .html")
        write(Path(path), self.to_html())

    def _repr_html_(self) -> str:
        return "\n".join(map(result_part, self.sections()))

    def _title(self) -> str:
        return self._heading

    def _first_line(self) -> Verdict | None:
        """The line below the title of a page."""
        return None

    def _pictures(self) -> Pictures:
        """The pictures of a page or notebook: the puzzle, or the grids of the result."""
        return ()

    def _words(self) -> str:
        """The text next to the pictures: without the grids in them."""
        return str(self)

    def sections(self) -> list[Section]:
        """The parts of a page, each with its pictures and words."""
        try:
            pictures = tuple(self._pictures())
        except AspdokuError:  # an invalid style, or no time to ground what a style draws
            pictures = ()
        with unwrapped():
            return [Section(self._words(), pictures) if pictures else in_columns(str(self))]


@dataclass(frozen=True, repr=False)
class ProgramResult(Result):
    """A result about a program."""

    program: Program = field(repr=False, compare=False)


@dataclass(frozen=True, repr=False)
class SearchResult(ProgramResult):
    """A result that rests on a search for the solutions of a puzzle.

    program: what was solved
    outcome: how many solutions there are, and how the search ended
    """

    outcome: SearchOutcome

    @property
    def status(self) -> SearchStatus:
        """What is proved: "none", "unique", "several", "some" (at least one) or "unknown"."""
        return self.outcome.status

    @property
    def ended(self) -> SearchEnd | None:
        """Why the search ended: "complete", "limit", "time" or "interrupted"."""
        return self.outcome.ended
