"""Colours for reports on a terminal: verdicts, places in files, cells and carets."""

from __future__ import annotations

import re

_BOLD, _RED, _GREEN, _YELLOW, _CYAN = "1", "31", "32", "33", "36"
_BAD = (
    "different:|undecided:|no solution|too strict|too lax|wrong|differs"
    "|DIFFERS|failed|cannot be used|cannot be read|crashed|gave up"
)
# The first pattern that matches at a place decides.
_STYLES = (
    (r"^ *\S+\.(?:lp|draw):\d+(?::\d+)?:", _BOLD),  # the place of a finding
    (r"(?<=\| )[ …]*\^$", _RED),
    (r"(?<!\w)r\d+c\d+(?:!?=\d+)?(?!\w)", _CYAN),
    (r"\[ *\d+ *\](?=[ |\n]|$)", _YELLOW),  # a marked cell of a grid
    (
        r"^(?:equivalent:|unique\b|the solution is unique)|: right\b|\bright$|: nothing found$",
        _GREEN,
    ),
    (r"\bagrees\b", _GREEN),
    (rf"^(?:{_BAD})|(?<=: )(?:{_BAD})", _RED),
    (r"^\d+\. [^:\n]+: \S+$|^All together.*$|^Base: .*$", _BOLD),
    (r"^ {3}(?:text|contract|ground|but|solutions|forbids|allows)(?= )", _YELLOW),
    (r"(?<= )\+\d+(?= -\d)", _GREEN),
    (r"(?<=\d )-\d+(?= |$)", _RED),
)
_PATTERN = re.compile("|".join(f"({pattern})" for pattern, _ in _STYLES), re.MULTILINE)
_STYLED = re.compile(r"\x1b\[[0-9;]*m")


def highlighted(text: str) -> str:
    """A report with its places, cells and verdicts in colour; a line in colour is kept as it is."""
    return "\n".join(
        line if _STYLED.search(line) else _PATTERN.sub(_style, line) for line in text.split("\n")
    )


def _style(found: re.Match[str]) -> str:
    assert found.lastindex
    return f"\x1b[{_STYLES[found.lastindex - 1][1]}m{found[0]}\x1b[0m"
