"""Where rule files are found.

Those that come with aspdoku, those on ASPDOKU_PATH, and anybody's by their path.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from functools import cache
from pathlib import Path

from aspdoku.errors import RuleError, did_you_mean
from aspdoku.program.rulefile import Input, RuleFile
from aspdoku.puzzle.term import Signature

PATH_VARIABLE = "ASPDOKU_PATH"

_NAME = re.compile(r"(?:slides/)?[a-zA-Z0-9_-]{1,100}")


@cache
def data_dir() -> Path:
    """The folder of the bundled rule files and templates.

    Inside an installed package, or beside it in a checkout.
    """
    package = Path(__file__).resolve().parents[1]
    installed = package / "asp"
    return installed if installed.is_dir() else package.parent / "asp"


@cache
def bundled(file: str) -> RuleFile:
    """A bundled rule file by its path below `asp/`, as in `base.lp` or `slides/base.lp`."""
    return RuleFile.read(data_dir() / file, f"asp/{file}", vetted=True)


def base() -> RuleFile:
    """What stays as it is whatever is added: the Latin square."""
    return bundled("base.lp")


def defaults() -> list[RuleFile]:
    """The rules of the ordinary game, there unless they are taken back."""
    return [find(name) for name in (data_dir() / "default").read_text("utf-8").split()]


def rule_names() -> list[str]:
    """The names that `find` knows, bundled ones and those on ASPDOKU_PATH, sorted."""
    folders = [data_dir() / "elaborations", *_path()]
    return sorted({file.stem for folder in folders for file in folder.glob("*.lp")})


@cache
def bundled_inputs() -> dict[Signature, tuple[Input, str]]:
    """The inputs of the bundled rules by signature, with the first rule that declares each."""
    files = sorted((data_dir() / "elaborations").glob("*.lp"))
    rules = [bundled(f"elaborations/{file.name}") for file in files]
    return {item.signature: (item, rule.name) for rule in reversed(rules) for item in rule.inputs}


def default_values(predicate: str, arity: int, size: int) -> tuple[int, ...]:
    """What the bundled rules assume for the last argument if no fact gives it; often nothing."""
    declared = bundled_inputs().get((predicate, arity))
    return declared[0].defaults(size) if declared else ()


def available_rules() -> list[RuleFile]:
    """The rule files that go by a name, but for those on ASPDOKU_PATH that are no rule files."""
    found = []
    for name in rule_names():
        with suppress(RuleError):
            found.append(find(name))
    return found


def find(name: str) -> RuleFile:
    """The rule file called `name`.

    A bundled rule goes by its name, one in the slides' wording as in `slides/greater-than`. Any
    other name with a slash or the ending `.lp` is a path; the rest are looked for on ASPDOKU_PATH.
    Raises RuleError with the nearest known name where there is none.
    """
    if rule := _called(name):
        return rule
    if _is_path(name):
        return RuleFile.read(Path(name), name)
    known = rule_names()
    raise RuleError(
        f"there is no rule called '{name}'.{did_you_mean(name, known)} `aspdoku rules` lists the"
        f" {len(known)} that are there; a file of your own is given by its path, as in ./mine.lp"
    )


def find_for(folder: Path | None, name: str, trust: bool = False) -> RuleFile:
    """The rule file that a puzzle in this folder calls `name`.

    A puzzle that was not read from a file has no folder.

    Names are those of `find`; paths start in the folder. A path must lead to an `.lp` file in the
    folder or below it, even through symbolic links, because a puzzle may come from a stranger and
    error messages quote rule files.

    trust: accept any path; without a folder, paths start in the current one
    Raises RuleError like `find`, and for a path that is not accepted.
    """
    if _called(name) or not _is_path(name):
        return find(name)
    file = (folder or Path()) / name
    if trust or (folder and _is_within(folder, file)):
        return RuleFile.read(file, name)
    where = "in its own folder" if folder else "if it is a file itself, in its own folder"
    raise RuleError(
        f"'{name}' was not read: by a path, a puzzle can name .lp files only {where}; "
        "if you trust the puzzle, allow it with --trust (trust=True in Python)"
    )


def _called(name: str) -> RuleFile | None:
    """The rule with this name, bundled or on ASPDOKU_PATH."""
    if _NAME.fullmatch(name):
        for file in (f"elaborations/{name}.lp", f"{name}.lp"):
            if (data_dir() / file).is_file():
                return bundled(file)
        for folder in _path():
            if (folder / f"{name}.lp").is_file():
                return RuleFile.read(folder / f"{name}.lp", str(folder / f"{name}.lp"))
    return None


def _is_path(name: str) -> bool:
    return name.endswith(".lp") or "/" in name or os.sep in name


def _is_within(folder: Path, file: Path) -> bool:
    """Whether this is an `.lp` file in the folder or below it, with all symbolic links resolved."""
    try:
        real = Path(os.path.realpath(file))
    except ValueError:  # a NUL in the name
        return False
    return real.suffix == ".lp" and real.is_relative_to(os.path.realpath(folder))


def _path() -> list[Path]:
    return [
        Path(folder) for folder in os.environ.get(PATH_VARIABLE, "").split(os.pathsep) if folder
    ]
