"""Writes the pages of docs/ that show what commands print: `python docs/build.py`; a test compares them with the commands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ELABORATIONS = """# The elaborations of the lecture, as the program reports them

Made by `python docs/build.py`. Each report is what the command above it prints: what the elaboration leaves as it was in the
text, by contract, in the ground program and in the solutions. In every one of them `asp/base.lp` stands byte for byte.
"""
ELABORATION_REPORTS = {
    "The boxes": "elaborate instances/slides/classic.txt",
    "Offset": "elaborate --with offset instances/slides/offset.txt",
    "Anti-knight": "elaborate --with anti-knight instances/slides/anti-knight.txt",
    "Greater-than": "elaborate --with greater-than instances/slides/greater-than.txt",
    "Offset and anti-knight together": "elaborate --with offset,anti-knight -c n=6",
    "An exception: except the 5s": "elaborate instances/lessons/except-the-fives.txt",
    "Taking a rule back: without the boxes": "elaborate --without box -c n=4",
    "The catalogue": "elaborate --all",
    "Why does the simple rule work?": "equal slides/anti-knight-distance anti-knight",
    "It works because of the rows and columns": "equal slides/anti-knight-distance anti-knight --without row,column",
    "The two wordings of offset": "equal slides/offset-aggregate slides/offset-pairwise",
    "They, too, rest on the rows and columns": "equal slides/offset-aggregate slides/offset-pairwise --without row,column",
}

EXPLANATIONS = """# Explanations, as the program words them

Made by `python docs/build.py`. Each step follows from what is known by then and the rules that it names; every rule's words stand
in its own file, in the comment `%@` above it, and a file without any is explained by its own text.
"""
EXPLANATION_REPORTS = {
    "The 4x4 of the ontology": "explain instances/owl/four.txt",
    "A 6x6 with as few givens as it needs": "explain instances/made/six-minimal.txt",
    "A hard one, by Prolog's example": "explain instances/prolog/example.txt",
    "Anti-knight": "explain --with anti-knight instances/slides/anti-knight.txt",
    "Offset": "explain --with offset instances/slides/offset.txt",
    "A killer without givens": "explain instances/made/killer.txt",
    "Only steps by a single rule": "explain --singles instances/prolog/example.txt",
    "A hint, in four degrees: where": "hint --degree where instances/made/killer.txt",
    "by which rules": "hint --degree rules instances/made/killer.txt",
    "what": "hint --degree what instances/made/killer.txt",
    "and the proof": "hint --degree proof instances/made/killer.txt",
    "Why a cell holds a number": "why r3c2=9 instances/prolog/example.txt",
    "Why it does not hold another": "why r3c8!=4 instances/prolog/example.txt",
    "Why the grid as it was printed has no solution": "conflict instances/slides/as-printed/classic.txt",
    "How hard": "grade instances/slides/classic.txt instances/prolog/example.txt instances/made/killer.txt",
}
FORMALISMS = """# The rival formalisms, beside answer set programming

Made by `python docs/build.py`, with every engine installed. `+2 −1`: two statements added to the text for the ordinary game of
that size (in the first two columns, of 9x9), one removed. A statement is what the language's own grammar calls one: a rule of
ASP, a clause of Prolog, a function or a member of a class of Python, an axiom, a clause of literals; so figures compare along a
row, not down a column. Declarations, and the puzzle itself, do not count. A cell holds figures only where that very text was run
and gave the one grid that is right; else the number below says why not. *Ground* texts have no variables: a generator makes them,
and it is the generator that one would have to elaborate.

What to read in it: the slides' own text has to be edited, too, where the size changes or the boxes go; a Prolog text for every
size changes size for nothing; OWL is as additive as ASP on offset, anti-knight and greater-than. What separates them is
*retraction*: Strimko has no boxes. To our text that is one more fact, `ab(box).`; every other text has to be cut, and a monotone
formalism, OWL or clauses, cannot say it by adding whatever one adds.
"""
FORMALISM_REPORTS = {
    "The table": "compare --table",
    "The same rule in each": "compare --engine asp,asp-slides,prolog-sized,cp-sat,findling --print --with anti-knight -c n=4",
    "The evidence loop on a Strimko": "compare --engine evidence --trace instances/made/strimko.txt",
    "A reasoner's explanation": "compare --engine owl-source --why r3c2=3 instances/owl/four.txt",
}
DRAWING = ROOT / "docs" / "pictures"
SHEET = DRAWING / "contact-sheet.svg"
ACROSS, WIDTH, HEIGHT = 6, 250, 310  # pictures in a row, and the room for each in pixels

PAGES = {
    ROOT / "docs" / "elaborations.md": (ELABORATIONS, ELABORATION_REPORTS),
    ROOT / "docs" / "explanations.md": (EXPLANATIONS, EXPLANATION_REPORTS),
    ROOT / "docs" / "formalisms.md": (FORMALISMS, FORMALISM_REPORTS),
}


def main() -> None:
    """Write the pages."""
    for file, (introduction, reports) in PAGES.items():
        file.write_text(page(introduction, reports), encoding="utf-8")
    SHEET.write_text(contact_sheet(), encoding="utf-8")


def page(introduction: str, reports: dict[str, str]) -> str:
    """A page as the commands make it now."""
    parts = [introduction]
    for title, command in reports.items():
        said = printed(command)
        # A table is Markdown itself.
        shown = f"`aspdoku {command}`\n\n{said}" if said.startswith("|") else f"```console\n$ aspdoku {command}\n{said}```\n"
        parts.append(f"## {title}\n\n{shown}")
    return "\n".join(parts)


def printed(command: str) -> str:
    """What `aspdoku COMMAND` prints on standard output."""
    arguments = [sys.executable, "-m", "aspdoku", *command.split()]
    return subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False).stdout


def contact_sheet() -> str:
    """A picture of every elaboration, side by side: of a puzzle in docs/pictures/, or of the rule file's own example."""
    rules = sorted((ROOT / "asp" / "elaborations").glob("*.lp"))
    rows = -(-len(rules) // ACROSS)
    size = f'width="{ACROSS * WIDTH}" height="{rows * HEIGHT}"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<rect width="100%" height="100%" fill="#ffffff"/>\n']
    for place, rule in enumerate(rules):
        x, y = place % ACROSS * WIDTH, place // ACROSS * HEIGHT
        parts.append(f'<text x="{x + 8}" y="{y + 20}" font-family="sans-serif" font-size="14">{rule.stem}</text>\n')
        room = f'x="{x + 5}" y="{y + 28}" width="{WIDTH - 10}" height="{HEIGHT - 40}"'
        parts.append(re.sub(r'width="[\d.]+" height="[\d.]+"', room, drawn(rule), count=1))
    return "".join([*parts, "</svg>\n"])


def drawn(rule: Path) -> str:
    """What `aspdoku draw` makes of an elaboration."""
    sample = DRAWING / f"{rule.stem}.txt"
    example = re.search("% For example: (.*)", rule.read_text("utf-8"))
    puzzle = ". . . . . .\n" * 6 + (f"[facts]\n{example[1]}\n" if example else "")
    of = [str(sample)] if sample.exists() else ["--with", rule.stem, "-"]
    arguments = [sys.executable, "-m", "aspdoku", "draw", *of]
    return subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=True, input=puzzle).stdout


if __name__ == "__main__":
    main()
