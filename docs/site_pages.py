"""The pages of the site that are made of what the package knows: rules, commands, schemas, the API.

They are written into `docs/rules` and `docs/reference`, which are not part of the repository.
"""

from __future__ import annotations

import html
import importlib
import inspect
import json
import re
import shutil
import warnings
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import click
import tolerance

import aspdoku
import build
from aspdoku import RuleFile
from aspdoku.cli import MODULES, THEMES
from aspdoku.formats import lisudoku, registry, sudokupad
from aspdoku.formats.detection import examples
from aspdoku.formats.fpuzzles import table as fpuzzles
from aspdoku.lesson import bundled_lessons
from aspdoku.program.library import available_rules
from aspdoku.web.game import game
from aspdoku.web.page import ENGINE, STYLES, embedded, parts, rules_to_add, script_in_page, static
from aspdoku.words import words_files

ROOT = Path(__file__).resolve().parents[1]
# The kinds of shapes in a picture of a blank grid with a caption.
_KIND = re.compile(r'class="(\w+)"')
_BLANK = {"grid", "border", "frame", "note"}
# What axe-core finds in the pages of Sphinx and Furo, and what it becomes.
_MENDED = {
    'role="heading">': 'role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="Pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="On this page">',
    '<div id="search-results">': '<h1>Search</h1><div id="search-results">',
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    '<th class="head"><p></p></th>': "<td></td>",
}
# Links from docs/ to files outside of it, and the pages with their content.
_MOVED = {
    "../CONTRIBUTING.md": "reference/contributing.md",
    "../instances/lessons/hour.md": "hour.md",
    "../instances/lessons/fifteen.md": "hour.md",
}
_FRAME = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="aspdoku.css">
</head>
<body>
<main><aspdoku-live><script type="application/json">{data}</script></aspdoku-live></main>
<script src="aspdoku.js"></script>
</body>
</html>
"""
# A module cannot be loaded from a disk, so that this script is a classic one.
_SHARED = """(() => {{
for (const [id, textContent] of Object.entries({engine})) {{
  const holder = {{type: "text/plain", id, textContent}};
  document.body.append(Object.assign(document.createElement("script"), holder));
}}
const data = document.querySelector("aspdoku-live > script");
data.textContent = JSON.stringify({{...JSON.parse(data.textContent), ...{shared}}});
{script}
}})();
"""


def write_sources(docs: Path) -> None:
    """Write the generated pages; those that have not changed are left alone."""
    pages = {
        **{f"rules/{name}": text for name, text in _rules()},
        "reference/commands.md": _commands(),
        "reference/schemas.md": _schemas(),
        "reference/api.md": _api(),
        "reference/format-list.md": _formats(),
        "reference/benchmarks.md": _benchmarks(),
        "reference/contributing.md": _contributing(),
        **{f"reference/{name}.md": _reports(docs, name) for name in build.PAGES},
        **{
            f"reference/{name}": text
            for name, text in tolerance.pages(_reports(docs, "elaborations"))
        },
    }
    for folder in ("rules", "reference"):
        for file in (docs / folder).glob("*"):
            if f"{folder}/{file.name}" not in pages:
                file.unlink()
    for name, text in pages.items():
        file = docs / name
        file.parent.mkdir(exist_ok=True)
        if not file.exists() or file.read_text("utf-8") != text:
            file.write_text(text, "utf-8")


def _rules() -> Iterator[tuple[str, str]]:
    """The page of each rule and its picture, by file."""
    named = {name: aspdoku.parse(file.read_text("utf-8")) for name, file in examples().items()}
    for rule in available_rules():
        fitting = (name for name, puzzle in named.items() if rule.name in puzzle.elaborations)
        puzzle = rule.name if rule.name in named else next(fitting, "")
        drawing = picture(rule)
        if drawing:
            yield f"{rule.name}.svg", drawing
        yield f"{rule.name}.md", _rule(rule, puzzle, bool(drawing))


def _rule(rule: RuleFile, puzzle: str, is_drawn: bool) -> str:
    head, _, _ = rule.text.partition("\n\n")
    more = " ".join(line.strip("% ") for line in head.splitlines()[1:]).strip()
    sections = [f"# {rule.name}", rule.title, *([more] if more else [])]
    if is_drawn:
        sections.append(f"![A puzzle with {rule.name}]({rule.name}.svg)")
    if rule.inputs:
        rows = [f"| `{item}` | {item.meaning} |" for item in rule.inputs]
        sections += ["## Inputs", "\n".join(["| input | meaning |", "|---|---|", *rows])]
    sections += ["## Text", f"`aspdoku rules {rule.name}`", _block("prolog", rule.text)]
    symbol = rule.name.replace("-", "_")
    exceptions = re.findall(rf"not (ab\({symbol},(?:\([^()]*\)|[^()])*\))", rule.code)
    if exceptions:
        facts = ", ".join(f"`{each}`" for each in dict.fromkeys(exceptions))
        sections.append(f"Exceptions: {facts}. `--without {rule.name}` retracts the whole rule.")
    if puzzle:
        text = examples()[puzzle].read_text("utf-8")
        sections += [
            "## A puzzle",
            f"`aspdoku solve example:{puzzle}`",
            _block("text", text),
            f'<iframe class="stage" loading="lazy" src="../live/{puzzle}.html"'
            f' title="The puzzle {puzzle}, which can be played"></iframe>',
        ]
    words = rule.path.with_suffix(".words") if rule.path else None
    if words and words.exists():
        sections += [
            "## In words",
            "What states the rule in the text of a puzzle: `says:` and `names:` are patterns of"
            " words, `text:` is an example.",
            _block("text", words.read_text("utf-8")),
        ]
    if names := _names_in_formats().get(rule.name):
        rows = [f"| {format_} | {', '.join(names[format_])} |" for format_ in names]
        sections += ["## In formats", "\n".join(["| format | name |", "|---|---|", *rows])]
    return "\n\n".join(sections) + "\n"


@cache
def _names_in_formats() -> dict[str, dict[str, list[str]]]:
    """The names of each rule in the formats that have a table of them."""
    penpa = importlib.import_module("aspdoku.formats.penpa.table")
    drawn = {file.rule: file.value("draw") for file in words_files()}
    cells = (lisudoku.CELLS, lisudoku.LINES, lisudoku.SETS, lisudoku.CAGES, lisudoku.DOTS)
    iss_table = importlib.import_module("aspdoku.formats.iss.table")
    tables: dict[str, list[tuple[str, Any]]] = {
        "f-puzzles": [
            *((each.key, each.rule) for each in fpuzzles.CONSTRAINTS),
            *fpuzzles.FLAGS.items(),
        ],
        "iss": [
            *((word, codec.rule) for word, codec in iss_table.CONSTRAINTS.items()),
            *iss_table.FLAGS.items(),
        ],
        "lisudoku": [*(pair for each in cells for pair in each.items()), *lisudoku.FLAGS.items()],
        "Penpa+": [
            *[(penpa.CAGES, penpa.CAGE), (penpa.INEQUALITY, penpa.GREATER[1])],
            *((symbol, sorted({*penpa.DOTS.values()})) for symbol in penpa.DOT_SIZES),
            *[*penpa.PATHS.items(), *penpa.PARITY.items(), *penpa.RULES.items()],
        ],
        "SudokuPad": [*sudokupad.RULES.items()],
        "SudokuPad, drawn": [(element, rule) for rule, element in drawn.items() if element],
    }
    names: dict[str, dict[str, list[str]]] = {}
    for format_, pairs in tables.items():
        for key, rules in pairs:
            for rule in (rules,) if isinstance(rules, str) else rules:
                names.setdefault(rule, {}).setdefault(format_, []).append(f"`{key}`")
    return names


def picture(rule: RuleFile) -> str | None:
    """The picture of a rule, as `aspdoku draw` makes it; None if it shows only a caption."""
    sample = ROOT / "docs" / "pictures" / f"{rule.name}.txt"
    example = re.search("% For example: (.*)", rule.text)
    facts = f"[facts]\n{example[1]}\n" if example else ""
    blank = aspdoku.parse(". . . . . .\n" * 6 + facts)
    with warnings.catch_warnings(category=aspdoku.AspdokuWarning, action="ignore"):
        drawn = aspdoku.draw(sample) if sample.exists() else aspdoku.draw(blank, with_=rule.name)
        text = drawn.render(".svg")
    assert isinstance(text, str)
    return None if set(_KIND.findall(text)) <= _BLANK else text


def _block(language: str, text: str) -> str:
    return f"````{language}\n{text.rstrip()}\n````"


def _commands() -> str:
    """All commands with their options: the content of `--help`."""
    parent = click.Context(aspdoku_commands(), info_name="aspdoku")
    sections = ["# Commands and options"]
    for theme, (_, names) in THEMES.items():
        sections.append(f"## {theme}")
        for name in names:
            command = aspdoku_commands().get_command(parent, name)
            assert command
            context = click.Context(command, parent, name)
            usage = " ".join(command.collect_usage_pieces(context))
            sections += [f"### {name}", _block("text", f"aspdoku {name} {usage}")]
            sections += map(_paragraph, inspect.cleandoc(command.help or "").split("\n\n"))
            records = [each.get_help_record(context) for each in command.get_params(context)]
            rows = [
                "| `{}` | {} |".format(option.replace("|", r"\|"), _plain(meaning))
                for option, meaning in filter(None, records)
                if meaning
            ]
            sections.append("\n".join(["| option | meaning |", "|---|---|", *rows]))
    return "\n\n".join(sections) + "\n"


def _paragraph(text: str) -> str:
    """A paragraph of the help of a command; click leaves the lines below `\\b` as they are."""
    if text.startswith("\b\n"):
        return _block("text", text.removeprefix("\b\n"))
    return _plain(" ".join(text.split()))


def _plain(text: str) -> str:
    """A text in which nothing has a meaning in Markdown."""
    return re.sub(r"([\\`*_<\[\]{}|])", r"\\\1", text)


def aspdoku_commands() -> click.Group:
    """The group of all commands."""
    group = importlib.import_module("aspdoku.cli").cli
    assert isinstance(group, click.Group)
    assert group.list_commands(click.Context(group)) == list(MODULES)
    return group


def _schemas() -> str:
    sections = [
        "# JSON schemas",
        "How results are printed with `--format json`: [JSON](../json.md).",
    ]
    for file in sorted((ROOT / "aspdoku" / "schemas").glob("*.json")):
        text = json.dumps(json.loads(file.read_text("utf-8")), indent=1)
        sections += [f"## {file.stem}", _block("json", text)]
    return "\n\n".join(sections) + "\n"


def _api() -> str:
    kinds = {True: "autoclass", False: "autofunction"}
    sections = ["# Functions and classes", "With examples: [Python API](../api.md)."]
    for name in aspdoku.__all__:
        item = getattr(aspdoku, name)
        directive = f".. {kinds[isinstance(item, type)]}:: aspdoku.{name}"
        sections += [f"## {name}", _block("{eval-rst}", f"{directive}\n   :no-index:")]
    return "\n\n".join(sections) + "\n"


def _formats() -> str:
    rows = [
        f"| `{each.name}` | {each.description} | {'read and written' if each.write else 'read'} |"
        for each in registry.ALL
    ]
    head = (
        "# All formats\n\n[What they contain](../formats.md), with limits, and [their sources]"
        "(../formats.md#sources)."
    )
    return "\n".join([f"{head}\n\n| name | what | |", "|---|---|---|", *rows, ""])


def _benchmarks() -> str:
    sections = ["# Benchmarks", "`python bench/NAME.py` measures the table NAME again."]
    for file in sorted((ROOT / "bench" / "results").glob("*.md")):
        text = re.sub("^#", "##", file.read_text("utf-8"), flags=re.MULTILINE)
        measured = f"Measured by `python bench/{file.stem}.py`."
        sections += [f"(bench-{file.stem})=\n{text.rstrip()}", measured]
    return "\n\n".join(sections) + "\n"


def _contributing() -> str:
    return (ROOT / "CONTRIBUTING.md").read_text("utf-8").replace("](docs/", "](../")


def _reports(docs: Path, name: str) -> str:
    """A page with reports of commands, which takes minutes: if a source is newer than the page."""
    file = docs / "reference" / f"{name}.md"
    folders = [ROOT / each for each in ("aspdoku", "asp", "instances")]
    files = [docs / "build.py", *(each for folder in folders for each in folder.rglob("*.*"))]
    newest = max(each.stat().st_mtime for each in files if "__pycache__" not in each.parts)
    if not file.exists() or file.stat().st_mtime < newest:
        file.parent.mkdir(exist_ok=True)
        file.write_text(build.page(*build.PAGES[name]), "utf-8")
    return file.read_text("utf-8")


def as_page_of_the_site(_app, _name: str, source: list[str]) -> None:
    """Let links to files outside of docs/ lead to the pages with their content."""
    for old, new in _MOVED.items():
        source[0] = source[0].replace(f"]({old}", f"]({new}")
    source[0] = re.sub(r"\]\((?:\.\./)+bench/results/(\w+)\.md", r"](#bench-\1", source[0])
    source[0] = re.sub(r"\]\((\.\./)+bench/[\w./]*", "](/reference/benchmarks.md", source[0])


def as_restructured_text(_app, _what, _name, _obj, _options, lines: list[str]) -> None:
    """Let a docstring be shown as it is written: paragraphs, and a list of `name: meaning`."""
    text = "\n".join(lines).strip()
    paragraphs: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text):
        items = [
            " ".join(each.split()) for each in re.split(r"\n(?=\w+(?:, \w+)*: |Raises )", paragraph)
        ]
        is_list = any(re.match(r"\w+(, \w+)*: ", item) for item in items)
        shown = [f"- {_escaped(item)}" if is_list else _escaped(item) for item in items]
        paragraphs += [*shown, ""]
    lines[:] = paragraphs


def _escaped(line: str) -> str:
    """A line in which nothing but words between backticks has a meaning in reStructuredText."""
    escaped = "`".join(
        part if index % 2 else re.sub(r"([*_|\\>])", r"\\\1", part)
        for index, part in enumerate(line.split("`"))
    )
    return re.sub(r"(`[^`]*`)(?=\w)", r"\1\\ ", escaped)  # as in `Puzzle`s


def write_extras(app, exception: Exception | None) -> None:
    """Write what is not a page of Sphinx: live pages, lessons, and the texts for agents."""
    if exception or app.builder.name != "html":
        return
    site, docs = Path(app.outdir), Path(app.srcdir)
    shown: set[str] = set()
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        for old, new in _MENDED.items():
            text = text.replace(old, new)
        page.write_text(text, "utf-8")
        shown.update(re.findall(r'<iframe class="stage"[^>]* src="[./]*live/([^"]+)[.]html"', text))
    _write_live(site / "live", shown & examples().keys())
    _write_texts(app, site, docs)


def _write_live(folder: Path, puzzles: Iterable[str]) -> None:
    """The live page of each bundled puzzle that a page shows; they share one script."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    engine = json.dumps({name: embedded(name) for name in ENGINE}).replace("<", "\\u003c")
    library = [rule for rule in rules_to_add() if not rule["inputs"] and not rule["isDrawn"]]
    shared = json.dumps({"library": library, "game": game()})
    script = _SHARED.format(engine=engine, shared=shared, script=script_in_page())
    (folder / "aspdoku.js").write_text(script, "utf-8")
    (folder / "aspdoku.css").write_bytes(b"".join(map(static, STYLES)))
    (folder / "LICENSES.txt").write_bytes(static("LICENSES.txt"))
    for name in puzzles:
        data = json.dumps(parts(aspdoku.compose(f"example:{name}"))).replace("<", "\\u003c")
        page = _FRAME.format(title=html.escape(name), data=data)
        (folder / f"{name}.html").write_text(page, "utf-8")
    parent = click.Context(aspdoku_commands(), info_name="aspdoku")
    lesson = aspdoku_commands().get_command(parent, "lesson")
    assert lesson
    for name in bundled_lessons():
        for option in ("--handout", "--sheet"):
            target = folder / f"{name}{'' if option == '--handout' else '-sheet'}.html"
            lesson.main([option, str(target), name], standalone_mode=False)


def _write_texts(app, site: Path, docs: Path) -> None:
    """`llms.txt`, a list of all pages, and `llms-full.txt`, their sources."""
    names = sorted(app.env.found_docs - {"index"})
    titles = [f"- [{app.env.titles[name].astext()}]({name}.html)" for name in names]
    summary = "> Sudoku and its variants in answer set programming: one rule file a variant."
    whole = "[All pages in one file](llms-full.txt)"
    lines = ["# aspdoku", "", summary, "", whole, "", "## Pages", "", *titles, ""]
    (site / "llms.txt").write_text("\n".join(lines), "utf-8")
    full = ((docs / f"{name}.md").read_text("utf-8") for name in ["index", *names])
    (site / "llms-full.txt").write_text("\n".join(full), "utf-8")
