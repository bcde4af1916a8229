"""Where rule files are found: those that come with aspdoku, those on ASPDOKU_PATH, and anybody's by their path."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from functools import cache
from pathlib import Path

from aspdoku.errors import RuleError, did_you_mean
from aspdoku.program.rulefile import RuleFile

PATH_VARIABLE = "ASPDOKU_PATH"

_BUNDLED = re.compile(r"(?:slides/)?[a-zA-Z0-9_-]{1,100}")


@cache
def home() -> Path:
    """The folder of the bundled rule files and templates: inside an installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "asp"
    return installed if installed.is_dir() else package.parent / "asp"


@cache
def bundled(file: str) -> RuleFile:
    """A bundled rule file by its path below `asp/`, as in `base.lp` or `slides/base.lp`."""
    return RuleFile.read(home() / file, f"asp/{file}", vetted=True)


def base() -> RuleFile:
    """What stays as it is whatever is added: the Latin square."""
    return bundled("base.lp")


def defaults() -> list[RuleFile]:
    """The rules of the ordinary game, there unless they are taken back."""
    return [find(name) for name in (home() / "default").read_text("utf-8").split()]


def names() -> list[str]:
    """The names that `find` knows, bundled ones and those on ASPDOKU_PATH, sorted."""
    folders = [home() / "elaborations", *_path()]
    return sorted({file.stem for folder in folders for file in folder.glob("*.lp")})


def readable() -> list[RuleFile]:
    """The rule files that go by a name, but for those on ASPDOKU_PATH that are no rule files."""
    found = []
    for name in names():
        with suppress(RuleError):
            found.append(find(name))
    return found


def find(name: str, beside: Path | None = None) -> RuleFile:
    """The rule file called `name`.

    A bundled rule goes by its name, one in the slides' wording as in `slides/greater-than`. Any other name with a slash or the
    ending `.lp` is a path, looked for in the folder `beside` first (that of the puzzle which names it) and then from the current
    folder; the rest are looked for on ASPDOKU_PATH.
    Raises RuleError with the nearest known name where there is none.
    """
    if _BUNDLED.fullmatch(name):
        for file in (f"elaborations/{name}.lp", f"{name}.lp"):
            if (home() / file).is_file():
                return bundled(file)
        for folder in _path():
            if (folder / f"{name}.lp").is_file():
                return RuleFile.read(folder / f"{name}.lp", str(folder / f"{name}.lp"))
    if name.endswith(".lp") or "/" in name or os.sep in name:
        near = beside / name if beside else Path(name)
        return RuleFile.read(near if os.path.exists(near) else Path(name), name)
    known = names()
    raise RuleError(
        f"there is no rule called '{name}'.{did_you_mean(name, known)} `aspdoku rules` lists the {len(known)} that are there; "
        "a file of your own is given by its path, as in ./mine.lp"
    )


def _path() -> list[Path]:
    return [Path(folder) for folder in os.environ.get(PATH_VARIABLE, "").split(os.pathsep) if folder]
