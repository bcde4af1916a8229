"""Files that are written whole or not at all.

The content goes to a temporary file in the folder of the target, which then replaces it: an error,
such as a full disk, leaves an existing file as it was. If a command is killed, the process that
supervises it moves what was written to the target: the results so far, but no part of a content
that was known as a whole.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from aspdoku.runtime.supervise import report_files

# The temporary files that are being written, each with its target if a part of it is of use.
_unfinished: list[tuple[str, str]] = []
# `/dev/stdout` leads to the open file of a process, which nothing can replace.
_DEVICES = (Path("/dev"), Path("/dev/fd"))


def check_writable(path: Path) -> None:
    """Raise OSError if a file cannot be written, before the work whose result it is to hold."""
    with _naming(path):
        replaced = _replaced(path)
        if replaced is not None:
            replaced.parent.stat()
            _check_access(replaced.parent, os.W_OK | os.X_OK)
        if path.exists():
            _check_access(path, os.W_OK)


@contextmanager
def written(path: Path, new: bool = False, whole: bool = False) -> Iterator[BinaryIO]:
    """The file to write to; it has its name when the block ends without an exception. A symbolic
    link stays. Devices and pipes are written to directly, and files whose owner or hard links would
    change. Raises FileExistsError for a `new` file that exists, OSError.

    whole: whether a part of the content is of no use
    """
    with _naming(path):
        target = path if new else _replaced(path)
        if target is None:
            with path.open("wb") as file:
                yield file
            return
        place = target if new else target.with_name(f".aspdoku-{os.getpid()}-{time.time_ns()}")
        with _reported(os.fspath(place), "" if whole else os.fspath(target)):
            file = place.open("xb")
            try:
                with file:
                    if target.exists():
                        place.chmod(stat.S_IMODE(target.stat().st_mode))
                    yield file
                place.replace(target)
            except BaseException:
                place.unlink(missing_ok=True)
                raise


@contextmanager
def _reported(place: str, target: str) -> Iterator[None]:
    _unfinished.append((place, target))
    report_files(_unfinished)
    try:
        yield
    finally:
        _unfinished.pop()
        report_files(_unfinished)


def write(path: Path, content: str | bytes, new: bool = False) -> None:
    """Write a file, as `written`."""
    with written(path, new, whole=True) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def _replaced(path: Path) -> Path | None:
    """The path without symbolic links; None if the file cannot be replaced by another one."""
    try:
        found = path.stat()
    except FileNotFoundError:
        found = None
    for _ in range(40):  # as many links as Linux follows
        folder = path.parent.resolve()
        if folder in _DEVICES or folder.is_relative_to("/proc"):
            return None
        path = folder / path.name
        if not path.is_symlink():
            break
        path = folder / path.readlink()
    if found and not (
        stat.S_ISREG(found.st_mode)
        and found.st_nlink == 1
        and found.st_uid == (os.geteuid() if hasattr(os, "geteuid") else found.st_uid)
        and os.access(path.parent, os.W_OK | os.X_OK)
    ):
        return None
    return path


def _check_access(path: Path, mode: int) -> None:
    if not os.access(path, mode):
        raise PermissionError(13, "Permission denied")


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Errors name this path, and no temporary file."""
    try:
        yield
    except OSError as error:
        raise type(error)(error.errno, error.strerror, os.fspath(path)) from None
