"""Lessons as text, for tests."""

from pathlib import Path

from aspdoku.lesson import computed, parse_lesson

FRONT = "---\ntitle: A lesson\nminutes: 5\n---\n\n"


def step(opening, *reveals, more="", say="A sentence.", minutes=5):
    """A step with these directives, and with more text after the first block."""
    blocks = "".join(f"```aspdoku reveal\n{each}\n```\n\n" for each in reveals)
    return (
        f"# A step {{{minutes} min}}\n\n{say}\n\n```aspdoku\n{opening}\n```\n\n{more}\n\n{blocks}"
    )


def read(text, folder=Path()):
    """The lesson with this text."""
    return parse_lesson(text, folder, "l.md")


def scenes(opening, *reveals, folder=Path(), **more):
    """The computed scenes of a lesson of one step."""
    return computed(read(FRONT + step(opening, *reveals, **more), folder)).steps[0].scenes
