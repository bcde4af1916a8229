"""How a supervised command ended if not by itself, and the program that it was working on."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Grounding(NamedTuple):
    """A program: its text, and (file, first line, last line) of each of its parts."""

    text: str
    parts: tuple[tuple[str, int, int], ...]


class Ending(NamedTuple):
    """Why a supervised child did not end by itself.

    reason: the time limit, the memory limit, or a signal
    signal: the signal that ended a child that crashed; otherwise 0
    memory_limit: in bytes
    grounding: the program that it was grounding or solving, if any
    seconds_left: until the deadline, if there is one
    output: the file that has what the command had written, if any
    """

    reason: Literal["time", "memory", "crashed"]
    signal: int
    memory_limit: int
    grounding: Grounding | None
    seconds_left: float | None
    output: str = ""
