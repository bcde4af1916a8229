"""The bundled lessons, each with a name that can be used instead of a file."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from aspdoku.errors import LessonError, did_you_mean
from aspdoku.program.library import data_dir

_SUFFIX = ".md"


@cache
def bundled_lessons() -> dict[str, Path]:
    """The files of the bundled lessons by their names, sorted."""
    folder = data_dir().parent / "instances" / "lessons"
    return {file.stem: file for file in sorted(folder.glob(f"*{_SUFFIX}"))}


def lesson_file(name: str) -> Path:
    """The file of a lesson: a bundled one by its name, any other one by its path, which ends in
    `.md`. Raises LessonError for an unknown name.
    """
    known = bundled_lessons()
    if name in known:
        return known[name]
    if not name.endswith(_SUFFIX):
        raise LessonError(
            f"unknown lesson {name!a}.{did_you_mean(name, list(known))} Bundled lessons:"
            f" {', '.join(known)}; a file of your own ends in {_SUFFIX}"
        )
    return Path(name)
