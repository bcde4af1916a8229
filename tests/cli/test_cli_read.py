"""`aspdoku read`: documents made by hand; what is expected follows from their words."""

import json
import re

import pytest
from cli_runner import run
from drawn_documents import BOXES, NORMAL, WHISPERS, line

import aspdoku
from aspdoku.puzzlefile.lines import split_lines

NOISE = "The wizard sleeps under a blue line."
GREEN = line((1, 1), (1, 2), (2, 2), color="#66ff66")
OTHER_GREEN = line((4, 1), (4, 2), color="#66ff66")
BLUE = line((3, 3), (3, 4), color="#2222ff")


def document(*rules, givens=".4.. .... .... ....", **more):
    """A SudokuPad document with a text of these lines; `more` are its lists of drawings."""
    cells = [
        [{"value": int(sign)} if sign.isdigit() else {} for sign in row] for row in givens.split()
    ]
    metadata = {"title": "Walls", "author": "Ada", "rules": "\n".join(rules)}
    return json.dumps({"cells": cells, "regions": BOXES, "metadata": metadata, **more})


ALL_READ = document(NORMAL, WHISPERS, lines=[GREEN, OTHER_GREEN])
OPEN = document(NORMAL, WHISPERS, NOISE, lines=[GREEN, BLUE])


@pytest.mark.parametrize("name", ["no_such_file", "./no/such"])
def test_a_file_that_does_not_exist(name):
    found = run("read", name)
    assert found.exit_code == 65
    assert f"{name}: No such file or directory" in found.output


def test_each_sentence_has_its_rule_and_its_elements():
    found = run("read", "-", given=ALL_READ)
    assert found.stdout.splitlines() == [
        f"1. {NORMAL}",
        "   rule   box: Every number occurs once in every box.",
        f"2. {WHISPERS}",
        "   rule   whispers: " + next(r.title for r in aspdoku.rules() if r.name == "whispers"),
        "   about  2 green lines: r1c1…r2c2, r4c1…r4c2",
        "",
        "Walls, by Ada",
        "4x4; rules: whispers",
        "everything was understood",
    ]
    assert (found.exit_code, found.stderr) == (0, "")


def test_what_is_open_is_listed_with_the_words_marked():
    found = run("read", "-", given=OPEN)
    text = found.stdout
    assert found.exit_code == 1
    assert text.endswith("\n1 sentence and 1 drawing are open\n")
    assert "Drawings that no sentence accounts for:\n   blue line: r3c3…r3c4\n" in text
    (noise,) = re.findall(r"^3\. (.*)$", text, re.MULTILINE)
    assert noise.replace("‹", "").replace("›", "") == NOISE
    assert all(word in "".join(re.findall("‹(.*?)›", noise)) for word in ("wizard", "sleeps"))
    assert "‹" not in text.partition("\n3. ")[0]


def test_a_sentence_about_something_that_is_not_drawn_is_open():
    found = run("read", "-", given=document(NORMAL, WHISPERS, lines=[BLUE]))
    sentence = json.loads(
        run("read", "-", "--format", "json", given=document(NORMAL, WHISPERS, lines=[BLUE])).stdout
    )["sentences"][1]
    assert (found.exit_code, sentence["unread"]) == (1, [])
    assert f"   open   {sentence['problem']}\n" in found.stdout
    assert "green" in sentence["problem"]


def test_more_elements_than_a_line_holds_are_counted():
    lines = [line((row, 1), (row, 2), color="#66ff66") for row in (1, 2, 3, 4)]
    lines += [line((1, column), (2, column), color="#66ff66") for column in (3, 4)]
    found = run("read", "-", given=document(NORMAL, WHISPERS, lines=lines)).stdout
    assert "   about  6 green lines: r1c1…r1c2, r2c1…r2c2, r3c1…r3c2, r4c1…r4c2, …\n" in found


@pytest.mark.parametrize("given", [ALL_READ, OPEN, document(NORMAL), document()])
def test_json_and_python_have_the_same_answer(given, tmp_path):
    file = tmp_path / "link.json"
    file.write_text(given, "utf-8")
    found = run("read", file, "--format", "json")
    result = aspdoku.interpret(file)
    answer = json.loads(found.stdout)
    assert answer == result.to_json() == aspdoku.interpret(given).to_json()
    assert answer["complete"] is bool(result) is (found.exit_code == 0)
    assert str(result) + "\n" == run("read", file).stdout
    for sentence in answer["sentences"]:
        stated = {rule["name"] for rule in sentence["rules"]}
        for place in sentence["elements"]:
            assert stated & {*answer["elements"][place]["rules"]}
    assert result.puzzle == aspdoku.read(file)
    assert result.puzzle.unsupported == aspdoku.read(file).unsupported


def test_a_puzzle_file_is_the_same_puzzle_and_lists_what_is_open(tmp_path):
    target = tmp_path / "walls.txt"
    found = run("read", "-o", target, "-", given=OPEN)
    text = target.read_text("utf-8")
    assert (found.exit_code, found.output) == (1, "")
    puzzle, read = aspdoku.interpret(OPEN).puzzle, aspdoku.read(target)
    assert read == puzzle
    assert read.unsupported == puzzle.unsupported
    assert (read.title, read.author, read.elaborations) == ("Walls", "Ada", ("whispers",))
    assert read.rules.split("\n") == [NORMAL, WHISPERS, NOISE]
    comment = [each.text for each in split_lines(text, "") if each.text.startswith("# ")]
    assert text.index(comment[0]) < text.index("\nunsupported: ")
    assert "with:" in comment[0] + comment[1]
    assert run("read", "-", "--format", "puzzle", given=OPEN).stdout == text


def test_a_puzzle_file_that_was_completed_by_hand_is_unqualified(tmp_path):
    target = tmp_path / "walls.txt"
    run("read", "-o", target, "-", given=OPEN)
    lines = target.read_text("utf-8").splitlines(keepends=True)
    target.write_text("".join(each for each in lines if "unsupported: " not in each), "utf-8")
    assert "ignoring" not in run("solve", target).output
    assert run("solve", target).stderr == ""


def test_nothing_is_open_in_a_puzzle_file_of_what_was_understood(tmp_path):
    target = tmp_path / "walls.txt"
    assert run("read", "-o", target, "-", given=ALL_READ).exit_code == 0
    text = target.read_text("utf-8")
    assert "#" not in text
    assert "unsupported" not in text
    assert aspdoku.read(target) == aspdoku.interpret(ALL_READ).puzzle


def test_a_puzzle_file_that_exists_is_not_changed(tmp_path):
    target = tmp_path / "walls.txt"
    target.write_text("mine", "utf-8")
    found = run("read", "-o", target, "-", given=OPEN)
    assert (found.exit_code, target.read_text("utf-8")) == (2, "mine")
    assert "already exists and was not changed" in found.stderr


def test_a_puzzle_file_with_its_rules_only_in_words_is_read():
    given = f"rules: {NORMAL}\nrules: {NOISE}\n\n1...\n....\n....\n....\n"
    found = run("read", "-", given=given)
    assert found.exit_code == 1
    assert "1 sentence is open" in found.stdout


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("1... .... .... ....\n", "no rules in words to read"),
        (f"with: even\nrules: {NORMAL}\n1...\n....\n....\n....\n", "no rules in words to read"),
        ('{"cells": 1}', "cells"),
        (b"\xff", "not valid UTF-8"),
    ],
)
def test_what_has_no_words_is_bad_input(given, message):
    found = run("read", "-", given=given)
    assert found.exit_code == 65
    assert message in found.stderr
    assert found.stdout == ""


def test_one_of_several_documents_cannot_be_chosen(tmp_path):
    file = tmp_path / "links.txt"
    file.write_text("x", "utf-8")
    found = run("read", f"{file}#2")
    assert (found.exit_code, "one document is expected" in found.stderr) == (65, True)
    assert run("read", tmp_path / "missing.json").exit_code == 65


def test_a_url_is_read():
    pytest.importorskip("lzstring")
    address = aspdoku.convert(aspdoku.interpret(ALL_READ).puzzle, "address")
    found = aspdoku.interpret(address)
    assert [each.rules for each in found.puzzle.wording[:2]] == [("box",), ("whispers",)]


def test_the_page_has_the_sentences_and_an_element_for_each_drawing():
    page = run("read", "-", "--format", "html", given=OPEN).stdout
    assert page.count('class="element"') == 2
    assert re.findall(r'data-of="([\d ]*)"><title>(\w+ line)', page) == [
        ("2", "green line"),
        ("", "blue line"),
    ]
    assert page.count('class="open"') == 1
    assert 'stroke="#66ff66"' in page
    assert "<mark>" in page
    assert "1 sentence and 1 drawing are open" in page


@pytest.mark.slow
def test_a_sentence_that_is_pointed_at_highlights_its_elements(browser, tmp_path):
    file = tmp_path / "walls.html"
    file.write_text(aspdoku.interpret(OPEN).to_html(), "utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    lit = "[...document.querySelectorAll('.element.shown > title')].map(each => each.textContent)"
    assert page.evaluate(lit) == []
    page.hover("[data-sentence='2']")
    assert page.evaluate(lit) == ["green line along r1c1…r2c2"]
    page.hover("[data-sentence='1']")
    assert page.evaluate(lit) == []
    page.focus("[data-sentence='2']")
    assert page.evaluate(lit) == ["green line along r1c1…r2c2"]
    page.close()


# ---- Verdicts on rules that were read from words ----

FOUR = ".4.. ...4 ..2. 1..."  # one solution by the rules of a normal sudoku
MISREAD = "probably misunderstood"


COMMANDS = ("solve", "unique", "count", "explain", "redundant", "grade", "review")


def verdicts(command, given):
    """What a command says of a puzzle, as text and as JSON."""
    yield run(command, "-", given=given).output
    yield run(command, "-", "--format", "json", given=given).output


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("givens", ["1... .... ..2. ....", "11.. .... .... ...."])
def test_without_exactly_one_solution_the_words_were_probably_misread(givens, command):
    assert all(MISREAD in each for each in verdicts(command, document(NORMAL, givens=givens)))


@pytest.mark.parametrize("command", COMMANDS)
def test_with_exactly_one_solution_they_were_not(command):
    assert not any(MISREAD in each for each in verdicts(command, document(NORMAL, givens=FOUR)))


def test_results_in_python_and_in_pages_say_so():
    result = aspdoku.solve(document(NORMAL, givens="11.. .... .... ...."))
    assert MISREAD in str(result)
    assert MISREAD in repr(result)
    assert MISREAD in result.to_html()


def test_no_other_verdict_says_so():
    plain = json.dumps({"size": 4, "grid": [[{}] * 4] * 4})
    assert MISREAD not in run("solve", "-", given=plain).output
    # Something else is open, or the rules are no longer those of the text.
    assert MISREAD not in run("solve", "-", given=OPEN).output
    several = document(NORMAL, givens="1... .... ..2. ....")
    for option in (["--with", "diagonal"], ["--without", "box"], ["--fact", "ab(box)"]):
        assert MISREAD not in run("solve", "-", *option, given=several).output


def test_another_solution_than_the_stated_one_was_probably_misread():
    stated = json.loads(document(NORMAL, givens=FOUR))
    stated["metadata"]["solution"] = "3412213443211243"
    assert MISREAD not in run("solve", "-", given=json.dumps(stated)).output
    stated["metadata"]["solution"] = "3412213443211234"
    output = run("solve", "-", given=json.dumps(stated)).output
    assert MISREAD in output
    assert "the stated solution" in output


def test_no_command_says_so_of_grids_that_are_not_the_puzzle(tmp_path):
    file = tmp_path / "link.json"
    file.write_text(document(NORMAL, givens=FOUR), "utf-8")
    assert MISREAD not in run("batch", "--like", file, "-", given="." * 16 + "\n").output


def test_what_was_assumed_is_named_with_every_answer():
    given = document(WHISPERS, lines=[GREEN])
    assumed = "assumed: rows, columns and boxes contain every number once"
    for command in (["solve"], ["explain"], ["candidates"]):
        assert assumed in run(*command, "-", given=given).stderr
    for command in ("hint", "explain", "elaborate"):
        assert assumed in run(command, "-", "--format", "html", given=given).stdout
    answer = json.loads(run("solve", "-", "--format", "json", given=given).stdout)
    assert answer["assumed"] == [assumed.removeprefix("assumed: ")]
    with pytest.warns(UserWarning, match=assumed):
        aspdoku.solve(given)
