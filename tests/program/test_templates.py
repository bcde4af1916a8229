"""The text of programs without their instance is kept between runs: it must not matter."""

import shutil
import subprocess
import sys

import pytest

from aspdoku import Puzzle, compose, parse
from aspdoku.program import library, templates
from aspdoku.program.rulefile import RuleFile

pytestmark = pytest.mark.versions

AWKWARD = "% \\0 {{ n }} \r\n:- a(1,1,1).\n% čtyři \ud7ff"
PROGRAMS = {
    "blank": lambda: compose(Puzzle.blank(4)),
    "another size": lambda: compose(Puzzle.blank(6)),
    "givens": lambda: compose(parse("1.....3..4..2...")),
    "numbers from 0": lambda: compose(parse("numbers: 0-3\n0 . . .\n. . . .\n. . . .\n. . . 1\n")),
    "facts": lambda: compose(parse(f"1{'.' * 15}\n[even]\n. x . .\n" + ". . . .\n" * 3, "even")),
    "rules": lambda: compose(Puzzle.blank(4), "anti-knight", "chain"),
    "a constant": lambda: compose(Puzzle.blank(4), constants={"gap": 3}),
    "retracted": lambda: compose(Puzzle.blank(4), without=["box", "row"]),
    "awkward": lambda: compose(Puzzle.blank(4), RuleFile.from_text("awkward", AWKWARD)),
}


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """A folder of templates in which nothing is kept yet."""
    folder = tmp_path / "asp"
    shutil.copytree(
        library.data_dir() / "templates",
        folder / "templates",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    monkeypatch.setattr(templates, "data_dir", lambda: folder)
    # Each program is composed as in a process that has composed no other one.
    monkeypatch.setattr(templates, "_around_instance", templates._around_instance.__wrapped__)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    environment = templates._environment
    environment.cache_clear()
    yield folder / "templates" / "__pycache__"
    environment.cache_clear()


@pytest.fixture
def without_jinja(monkeypatch):
    """Make each rendering an error when called."""

    def forbid():
        def fail():
            raise AssertionError("rendered")

        monkeypatch.setattr(templates, "_environment", fail)

    return forbid


def rendered(monkeypatch, make):
    with monkeypatch.context() as patched:
        patched.setattr(sys, "dont_write_bytecode", True)
        return make().text


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_kept_text_is_the_rendered_one(name, kept, monkeypatch, without_jinja):
    first = rendered(monkeypatch, PROGRAMS[name])
    assert not kept.exists()
    assert PROGRAMS[name]().text == first
    without_jinja()
    assert PROGRAMS[name]().text == first


@pytest.mark.usefixtures("kept")
def test_puzzles_share_a_kept_text(without_jinja):
    compose(Puzzle.blank(4))
    without_jinja()
    text = compose(parse("1.....3..4..2...")).text
    assert "\na(1,1,1).\na(2,3,3).\na(3,2,4).\na(4,1,2).\n" in text.replace(" ", "\n")


def test_programs_in_one_slot_are_told_apart(kept, monkeypatch):
    texts = {name: rendered(monkeypatch, make) for name, make in PROGRAMS.items()}
    monkeypatch.setattr(templates, "_SLOTS", 1)
    for _ in range(2):
        assert {name: make().text for name, make in PROGRAMS.items()} == texts
    assert len(list(kept.iterdir())) == 1


@pytest.mark.parametrize("content", ["", "5", "\0", "\0\0", "\0#external x.\0", "\0\0\0", "\xff"])
def test_a_damaged_file_is_replaced(content, kept, without_jinja):
    text = compose(Puzzle.blank(4)).text
    (file,) = kept.iterdir()
    file.write_bytes(content.encode("latin-1"))
    assert compose(Puzzle.blank(4)).text == text
    without_jinja()
    assert compose(Puzzle.blank(4)).text == text


def test_a_changed_template_is_rendered_again(kept):
    compose(Puzzle.blank(4))
    template = kept.parent / "program.lp.j2"
    template.write_text(template.read_text("utf-8") + "\n% changed\n", "utf-8")
    templates._environment.cache_clear()
    assert compose(Puzzle.blank(4)).text.endswith("% changed\n")
    assert sorted(file.read_bytes().endswith(b"% changed\n") for file in kept.iterdir()) == [
        False,
        True,
    ]


def test_a_program_needs_no_jinja_if_its_text_is_kept():
    script = "import sys, aspdoku; aspdoku.compose('.' * 16); print(*sys.modules)"
    for attempt in range(5):
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
        )
        # Between two runs, another test may keep another text in the same place.
        if attempt and "jinja2" not in done.stdout.split():
            break
    if sys.dont_write_bytecode or not (library.data_dir() / "templates/__pycache__").exists():
        pytest.skip("nothing is kept here: bytecode is not written")
    assert "jinja2" not in done.stdout.split()
