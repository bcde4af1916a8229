"""The page "Elaboration tolerance, measured": tables and pictures of what commands have measured.

The figures are those of the tables on the pages of elaborations and formalisms, which
`docs/build.py` makes, and of the files in `docs/measured`, which hold the output of `aspdoku
elaborate --puzzles`:

    python docs/tolerance.py bundled            one or two minutes
    python docs/tolerance.py others [FOLDER]    10 to 30 minutes; the default is ../shared/data
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import log10
from pathlib import Path
from typing import Any, NamedTuple

from aspdoku.lecture.tolerance import FATES, UNTOUCHED
from aspdoku.questions.tolerance import EACH

ROOT = Path(__file__).resolve().parents[1]
MEASURED = ROOT / "docs" / "measured"
# Those of others are not part of the repository, only their figures.
OTHERS = ("puzzles.jsonl", "links.jsonl", "hard.jsonl", "hardest.txt", "clues-17.txt")
BASES = ("asp/base.lp", "asp/slides/base.lp")
NAMES = {BASES[0]: "our base", BASES[1]: "the slides' base"}
# Statements that a puzzle adds: the last number of each bar but the last.
_BINS = (1, 2, 4, 8, 16, 32)
_ROW = 22  # pixels of a bar


class Rule(NamedTuple):
    """A row of `aspdoku elaborate --all`; counts are those of its columns."""

    name: str
    contract: str
    added: int
    removed: int
    kept: int
    before: int
    gone: int
    new: int
    solutions: tuple[int, int]

    @property
    def keeps_base(self) -> bool:
        """Whether all ground rules of the base remain, of which there are some."""
        return 0 < self.before == self.kept


def rules(elaborations: str) -> dict[str, list[Rule]]:
    """The rows of the table of all rules on the page of elaborations, by base."""
    _, _, table = elaborations.partition("\n$ aspdoku elaborate --all\n")
    found: dict[str, list[Rule]] = {}
    for line in table.partition("\n```")[0].splitlines():
        words = line.split()
        if words[:1] == ["Base:"]:
            found[words[1]] = []
        elif row := re.fullmatch(r"(.+?)\*? +([a-z]+)((?: +[\d/]+){8})", line):
            added, removed, _, kept, gone, new, *solutions = row[3].split()
            part, whole = map(int, kept.split("/"))
            numbers = int(added), int(removed), part, whole, int(gone), int(new)
            rule = Rule(row[1], row[2], *numbers, (int(solutions[0]), int(solutions[1])))
            found[next(reversed(found))].append(rule)
    return found


def formalisms() -> tuple[list[str], list[tuple[str, list[str]]]]:
    """The headings of the table of formalisms, and the title and cells of each row."""
    text = (ROOT / "docs" / "formalisms.md").read_text("utf-8")
    lines = [line for line in text.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    last = next(number for number, row in enumerate(rows) if len(row) != len(rows[0]))
    return rows[0][1:], [(title, cells) for title, *cells in rows[2:last]]


def collections() -> list[dict[str, Any]]:
    """The measured collections, the bundled ones first."""
    files = (MEASURED / f"{name}.json" for name in ("bundled", "others"))
    return [row for file in files for row in json.loads(file.read_text("utf-8"))["collections"]]


def pages(elaborations: str) -> Iterator[tuple[str, str]]:
    """The page and its pictures, by file. The page of elaborations has the table of all rules."""
    measured, known = collections(), rules(elaborations)
    columns, engines = formalisms()
    variants = _variants(measured)
    yield "tolerance-fates.svg", _fates(variants)
    yield "tolerance-statements.svg", _statements(variants)
    for base, name in zip(BASES, ("ours", "slides"), strict=True):
        yield f"tolerance-rules-{name}.svg", _dots(known[base], NAMES[base])
    yield "tolerance-formalisms.svg", _changes(columns, engines)
    yield "tolerance.md", _page(measured, known, columns, engines)


def _page(
    measured: list[dict[str, Any]],
    known: Mapping[str, list[Rule]],
    columns: list[str],
    engines: list[tuple[str, list[str]]],
) -> str:
    variants = _variants(measured)
    classics = [row for row in measured if row not in variants]
    others = [row for row in measured if not row["name"].startswith("instances")]
    ours, slides = (_totals(variants, base) for base in BASES)
    return _TEXT.format(
        rules=_rule_sentences(known),
        rule_table=_markdown(("", *NAMES.values()), _rule_rows(known)),
        untouched=_of(ours, UNTOUCHED),
        untouched_slides=_of(slides, UNTOUCHED),
        kept=_of(ours, ["kept"]),
        kept_slides=_of(slides, ["kept"]),
        edited=_of(slides, ["edited"]),
        unfit=_of(slides, ["unfit"]),
        open=_of(slides, ["open"]),
        classics=_of(_totals(classics, BASES[0]), ["kept"]),
        classics_slides=_of(_totals(classics, BASES[1]), ["kept"]),
        each=EACH,
        open_others=sum(row["fates"]["open"] for row in others),
        open_bundled=sum(row["fates"]["open"] for row in measured if row not in others),
        unread=sum(row["puzzles"] - row["read"] for row in measured if row["base"] == BASES[0]),
        none=_numbers(variants, BASES[0], "added")[0],
        fate_table=_markdown(
            ("collection, format", "base", "puzzles", "read", "added", "ground", *FATES, "gone"),
            map(_collection_cells, measured),
        ),
        formalism_table=_markdown(("", *columns), ((title, *cells) for title, cells in engines)),
        removing=_removing(columns, engines),
    )


def _totals(measured: Iterable[dict[str, Any]], base: str) -> Counter[str]:
    total = Counter[str]()
    for row in measured:
        if row["base"] == base:
            total.update(row["fates"])
    return total


def _of(total: Counter[str], fates: Iterable[str]) -> str:
    part = sum(total[fate] for fate in fates)
    return f"{part} of {total.total()} ({_percent(part, total.total())})"


def _percent(part: int, whole: int) -> str:
    """A share that is 100 % only if it is the whole."""
    share = 100 * part / whole
    return f"{share:.0f} %" if part == whole or share < 99.5 else f"{int(share * 10) / 10} %"


def _variants(measured: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The collections with a puzzle whose rules add a statement to our base."""
    rows = list(measured)
    named = {
        (row["name"], row["format"])
        for row in rows
        if row["base"] == BASES[0] and any(number for number, _ in row["added"])
    }
    return [row for row in rows if (row["name"], row["format"]) in named]


def _numbers(measured: Iterable[dict[str, Any]], base: str, key: str) -> Counter[int]:
    """How many puzzles have each number."""
    found = Counter[int]()
    for row in measured:
        if row["base"] == base:
            found.update(dict(map(tuple, row[key])))
    return found


def _rule_rows(known: Mapping[str, list[Rule]]) -> Iterator[tuple[str, ...]]:
    ours = {rule.name: rule.solutions[1] for rule in known[BASES[0]]}
    asked: dict[str, Callable[[Rule], bool]] = {
        "rules, and dropping the boxes": bool,
        "base byte for byte untouched": lambda rule: rule.contract != "surgery",
        "all ground rules of the base kept": lambda rule: rule.keeps_base,
        "*restricts*": lambda rule: rule.contract == "restricts",
        "*extends*": lambda rule: rule.contract == "extends",
        "*parameter* or *redefines*": lambda rule: rule.contract in ("parameter", "redefines"),
        "as many 4x4 solutions as over our base": (
            lambda rule: rule.solutions[1] == ours.get(rule.name)
        ),
        "of these, none": lambda rule: rule.solutions[1] == ours.get(rule.name) == 0,
    }
    for words, test in asked.items():
        numbers = (sum(map(test, known[base])) for base in BASES)
        yield words, *map(str, numbers)
    for words, key in (("statements added", "added"), ("ground rules added", "new")):
        texts = (_middle(Counter(getattr(rule, key) for rule in known[base])) for base in BASES)
        yield f"{words}: median, most", *texts


def _rule_sentences(known: Mapping[str, list[Rule]]) -> str:
    sentences = []
    ours = {rule.name: rule.solutions[1] for rule in known[BASES[0]]}
    for base, rows in known.items():
        removed = [rule.name for rule in rows if rule.removed]
        lost = [rule.name for rule in rows if not rule.keeps_base]
        others = [rule.name for rule in rows if rule.solutions[1] != ours[rule.name]]
        sentences.append(
            f"Over {NAMES[base]}, {len(rows) - len(removed)} of {len(rows)} elaborations"
            f" remove no statement{_except(removed)}, and {len(rows) - len(lost)} keep all ground"
            f" rules of the base{_except(lost)}."
        )
        if others:
            sentences.append(
                f"With {_names(others)}, the number of 4x4 solutions differs from that over our"
                " base: there, the rule has another effect, for example because this base does not"
                " provide for its exceptions, or has no ground rules for a grid that no boxes fit."
            )
    return " ".join(sentences)


def _except(names: Sequence[str]) -> str:
    return f" (all but {_names(names)})" if names else ""


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _collection_cells(row: dict[str, Any]) -> list[str]:
    middles = (_middle(dict(map(tuple, row[key]))) for key in ("added", "new", "gone"))
    added, new, gone = middles
    fates = (str(row["fates"][fate]) for fate in FATES)
    base = "ours" if row["base"] == BASES[0] else "slides"
    name = f"{row['name']}, {row['format']}"
    return [name, base, str(row["puzzles"]), str(row["read"]), added, new, *fates, gone]


def _middle(numbers: Mapping[int, int]) -> str:
    every = sorted(Counter(numbers).elements())
    return f"{every[(len(every) - 1) // 2]}, {every[-1]}" if every else "–"


def _removing(columns: list[str], engines: list[tuple[str, list[str]]]) -> str:
    """How many encodings remove statements for each elaboration, of those that have figures."""
    parts = []
    for index, column in enumerate(columns):
        found = [_signed(cells[index]) for _, cells in engines]
        figures = [each for each in found if each]
        parts.append(f"{column} {sum(bool(removed) for _, removed in figures)} of {len(figures)}")
    return ", ".join(parts)


def _signed(cell: str) -> tuple[int, int] | None:
    """The statements added and removed; None if the cell has no figures."""
    if cell == "0":
        return 0, 0
    found = re.fullmatch(r"\+(\d+) −(\d+)", cell)
    return (int(found[1]), int(found[2])) if found else None


def _markdown(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = list(headings)
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *map(list, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


# ---- Pictures: positions in percent, so that they fit any width, and texts keep their size ----


def _chart(height: int, title: str, parts: Iterable[str]) -> str:
    content = "\n".join(parts)
    return (
        f'<svg class="chart" role="img" aria-label="{title}" width="100%" height="{height}">\n'
        f"{content}\n</svg>\n"
    )


def _text(x: float, y: float, words: object, kind: str = "", anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x:.2f}%" y="{y:g}" text-anchor="{anchor}">{words}</text>'


def _bar(x: float, y: float, width: float, kind: str, title: str, height: int = 14) -> str:
    place = f'x="{x:.2f}%" y="{y:g}" width="{width:.2f}%" height="{height}"'
    return f'<rect class="{kind}" {place}><title>{title}</title></rect>'


def _fates(measured: list[dict[str, Any]]) -> str:
    """For each base, the puzzles by what becomes of it, with a legend; classics are a bar too."""
    parts, y = [], 0
    for base in BASES:
        total = _totals(measured, base)
        parts.append(_text(0, y + 14, f"{total.total()} puzzles over {NAMES[base]}", "strong"))
        y += 22
        for fate in FATES:
            width = 45 * total[fate] / total.total()
            parts.append(_bar(0, y, max(width, 0.2) if total[fate] else 0, fate, fate))
            share = f"{total[fate]}"
            parts.append(_text(width + 1, y + 12, f"{share} {fate}"))
            y += _ROW
        y += 8
    return _chart(y, "Puzzles by what becomes of each base", parts)


def _statements(measured: list[dict[str, Any]]) -> str:
    """For each number of added statements, how many puzzles add them over each base."""
    counts = [_numbers(measured, base, "added") for base in BASES]
    limits = [*zip((1, *(end + 1 for end in _BINS)), (*_BINS, 10**9), strict=True)]
    binned = [
        [sum(n for k, n in each.items() if a <= k <= b) for a, b in limits] for each in counts
    ]
    most = max(map(max, binned))
    parts, y = [_text(0, 12, "statements"), _text(24, 12, "puzzles")], 22
    for index, (first, last) in enumerate(limits):
        if first > _BINS[-1]:
            name = f"{first} or more"
        else:
            name = str(first) if first == last else f"{first}–{last}"
        parts.append(_text(0, y + 20, name))
        for kind, numbers, base in zip(("ours", "slides"), binned, BASES, strict=True):
            width = 60 * numbers[index] / most
            parts.append(_bar(24, y, width, kind, f"{numbers[index]} over {NAMES[base]}"))
            parts.append(_text(25 + width, y + 12, f"{numbers[index]} {kind}"))
            y += 16
        y += 10
    return _chart(y, "Puzzles by the number of statements that their rules add", parts)


def _dots(rows: list[Rule], base: str) -> str:
    """A dot for each rule, stacked over the logarithm of the ground rules that it adds; below the
    line, those that do not keep all ground rules of the base.
    """
    steps, most = 24, 5.0
    piles: dict[tuple[bool, int], int] = {}
    places = []
    for rule in sorted(rows, key=lambda rule: rule.new):
        lost = not rule.keeps_base
        pile = min(steps - 1, int(log10(1 + rule.new) / most * steps))
        piles[lost, pile] = piles.get((lost, pile), 0) + 1
        places.append((rule, lost, pile, piles[lost, pile]))
    above = 9 * max((n for (lost, _), n in piles.items() if not lost), default=0) + 34
    below = 9 * max((n for (lost, _), n in piles.items() if lost), default=0) + 12
    keep = sum(not lost for _, lost, _, _ in places)
    parts = [
        _text(0, 12, f"{base}: {keep} of {len(rows)} keep all ground rules", "strong"),
        f'<line x1="0" x2="100%" y1="{above}" y2="{above}"/>',
    ]
    for rule, lost, pile, number in places:
        x = 2 + 96 * (pile + 0.5) / steps
        y = above + 9 * number if lost else above - 9 * number + 2
        title = f"{rule.name}: {rule.new} added, {rule.kept} of {rule.before} kept"
        parts.append(
            f'<circle class="{"lost" if lost else "kept"}" cx="{x:.2f}%" cy="{y}" r="4">'
            f"<title>{title}</title></circle>"
        )
    floor = above + below + 10
    for power in range(5):
        x = 2 + 96 * log10(1 + 10**power) / most
        parts.append(_text(x, floor, f"{10**power}", "", "middle"))
    parts.append(_text(0, floor + 18, "ground rules added"))
    return _chart(floor + 24, f"Rules by the ground rules that they add to {base}", parts)


def _changes(columns: list[str], engines: list[tuple[str, list[str]]]) -> str:
    """Statements removed, to the left, and added, to the right, on a logarithmic scale."""
    parts: list[str] = []
    y, middle, unit = 0, 66.0, 3.8  # percent for a power of ten
    for index, column in enumerate(columns):
        parts.append(_text(0, y + 14, column, "strong"))
        if not index:
            parts.append(_text(middle - 1, y + 14, "removed", "", "end"))
            parts.append(_text(middle + 1, y + 14, "added"))
        y += 20
        for title, cells in engines:
            figures = _signed(cells[index])
            name = title.replace("(ground)", "").replace("Propositional logic", "Clauses")
            short = name.replace("our reading, ", "").replace("cells that see each other", "sees")
            parts.append(_text(0, y + 12, short.replace('"', "").strip()))
            if figures is None:
                parts.append(_text(middle + 1, y + 12, "no figures"))
            else:
                for number, side in zip(figures, (1, -1), strict=True):
                    width = unit * log10(1 + number)
                    x = middle if side > 0 else middle - width
                    kind = "added" if side > 0 else "removed"
                    parts.append(_bar(x, y, width, kind, f"{number} {kind}"))
                    anchor = "start" if side > 0 else "end"
                    place = middle + side * (width + 0.8)
                    parts.append(_text(place, y + 12, number, "", anchor))
            y += _ROW - 4
        y += 10
    return _chart(y, "Statements added and removed in each formalism", parts)


_TEXT = """# Elaboration tolerance, measured

An encoding is *elaboration tolerant* to the extent that it is convenient to modify it for new
circumstances (McCarthy 1998). The simplest way is to add to it, without editing it. This page
measures how far that suffices: for each bundled rule, for each puzzle of some collections, and for
the same rules in other formalisms.

## The answer

A rule is a file that is added, and aspdoku never edits its base. That our base is untouched only
says that these rules and puzzles can be stated by additions. What is measured is whether ground
rules of the base are lost, and whether additions suffice over a base that was not written for them.

An elaboration in these counts is a rule, or the retraction of the boxes. {rules}

Of the puzzles in collections with variants, over our base {untouched} leave the text of the base
untouched byte for byte, and {kept} also keep all its ground rules. Over the slides' base, at least
{untouched_slides} leave the text, and at least {kept_slides} also keep the ground rules: {edited}
need an edit, {unfit} are not fitted by any text that we have, and {open} are not known in time.
The other collections have only classic sudokus, whose rules add nothing: text and ground rules are
kept by {classics} over our base and {classics_slides} over the slides'.

## Rules

`aspdoku elaborate --all` ([the whole table](elaborations.md#all-elaborations))

{rule_table}

Ground rules are those of a blank 9x9 grid, with the example inputs of the rule file.

Each dot is a rule. Above the line are those that keep each ground rule of the base, below it those
that do not. To the right are those that add more ground rules.

```{{raw}} html
:file: tolerance-rules-ours.svg
```

```{{raw}} html
:file: tolerance-rules-slides.svg
```

## Puzzles

`aspdoku elaborate --puzzles instances`, and the same with files of puzzles of others, which are not
part of the repository

```{{raw}} html
:file: tolerance-fates.svg
```

What becomes of a base: *kept*, its text is there byte for byte and so are all its ground rules;
*retracted*, the text is, but facts such as `ab(box).` retract ground rules; *changed*, ground rules
are lost without such a fact; *edited*, statements had to be removed; *unfit*, the program over this
base does not have the puzzle's answer, or we have no edited base that could; *open*, not known
within the time limit, or without a solution to be compared. Over our base, nothing is *unfit*: its
program is what the other one is compared with. *read*: the puzzles that are read completely and
have a program; {unread} texts that are not are not counted, and may need more than additions.

The picture leaves out the collections that have only classic sudokus. In the others, the rules of
{none} puzzles add no statement to our base, and those of the rest:

```{{raw}} html
:file: tolerance-statements.svg
```

*added*: statements added beyond the base, without the clues; *ground*: ground rules added; *gone*:
ground rules of the base that are lost, of the puzzles that lose any. Each is the median and the
largest number, without puzzles that are *unfit* or *open*: where there are some, those of the two
bases are of different puzzles.

{fate_table}

The rows of `instances` are made by `python docs/tolerance.py bundled`, the others by
`python docs/tolerance.py others FOLDER`, with the files of that name in a folder; that took half an
hour. Each question about a puzzle has {each:g} seconds, which {open_others} puzzles of others and
{open_bundled} of `instances` exceed over the slides' base. A slower machine leaves more of them
*open*, and then the rows differ.

## Other formalisms

`aspdoku compare --table` ([with the reasons of empty cells](../formalisms.md#the-table)), for the
rules that have an encoding in each formalism; other rules have no encoding there, and no figures
here. How many of the encodings with figures remove statements: {removing}.

The scale is logarithmic, because ground encodings (OWL, clauses) have thousands of statements; it
compares encodings of one formalism, not formalisms: each language has statements of its own kind.

```{{raw}} html
:file: tolerance-formalisms.svg
```

{formalism_table}

## The method

- **A base** is a classic sudoku: `asp/base.lp` with the default rules, or `asp/slides/base.lp`, the
  text of the slides with names for its numbers. A puzzle or rule is measured against the base of
  the same size, with the same clues.
- **A statement** is what clingo's parser calls one: a rule, a fact, a declaration `#defined`, not a
  comment. Two are the same if clingo prints them in the same way. Files of vocabulary that a rule
  declares count as added, as do facts for exceptions and retractions; clues and givens do not
  count; nor does what only speeds up the search.
- **Untouched** means that the program that is run contains the text of each file of the base byte
  for byte, and that no statement is removed.
- **Ground rules** are those that clingo reports to an observer, with auxiliary atoms replaced by
  their definitions, and without facts. They are compared as a multiset. A ground rule is kept if it
  is in both programs. For puzzles, the givens are left out: they would shorten ground rules of
  both.
- **That nothing else changes** follows for *restricts* and *extends* from the splitting set theorem
  (Lifschitz and Turner 1994): no head of the rule occurs in the base, so that its answer sets are
  filtered or extended. The figures do not rest on it: they are counts.
- **Whether a base fits** a puzzle is tested, not assumed: the program over the slides' base has to
  have the same unique solution as ours, or, if there are several, a hundred random solutions of
  each have to be solutions of the other, which is no proof that all are. Without a solution, the
  programs are compared without givens.

## The limits

- Our base was written to be added to, with a place for exceptions in each rule; the slides' text
  was written for one game. The comparison shows what this preparation gives, not that the slides
  are at fault.
- Our rules are written for our base. That of the slides has four statements that are not on the
  slides, with the names of rows, columns, numbers and cells that our rules need. Rules written for
  the slides could be shorter or longer.
- Over the slides' base, the only edited base that we have is the one without boxes. Puzzles without
  rows or columns, with unused cells or with other numbers are *unfit*, although other edits could
  make it fit.
- Regions of a puzzle's own (a jigsaw) are facts over our base. Over the slides' base they take that
  edit, and our rule about boxes.
- Other sizes and numbers are part of an instance in both programs. What it takes to change the size
  of a text that has a fixed 9 is in the table of formalisms.
- What is *open* depends on the machine: each search has 5 seconds, and our machine is shared. Over
  the slides' base, where nothing speeds up the search, hard puzzles take longer than that.
- Counts of 4x4 solutions that agree are no proof that two programs have the same solutions, least
  of all if there is none.
- Rules with inputs are counted with one example, not with all inputs: the numbers of ground rules
  depend on it.
- The collections are not a random sample of puzzles. The bundled ones were made for our rules,
  one for each at least. The classic ones are many and add nothing.
- What counts as one statement is a matter of the language. OWL and clauses are ground: their
  generators would have to be elaborated.
"""


def main(name: str = "bundled", folder: str = "../shared/data") -> None:
    """Measure the bundled puzzles, or the files of others in this folder."""
    if name not in ("bundled", "others"):
        sys.exit(f"{__doc__}")
    files = [Path(folder) / file for file in OTHERS] if name == "others" else [Path("instances")]
    options = [word for file in files for word in ("--puzzles", str(file))]
    command = [sys.executable, "-m", "aspdoku", "elaborate", "--format", "json", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    write(name, json.loads(done.stdout))


def write(name: str, document: dict[str, Any]) -> None:
    """Write a result, a line for each collection and base."""
    rows = ",\n".join(json.dumps(row) for row in document.pop("collections"))
    text = f'{json.dumps(document)[:-1]}, "collections": [\n{rows}\n]}}\n'
    (MEASURED / f"{name}.json").write_text(text, "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
