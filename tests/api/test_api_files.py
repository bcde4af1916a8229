"""Puzzles as files and as pictures."""

import json
import xml.etree.ElementTree as ET

import pytest
from api_calls import SMALL, UNIQUE
from cli.cli_runner import run

import aspdoku


def numbers_of(svg):
    """The one-digit texts of a picture, in order."""
    texts = ["".join(each.itertext()) for each in ET.fromstring(svg).iter() if "text" in each.tag]
    return sorted(text for text in texts if text.isdigit())


@pytest.mark.parametrize("to", ["puzzle", "lines", "fpuzzles"])
def test_convert_and_parse(to):
    text = aspdoku.convert(UNIQUE, to)
    assert aspdoku.parse(text).grid == aspdoku.parse(UNIQUE).grid


@pytest.mark.parametrize(("name", "to"), [("grid.txt", None), ("grid.sdm", None), ("g", "lines")])
def test_write_and_read(name, to, tmp_path):
    path = tmp_path / name
    aspdoku.write("." * 80 + "1", path, to)
    assert aspdoku.read(path).givens() == aspdoku.read(str(path)).givens() == {(9, 9): 1}
    with pytest.raises(FileExistsError):
        aspdoku.write(UNIQUE, path, to)


@pytest.mark.parametrize("to", ["puzzle", "ipuz"])
@pytest.mark.parametrize("title", ["", "t"])
def test_a_stated_solution_is_written_and_read(title, to):
    """A line with a title and one with a solution are no list with a column of grids."""
    header = f"title: {title}\n" if title else ""
    text = f"{header}solution: 1234341221434321\n\n12..\n....\n....\n....\n"
    again = aspdoku.parse(aspdoku.convert(text, to))
    assert again.title == title
    assert again.solution == ((1, 2, 3, 4), (3, 4, 1, 2), (2, 1, 4, 3), (4, 3, 2, 1))
    assert aspdoku.parse(aspdoku.convert(again, "puzzle")) == again


def test_errors_of_write_and_convert(tmp_path):
    with pytest.raises(aspdoku.PuzzleError, match="unknown format 'nosuch'"):
        aspdoku.convert(SMALL, "nosuch")
    with pytest.raises(
        aspdoku.AspdokuError, match=r"unknown suffix '.zzz': name a format with to="
    ):
        aspdoku.write(SMALL, tmp_path / "grid.zzz")
    with pytest.raises(aspdoku.PuzzleError, match="diagonal"):
        aspdoku.convert(f"with: diagonal\n\n{SMALL}", "lines")
    assert not list(tmp_path.iterdir())


def test_a_drawing_shows_the_numbers(tmp_path):
    assert numbers_of(aspdoku.draw(SMALL)._repr_svg_()) == ["1", "2"]
    solved = aspdoku.draw(UNIQUE, solution=True)
    assert numbers_of(str(solved)) == sorted("1234" * 4)
    assert solved.solutions.status == "unique"
    for suffix in (".svg", ".html", ".tex"):
        path = tmp_path / f"picture{suffix}"
        solved.save(path)
        assert path.read_text("utf-8") == solved.render(suffix)


def test_errors_of_draw(tmp_path):
    with pytest.raises(aspdoku.AspdokuError, match="either the solution or the candidates"):
        aspdoku.draw(SMALL, solution=True, candidates=True)
    with pytest.raises(aspdoku.AspdokuError, match=r"unknown suffix '.gif': use one of .svg"):
        aspdoku.draw(SMALL).save(tmp_path / "picture.gif")


def test_bundled_puzzles_by_name():
    listed = json.loads(run("example", "--format", "json").stdout)
    listed = listed["examples"] if isinstance(listed, dict) else listed
    assert list(aspdoku.examples()) == [each["name"] for each in listed]
    for name in ("killer", "four"):
        assert name in aspdoku.examples()
        assert aspdoku.read(f"example:{name}").size in (4, 9)


@pytest.mark.parametrize("command", ["program", "grade", "elaborate"])
def test_a_bundled_puzzle_is_called_by_its_name(command):
    shown = run(command, "example:four").stdout
    assert "example:four" in shown
    assert "four.txt" not in shown


def test_the_name_of_a_puzzle_is_its_path_or_the_name_of_the_example(tmp_path):
    path = tmp_path / "grid.sdm"
    path.write_text(aspdoku.convert(UNIQUE, "lines") * 2)
    assert aspdoku.read(f"{path}#2").name == str(path)
    assert aspdoku.read("example:four").name == "example:four"
    assert aspdoku.parse(UNIQUE).name == ""
    assert aspdoku.grade("example:four").name == "example:four"
