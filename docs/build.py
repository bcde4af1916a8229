"""Writes the pages of docs/ that show what commands print: `python docs/build.py`; a test compares them with the commands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "elaborations.md"
INTRODUCTION = """# The elaborations of the lecture, as the program reports them

Made by `python docs/build.py`. Each report is what the command above it prints: what the elaboration leaves as it was in the
text, by contract, in the ground program and in the solutions. In every one of them `asp/base.lp` stands byte for byte.
"""
REPORTS = {
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


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """The page as the commands make it now."""
    parts = [INTRODUCTION]
    for title, command in REPORTS.items():
        parts.append(f"## {title}\n\n```console\n$ aspdoku {command}\n{printed(command)}```\n")
    return "\n".join(parts)


def printed(command: str) -> str:
    """What `aspdoku COMMAND` prints on standard output."""
    arguments = [sys.executable, "-m", "aspdoku", *command.split()]
    return subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False).stdout


if __name__ == "__main__":
    main()
