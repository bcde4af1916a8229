"""`aspdoku lsp` as an editor sees it: one server answers all tests."""

import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

pytest.importorskip("pygls.lsp.server", reason="pygls, version 2 or later, is not installed")

from cli.cli_runner import run
from editor.editor_client import LONGEST, Editor, editor, started

from aspdoku import check
from aspdoku.program import library

pytestmark = pytest.mark.slow
SLOPE = """% Along a slope, neighbours differ by at most 3.
#defined slope/3.  % slope(R,C,I): cell (R,C) lies on slope I
:- slope(R,C,I), a(R,C,9), not ab(slope).
"""
TEXT = """% Numbers of marked cells are even.
#defined gt/4.  % gt(R,C,R1,C1): cell (R,C) holds more than (R1,C1)
mine_cell(R,C) :- gt(R,C,_,_), cell(R,C).
%@ r{R}c{C} holds {N}
:- a(R,C,N), mine_cell(R,C), N \\ 2 = 1, not ab(mine).
"""
LONG = ":- a(R,C,N), a(R1,C1,M), a(R2,C2,O), a(R3,C3,N+M+O), R2 < R3, C3 < C2.\n"
SLOW = "p(X+1) :- p(X), X < 100000000.\np(1).\n:- a(R,C,N), p(R), N > 99, not ab(slow).\n"
EMOJI = 'p("😀", 1) :- row(1). :- a(R,C,N), N =< 3.\n'


@pytest.fixture(scope="module")
def shared():
    with editor() as client:
        yield client
    assert client.status == 0


@pytest.fixture
def opened(shared, tmp_path):
    """Open a file that is not saved; its address."""

    def open_(text, name="mine.lp"):
        uri = (tmp_path / name).as_uri()
        shared.open(uri, text)
        return uri

    return open_


def place(text, part, after=0):
    """The line and character of a part of a text, and as a dictionary."""
    offset = text.index(part) + after
    return text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset) - 1


def _beginning(edit):
    return edit["range"]["start"]["line"], edit["range"]["start"]["character"]


def edited(text, edits):
    """The text after edits in characters that are one unit of UTF-16."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    for each in sorted(edits, key=_beginning, reverse=True):
        begin, end = (
            starts[each["range"][edge]["line"]] + each["range"][edge]["character"]
            for edge in ("start", "end")
        )
        text = text[:begin] + each["newText"] + text[end:]
    return text


def told(finding):
    start = finding["range"]["start"]
    return start["line"] + 1, start["character"] + 1, finding["message"]


@pytest.mark.parametrize(
    "text",
    [
        ":- a(R,C,N), N =< 3.\n",
        ":- a(R,C,N), gr(R,C), N > M.\n",
        ":- a(R,C,N), number(n,R).\n",
        ":- a(R,C,9), N = C.\n",
        "p(X+1) :- p(X).\np(1).\n:- a(R,C,N), p(R), N > 99.\n",
        "% 𝔸 ä\n:- a(R,C,N), cell(R,C) N > 3.\n",
    ],
)
def test_findings_are_those_of_check(shared, opened, tmp_path, monkeypatch, text):
    uri = opened(text)
    found = [told(each) for each in shared.findings(uri) if each["severity"] < 3]
    (tmp_path / "mine.lp").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    expected = [
        (each.line, each.column, each.text.removeprefix("warning: "))
        for each in check("mine.lp").findings
    ]
    assert expected
    assert found == expected


def test_columns_are_units_of_utf_16(shared, opened):
    """An emoji in a string is two of them."""
    uri = opened(EMOJI)
    (finding,) = shared.findings(uri)
    assert finding["range"]["start"]["character"] == EMOJI.index("=<") + 1


def test_a_correction_removes_the_finding(shared, opened):
    uri = opened(TEXT.replace("N \\", "N =< 3, N \\"))
    assert [each["severity"] for each in shared.findings(uri)] == [1]
    shared.type(uri, TEXT)
    assert shared.findings(uri) == []


def test_files_next_to_it_are_checked_as_typed(shared, opened, tmp_path):
    """The saved rule file declares gt, its `.draw` file draws something else."""
    (tmp_path / "mine.lp").write_text(TEXT, "utf-8")
    uri = opened('["lt(R,C,R1,C1)"]\ndraw = "edge"\nshape = "sign"\n', "mine.draw")
    (finding,) = shared.findings(uri)
    assert told(finding)[0] == 1
    assert "neither declares nor defines lt/4" in finding["message"]
    shared.type(uri, '["gt(R,C,R1,C1)"]\ndraw = \n')
    (finding,) = shared.findings(uri)
    assert told(finding)[0] == 2
    assert "invalid TOML" in finding["message"]


def test_a_puzzle_has_findings_at_its_lines(shared, opened):
    text = "with: killer\n\n12..\n....\n..1.\n....\n\n[killer]\nr1c1 r1c9 = 3\n"
    uri = opened(text, "grid.txt")
    (finding,) = shared.findings(uri)
    assert told(finding)[0] == 9
    assert not finding["message"].startswith("grid.txt")


def test_a_puzzle_with_an_own_rule(shared, opened, tmp_path):
    (tmp_path / "slope.lp").write_text(SLOPE)
    text = "with: ./slope.lp\n\n....\n....\n....\n....\n\n[slope]\nr1c1 r1c2\n"
    uri = opened(text, "grid.txt")
    assert shared.findings(uri) == []
    shared.type(uri, text.replace("./slope", "../slope"))
    (finding,) = shared.findings(uri)
    assert finding["message"].startswith("'../slope.lp' was not read: a puzzle can refer to")
    assert "with --trust" in finding["message"]


def descendants(pid):
    """The number of processes that a process has started, directly or not."""
    parents = {}
    for each in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[int(each.parent.name)] = int(each.read_text().rpartition(")")[2].split()[1])
    found, waiting = set(), {pid}
    while waiting:
        waiting = {child for child, parent in parents.items() if parent in waiting} - found
        found |= waiting
    return len(found)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")
def test_a_new_key_ends_what_the_last_one_began(tmp_path):
    """The first text takes ten seconds, half of the time limit, to ground."""
    uri = (tmp_path / "mine.lp").as_uri()
    with editor() as client:
        client.open(uri, TEXT)
        client.findings(uri)
        time.sleep(0.5)
        idle = descendants(client.process.pid)
        client.type(uri, LONG)
        time.sleep(1.5)
        assert descendants(client.process.pid) > idle
        client.type(uri, TEXT)
        assert client.findings(uri) == []
        began = time.monotonic()
        while descendants(client.process.pid) > idle:
            assert time.monotonic() - began < 5
            time.sleep(0.1)
        versions = [each["version"] for each in client.published]
    assert versions.count(2) < 2


def labels(shared, uri, text, part, after=0):
    return {each["label"]: each for each in shared.at("completion", uri, *place(text, part, after))}


def test_completion_in_a_body(shared, opened):
    uri = opened(TEXT)
    found = labels(shared, uri, TEXT, "N \\ 2")
    base = {"a": "a(R,C,N)", "cell": "cell(R,C)", "row": "row(R)", "number": "number(N)"}
    own = {"mine_cell": "mine_cell(R,C)", "gt": "gt(R,C,R1,C1)", "not ab(mine)": "not ab(mine)"}
    sizes = {name: name for name in ("n", "box_rows", "R", "C", "N")}
    expected = base | own | sizes
    written = {name: found[name]["textEdit"]["newText"] for name in expected if name in found}
    assert written == expected
    assert "cell (R,C) holds more" in found["gt"]["detail"]


def test_a_word_of_the_vocabulary_is_declared_with_it(shared, opened):
    uri = opened(TEXT)
    word = labels(shared, uri, TEXT, "N \\ 2")["adjacent"]
    assert word["textEdit"]["newText"] == "adjacent(R,C,R1,C1)"
    assert "#defined adjacent/4.\n#defined gt" in edited(TEXT, word["additionalTextEdits"])


@pytest.mark.parametrize("line", ["", "#defined adjacent/4.\n"])
def test_a_file_of_clues_has_the_vocabulary_that_its_rule_declares(shared, opened, line):
    opened(line + TEXT)
    text = "gt(R,C,R1,C1) :- cell(R,C)."
    uri = opened(text, "mine.gen")
    assert ("adjacent" in labels(shared, uri, text, "cell", 0)) == bool(line)


@pytest.mark.parametrize(
    ("part", "after", "names"),
    [
        ("{N}", 1, {"R", "C", "N"}),
        ("ab(mine", 3, {"mine", "row", "column", "box"}),
        ("#defined gt", 9, {"gt/4", "adjacent/4", "arrow/4"}),
        ("against: ", 9, {"anti-knight", "killer"}),
    ],
)
def test_completion_elsewhere(shared, opened, part, after, names):
    text = f"% against: \n{TEXT}"
    uri = opened(text)
    assert names <= labels(shared, uri, text, part, after).keys()
    assert "a" not in labels(shared, uri, text, part, after)


def test_completion_while_a_statement_is_not_complete(shared, opened):
    text = TEXT + ":- mine_cell(R,C), a(R,"
    uri = opened(text)
    assert {"mine_cell", "gt", "R", "C"} <= labels(shared, uri, text, "a(R,", 4).keys()


def test_completion_in_a_puzzle(shared, opened):
    text = "wi\nwith: a\n\n....\n....\n....\n....\n\n[c\n"
    uri = opened(text.replace("with: a", "with: killer"), "grid.txt")
    assert "with" in labels(shared, uri, text, "wi", 2)
    shared.type(uri, text)
    assert "anti-knight" in labels(shared, uri, text, "with: a", 7)
    text = text.replace("with: a", "with: arrow")
    shared.type(uri, text)
    assert labels(shared, uri, text, "[c", 2).keys() == {"arrow"}


CAGE = """with: killer, greater-than
1 . . .
. . . .
. . 3 .
. . . .

[cage]
5: r1c1 r1c2

[greater-than]
.>. . .

. . . .

. . . .

. . . .

[facts]
cage(2,1,"mine").
"""


def test_cells_and_facts_in_a_puzzle(shared, opened):
    text = CAGE.replace("r1c2", "r1").replace('cage(2,1,"mine").', "cage(2,1,mine). ca")
    uri = opened(text, "grid.txt")
    cells = labels(shared, uri, text, "5: r1c1 r1", 10)
    assert [*cells] == [f"r{row}c{column}" for row in range(1, 5) for column in range(1, 5)]
    assert (cells["r3c3"]["detail"], cells["r3c4"]["detail"]) == ("given 3", "empty")
    assert not labels(shared, uri, text, ". . . .\n\n[facts]", 2)  # the signs between cells
    assert not labels(shared, uri, text, "cage(2,1", 8)
    stated = labels(shared, uri, text, ". ca", 4)
    assert stated["cage_value"]["textEdit"]["newText"] == "cage_value(I,S)"


BOARD = """with: boards
without: row, column
numbers: 1-2
....
....
....
....

[facts]
board(one,1,1,2,2).

[even]
r1c4
"""


def test_what_is_known_about_a_cell_of_a_puzzle(shared, opened, tmp_path):
    uri = opened(CAGE, "grid.txt")

    def shown(text, part):
        shared.type(uri, text)
        found = shared.at("hover", uri, *place(text, part, 1))
        return found and found["contents"]["value"]

    others = "- `gt(1,1,1,2)`\n- `cage_value(1,5)`"
    assert shown(CAGE, "r1c1") == f"**row 1, column 1**: given 1\n\n- `cage(1,1,1)`\n{others}"
    about = f"\n- `cage(1,2,1)`\n{others}"
    assert shown(CAGE, "r1c2") == f"**row 1, column 2**: empty\n{about}"
    assert "lies in cage I" in shown(CAGE, "cage(2,1")
    assert "greater than the one in" in shown(CAGE, "greater-than]")
    assert shown(CAGE.replace("r1c2", "r1c5"), "r1c5") == "**row 1, column 5**: not in the grid"
    assert shown(CAGE.replace(". . 3 .", ". . 3"), "r1c1") == "**row 1, column 1**"
    assert shown(CAGE, "5: r1c1") is None
    zero = CAGE.replace("1 . . .", "0 . . .").replace("with:", "numbers: 0-3\nwith:")
    assert "given 0" in shown(zero, "r1c1")
    begun = CAGE.replace("[cage]", "[cages of\nr1c1\n\n[cage]")
    assert shown(begun, "r1c2") == "**row 1, column 2**: empty\n"
    assert "not in the grid" in shown(BOARD, "r1c4")
    (tmp_path / "slope.lp").write_text(SLOPE)
    own = "with: ./slope.lp\n" + "....\n" * 4 + "[slope]\nr1c1 r1c2\n"
    assert shown(own, "r1c2").endswith("- `slope(1,2,1)`")
    shared.type(uri, CAGE)
    (declared,) = shared.at("definition", uri, *place(CAGE, "cage(2,1", 1))
    assert declared["uri"].endswith("/killer.lp")


def test_each_example_has_its_own_cells(shared, opened):
    small = "allowed: small\n1 .\n. .\n\n[slope]\nr\n"
    text = "allowed: nine\n" + f"{'. ' * 9}\n" * 9 + small
    opened(SLOPE, "slope.lp")
    uri = opened(text, "slope.examples")
    assert {"r1c1", "r1c2", "r2c1", "r2c2"} == {
        each for each in labels(shared, uri, text, "[slope]\nr", 9) if "c" in each[:3]
    }


EXAMPLES = """\
forbidden: a nine
with: ./low.lp
9 . . . . . . . .
{0}
[slope]
r1c1 r1c2

allowed: an eight
8 . . . . . . . .
{0}
[slope]
r1c1 r1c2
""".format(". . . . . . . . .\n" * 8)


def test_examples_are_tried(shared, opened, tmp_path):
    (tmp_path / "low.lp").write_text("% Low.\n:- a(9,9,9), not ab(low).\n")
    opened(SLOPE.replace("a(R,C,9)", "a(R,C,8)"), "slope.lp")
    uri = opened(EXAMPLES, "slope.examples")
    found = [(each["range"]["start"]["line"], each["message"]) for each in shared.findings(uri)]
    assert [line for line, _ in found] == [0, EXAMPLES.split("\n").index("allowed: an eight")]
    assert found[0][1] == "slope.lp allows a grid with these numbers"
    text = EXAMPLES + "\n[\nal"
    shared.type(uri, text)
    assert "slope" in labels(shared, uri, text, "\n[\n", 2)
    assert "allowed" in labels(shared, uri, text, "[\nal", 4)


def test_completion_of_a_rule_in_words(shared, opened):
    text = "sa\nsays: thermo incr\ntext: thermo incr\n"
    uri = opened(text, "mine.words")
    assert {"says", "text"} <= labels(shared, uri, text, "sa", 2).keys()
    assert {"thermo", "increase"} <= labels(shared, uri, text, "says: thermo incr", 17).keys()
    assert not labels(shared, uri, text, "text: thermo incr", 17)
    for text in ("# dr", "dr aw"):
        shared.type(uri, text)
        assert not labels(shared, uri, text, text, len(text))
    text = "says: {\n"
    shared.type(uri, text)
    assert labels(shared, uri, text, "{", 1)["{123}"]["textEdit"]["newText"] == "123}"
    text = "draw: \ncovers: ki\n"
    shared.type(uri, text)
    kinds = labels(shared, uri, text, "draw: ", 6)
    assert "thermo" in kinds
    assert "increase" not in kinds
    assert "killer" in labels(shared, uri, text, "covers: ki", 10)


def test_what_a_line_of_words_means(shared, opened):
    text = "# mine, draw\ndraw: thermo\ncovers: thermo\nsays: thermo increase\n"
    uri = opened(text, "mine.words")
    said = [
        shared.at("hover", uri, *place(text, part, after))["contents"]["value"]
        for part, after in (("draw:", 1), (": thermo\ns", 3), ("increase", 1), ("says", 1))
    ]
    assert said[0].startswith("**draw: KIND**")
    assert said[1].startswith("**thermo**: ")
    assert "ascend" in said[2]
    assert "in any order" in said[3]
    assert shared.at("hover", uri, *place(text, "mine", 1)) is None
    assert shared.at("hover", uri, *place(text, "draw", 1)) is None  # in a comment
    (rule,) = shared.at("definition", uri, *place(text, ": thermo\ns", 3))
    assert rule["uri"].endswith("/thermo.lp")
    (line,) = shared.at("definition", uri, *place(text, "increase", 1))
    lexicon = library.data_dir() / "lexicon.txt"
    assert line["uri"] == lexicon.as_uri()
    number = line["range"]["start"]["line"]
    assert lexicon.read_text("utf-8").split("\n")[number].startswith("increase: ")


@pytest.mark.parametrize(
    ("part", "says"),
    [
        ("a(R,C,N)", "a(R,C,N): the cell in row R, column C holds N"),
        ("gt(R,C,_", "cell (R,C) holds more than (R1,C1)"),
        ("mine_cell(R,C), N", "mine_cell(R,C) :- gt(R,C,_,_), cell(R,C)."),
        ("cell(R,C).", "cell(R,C) :- row(R), column(C), not unused(R,C)."),
        ("ab(mine)", "a fact ab(NAME) retracts the rule NAME"),
        ("{N}", "The message of the statement in line 5: “r{R}c{C} holds {N}”."),
    ],
)
def test_hover(shared, opened, part, says):
    uri = opened(TEXT)
    assert says in shared.at("hover", uri, *place(TEXT, part, 1))["contents"]["value"]


def test_a_constraint_shows_a_grid_that_it_forbids(shared, opened):
    text = TEXT + ":- a(1,1,1), not ab(mine).\n"
    uri = opened(text)
    shown = shared.at("hover", uri, *place(text, ":- a(1,1,1)", 1))["contents"]["value"]
    assert "mine.lp:6" in shown
    assert "[1]" in shown
    assert "data:image" not in shown
    shown = shared.at("hover", uri, *place(text, ":- a(R,C,N)", 1))["contents"]["value"]
    assert 'mine.lp:5, "r' in shown
    assert "with gt(" in shown


def test_a_client_that_shows_pictures_gets_them(tmp_path):
    uri = (tmp_path / "mine.lp").as_uri()
    with editor(pictures=True) as client:
        client.open(uri, TEXT)
        shown = client.at("hover", uri, *place(TEXT, ":- a(", 1))["contents"]["value"]
    assert "](data:image/svg+xml;base64," in shown


def test_definitions(shared, opened):
    text = "#defined adjacent/4.\n" + TEXT + ":- adjacent(R,C,R1,C1), a(R,C,N), a(R1,C1,N).\n"
    uri = opened(text)
    root = library.data_dir()

    def found(part):
        return [
            (each["uri"], each["range"]["start"]["line"] + 1)
            for each in shared.at("definition", uri, *place(text, part, 1))
        ]

    base = (root / "base.lp").read_text("utf-8").split("\n")
    line = next(number for number, each in enumerate(base, 1) if each.startswith("{ a("))
    assert found("a(R,C,N)") == [((root / "base.lp").as_uri(), line)]
    assert found("mine_cell(R,C), N") == [(uri, 4)]
    assert found("adjacent(R") == [((root / "vocabulary" / "adjacent.lp").as_uri(), 3)]
    rule = root / "elaborations" / "greater-than.lp"
    assert found("gt(R,C,_") == [(uri, 3), (rule.as_uri(), 3)]


def test_the_definition_of_a_rule_in_a_puzzle(shared, opened):
    text = "with: anti-knight\n\n....\n....\n....\n....\n"
    uri = opened(text, "grid.txt")
    (found,) = shared.at("definition", uri, *place(text, "anti-knight", 3))
    assert found["uri"].endswith("/anti-knight.lp")
    shown = shared.at("hover", uri, *place(text, "anti-knight", 3))
    assert "chess knight's move" in shown["contents"]["value"]


def test_the_definition_of_an_own_rule_and_its_input_in_a_puzzle(shared, opened, tmp_path):
    rule = tmp_path / "slope.lp"
    rule.write_text(SLOPE)
    text = "with: anti-knight, ./slope.lp\n\n....\n....\n....\n....\n\n[slope]\nr1c1 r1c2\n"
    uri = opened(text, "grid.txt")
    for part, line in (("./slope", 0), ("slope.lp", 0), ("[slope", 1)):
        (found,) = shared.at("definition", uri, *place(text, part, 3))
        assert (found["uri"], found["range"]["start"]["line"]) == (rule.as_uri(), line)
        shown = shared.at("hover", uri, *place(text, part, 3))
        assert "slope(R,C,I): cell (R,C) lies on slope I" in shown["contents"]["value"]


def test_the_input_that_is_drawn(shared, opened, tmp_path):
    rule = tmp_path / "slope.lp"
    rule.write_text(SLOPE)
    text = '["slope(R,C,I)"]\ndraw = "line"\n'
    uri = opened(text, "slope.draw")
    (found,) = shared.at("definition", uri, *place(text, "slope", 3))
    assert (found["uri"], found["range"]["start"]["line"]) == (rule.as_uri(), 1)
    shown = shared.at("hover", uri, *place(text, "slope", 3))
    assert "cell (R,C) lies on slope I" in shown["contents"]["value"]


def renamed(shared, uri, text, part, after, new):
    edit = shared.at("rename", uri, *place(text, part, after), newName=new)
    return edited(text, edit["changes"][uri])


def test_renaming(shared, opened):
    uri = opened(TEXT)
    assert renamed(shared, uri, TEXT, "mine_cell", 2, "mine_spot") == TEXT.replace(
        "mine_cell", "mine_spot"
    )
    expected = TEXT.replace("r{R}c", "r{Row}c").replace(
        ":- a(R,C,N), mine_cell(R,C)", ":- a(Row,C,N), mine_cell(Row,C)"
    )
    assert renamed(shared, uri, TEXT, ":- a(R", 5, "Row") == expected


def test_formatting(shared, opened):
    def formatted(text, name="mine.lp"):
        asked = {"textDocument": {"uri": opened(text, name)}}
        options = {"tabSize": 8, "insertSpaces": False}
        return edited(text, shared.ask("textDocument/formatting", {**asked, "options": options}))

    untidy = TEXT.replace(", ", ",").replace("\n", "  \n\n\n") + "p :-\nrow( 1 )."
    tidy = TEXT.replace("\n", "\n\n") + "p :-\n    row(1).\n"
    assert formatted(untidy) == formatted(tidy) == tidy
    assert formatted(untidy, "mine.gen") == tidy
    broken = ":- a(R,C,N),N =< 3."
    assert formatted(broken) == broken
    words = "says:  line\n\n\n"
    assert formatted(words, "mine.words") == words


@pytest.mark.parametrize(
    ("part", "new", "reason"),
    [
        (
            "gt(R,C,_",
            "less",
            "gt/4 is declared as an input, which other files state: it is not renamed",
        ),
        ("a(R,C,N)", "b", "a/3 is not a predicate that only this file defines"),
        ("mine_cell", "cell", "cell is not a name for a predicate, or is already used"),
        ("mine_cell", "Cell", "Cell is not a name for a predicate, or is already used"),
        ("C,N), mine", "N", "this statement already has a variable N"),
    ],
)
def test_what_cannot_be_renamed(shared, opened, part, new, reason):
    uri = opened(TEXT)
    line, character = place(TEXT, part)
    params = {"textDocument": {"uri": uri}, "newName": new}
    params["position"] = {"line": line, "character": character}
    answer = shared.answer(shared.send("textDocument/rename", params))
    assert answer["error"]["message"] == reason


@pytest.mark.parametrize(
    ("text", "titles", "corrected"),
    [
        (":- a(R,C,N), N =< 3.\n", ["Replace =< by <="], ":- a(R,C,N), N <= 3.\n"),
        (":- a(R,C,N), N ≤ 3.\n", ["Replace ≤ by <="], ":- a(R,C,N), N <= 3.\n"),
        (":- a(R,C,N) N > 3.\n", ["Insert ,"], ":- a(R,C,N), N > 3.\n"),
        (":- a(R,C,N), N > R, .\n", ["Remove ,"], ":- a(R,C,N), N > R .\n"),
        (
            "% T\n:- a(R,C,N), gr(R,C).\n",
            ["Insert #defined gr/2."],
            "% T\n#defined gr/2.\n:- a(R,C,N), gr(R,C).\n",
        ),
        (
            "% T\n%@ r{R}\n:- a(R,C,N), gr(R,C).\n",
            ["Insert #defined gr/2."],
            "% T\n#defined gr/2.\n%@ r{R}\n:- a(R,C,N), gr(R,C).\n",
        ),
        (":- a(R,C,N), colum(C).\n", ["Replace colum by column"], ":- a(R,C,N), column(C).\n"),
        (":- a(R,R,R).\n", ["Insert , not ab(mine)"], ":- a(R,R,R), not ab(mine).\n"),
        (":- a(R,R,9), not ab(mine).\n", ["Replace 9 by n"], ":- a(R,R,n), not ab(mine).\n"),
    ],
)
def test_remedies(shared, opened, text, titles, corrected):
    uri = opened(text)
    assert shared.findings(uri)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    params = {"textDocument": {"uri": uri}, "range": whole, "context": {"diagnostics": []}}
    actions = shared.ask("textDocument/codeAction", params)
    assert [each["title"] for each in actions] == titles
    assert edited(text, actions[0]["edit"]["changes"][uri]) == corrected


def lenses(shared, uri):
    found = shared.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
    return [(each["range"]["start"]["line"], each["command"]) for each in found]


def test_lenses(shared, opened):
    text = library.find("anti-knight").text
    uri = opened("% against: anti-knight\n:- a(R,C,N), N > n, not ab(mine).\n")
    (verdict, counted) = lenses(shared, uri)
    assert verdict[0] == 0
    assert verdict[1]["title"] == "too lax at 4x4: show"
    assert counted[1]["title"] == "removes 0 of 28,200,960 grids of 6x6"
    # 28,200,960 grids of 6x6: Wikipedia, "Mathematics of Sudoku"; the command of the whole rule
    # counts the others.
    shared.type(uri, f"% against: anti-knight\n{text}")
    (verdict, counted) = lenses(shared, uri)
    assert verdict[1]["title"].startswith("right")
    left = int(run("count", "-c", "n=6", "--with", "anti-knight").stdout.split()[0])
    assert counted[1]["title"] == f"removes {28200960 - left:,} of 28,200,960 grids of 6x6"


def test_a_lens_shows_a_grid(shared, opened):
    uri = opened("% against: anti-knight\n:- a(1,1,1), not ab(mine).\n")
    command = lenses(shared, uri)[0][1]
    shared.ask(
        "workspace/executeCommand",
        {"command": command["command"], "arguments": command["arguments"]},
    )
    assert "forbids this grid" in shared.shown[-1]
    hovered = shared.at("hover", uri, 0, 5)["contents"]["value"]
    assert "forbids this grid" in hovered


def test_the_base_has_no_findings(shared, opened):
    """The findings of a file that is opened after it come without any of it."""
    uri = (library.data_dir() / "base.lp").as_uri()
    shared.open(uri, library.base().text + ":- a(R,C,N), N =< 3.\n")
    hover = shared.at("hover", uri, 13, 2)
    assert "a(R,C,N)" in hover["contents"]["value"]
    shared.findings(opened(TEXT))
    assert [each for each in shared.published if each["uri"] == uri] == []


def test_columns_in_the_encoding_of_the_client(tmp_path):
    uri = (tmp_path / "mine.lp").as_uri()
    with editor(encodings=("utf-8",)) as client:
        assert client.capabilities["positionEncoding"] == "utf-8"
        client.open(uri, EMOJI)
        (finding,) = client.findings(uri)
    assert finding["range"]["start"]["character"] == EMOJI.index("=<") + 3


def test_nothing_is_left_in_the_temporary_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with editor() as client:
        client.open("file:///nowhere/mine.lp", TEXT)
        client.findings("file:///nowhere/mine.lp", 1)
        assert [each.name.partition("-")[0] for each in tmp_path.iterdir()] == ["aspdoku"]
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_removes_the_folder(tmp_path, monkeypatch, number):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with started() as process:
        client = Editor(process)
        client.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        client.open("file:///nowhere/mine.lp", LONG)
        time.sleep(1.0)
        assert [*tmp_path.iterdir()]
        process.send_signal(number)
        assert process.wait(20) == -number
        assert [*tmp_path.iterdir()] == []


def test_other_commands_do_not_import_it():
    script = "import sys, aspdoku.cli.servers, aspdoku.editor.searches; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert loaded.isdisjoint({"pygls", "lsprotocol", "attrs", "cattrs"})


def test_a_search_delays_no_other_file(tmp_path):
    """Grounding a constraint of SLOW takes longer than the time limit of an answer."""
    slow, quick = ((tmp_path / name).as_uri() for name in ("slow.lp", "mine.lp"))
    with editor() as client:
        client.open(slow, SLOW)
        asked = {"textDocument": {"uri": slow}, "position": {"line": 2, "character": 1}}
        begun = [client.send("textDocument/hover", asked) for _ in range(4)]
        time.sleep(1.0)
        client.open(quick, TEXT)
        assert "cell" in labels(client, quick, TEXT, "N \\ 2")
        hover = client.at("hover", quick, *place(TEXT, "a(R,C,N)", 1))
        assert "holds N" in hover["contents"]["value"]
        client.findings(quick, 1)
        assert not client.answers.keys() & set(begun)
        client.notify("$/cancelRequest", {"id": begun[0]})
        assert client.answer(begun[0])["error"]["code"] == -32800


def test_an_error_that_moves_to_another_file_is_shown_once(tmp_path):
    """The `.draw` file is at fault until the rule file declares what it draws. Its folder has signs
    that clients write in different ways.
    """
    folder = tmp_path / "a (b) +"
    rule, style = ((folder / f"mine{each}").as_uri() for each in (".lp", ".draw"))
    written = style.replace("%28", "(").replace("%29", ")").replace("%2B", "+")
    with editor() as client:
        client.open(rule, TEXT)
        client.findings(rule)
        client.open(written, '["lt(R,C,R1,C1)"]\ndraw = "edge"\nshape = "sign"\n')
        (finding,) = client.findings(written)
        assert "neither declares nor defines lt/4" in finding["message"]
        client.published.clear()
        client.type(rule, TEXT.replace("gt", "lt"))
        assert client.findings(written) == []
        client.type(rule, TEXT)
        client.published.clear()
        client.wait_for(lambda: [each for each in client.published if each["diagnostics"]])
        client.published.clear()
        client.notify("textDocument/didClose", {"textDocument": {"uri": written}})
        assert client.findings(rule) == []
        assert {"uri": written, "diagnostics": []} in client.published


def test_a_grid_violates_the_constraint_above_which_its_message_is(shared, opened):
    text = "%@ r{R} one\n:- a(R,C,1), C = 1, not ab(mine).\n:- a(_,C,2), C = 2, not ab(mine).\n"
    uri = opened(text)
    shown = shared.at("hover", uri, 2, 1)["contents"]["value"]
    assert "mine.lp:3" in shown
    assert " one" not in shown
    shown = shared.at("hover", uri, 1, 1)["contents"]["value"]
    assert 'mine.lp:2, "r' in shown


@pytest.mark.parametrize("sign", ["\u2028", "\u0085", "\x0b", "\x0c"])
def test_signs_that_end_no_line(shared, opened, sign):
    text = f"% one{sign}two\n{TEXT}"
    uri = opened(text)
    assert shared.capabilities["textDocumentSync"]["change"] == 1
    found = shared.at("hover", uri, *place(text, "mine_cell(R,C), N", 1))
    assert "mine_cell" in found["contents"]["value"]
    assert found["range"]["start"] == dict(
        zip(("line", "character"), place(text, "mine_cell(R,C), N"), strict=True)
    )


def test_lines_that_end_as_in_windows(shared, opened):
    text = ":- a(R,C,N),\r\n   N =< 3.\r\n"
    uri = opened(text)
    (finding,) = shared.findings(uri)
    assert told(finding)[:2] == (2, 6)


def test_an_invalid_control_character_has_a_place(shared, opened):
    uri = opened("% one\n% a\x00b\n")
    (finding,) = shared.findings(uri)
    assert told(finding) == (2, 4, "invalid control character '\\x00': remove it")


def test_the_end_while_an_answer_is_computed(tmp_path):
    """Without `shutdown`: standard error stays short."""
    uri = (tmp_path / "mine.lp").as_uri()
    with started(stderr=subprocess.PIPE) as process:
        client = Editor(process)
        client.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        client.open(uri, SLOW)
        params = {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 1}}
        client.send("textDocument/hover", params)
        time.sleep(1.0)
        client.notify("exit", None)
        _, printed = process.communicate(timeout=LONGEST)
    assert b"Traceback" not in printed
    assert len(printed) < 1000


def test_a_file_that_is_closed_at_once(shared, tmp_path):
    uri = (tmp_path / "gone.lp").as_uri()
    shared.open(uri, TEXT)
    shared.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    params = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 1}}
    answer = shared.answer(shared.send("textDocument/hover", params))
    assert answer["error"]["code"] == -32803
    assert "gone.lp is not open and cannot be read" in answer["error"]["message"]
    shared.open(uri, TEXT.replace("N \\", "N =< 3, N \\"))
    assert [each["severity"] for each in shared.findings(uri)] == [1]


@pytest.mark.parametrize(
    ("before", "after", "label", "completed"),
    [
        (":- a(R,C,N), ce", "", "cell", ":- a(R,C,N), cell(R,C)"),
        (":- a(R,C,N), ce", "(R,C).", "cell", ":- a(R,C,N), cell(R,C)."),
        (":- a(R,C,N), N-", "", "n", ":- a(R,C,N), N-n"),
        (":- a(R,C,N), not a", ".", "ab(mine)", ":- a(R,C,N), not ab(mine)."),
        ("#defined ad", ".", "adjacent/4", "#defined adjacent/4."),
        ("#defined ad", "", "adjacent/4", "#defined adjacent/4."),
        ("% against: anti-k", "", "anti-knight", "% against: anti-knight"),
    ],
)
def test_a_completion_replaces_what_is_begun(shared, opened, before, after, label, completed):
    uri = opened(before + after)
    edit = labels(shared, uri, before + after, before, len(before))[label]["textEdit"]
    assert edited(before + after, [edit]) == completed


def test_no_completion_in_a_string(shared, opened):
    text = ':- a(R,C,N), p("ce").\n'
    assert labels(shared, opened(text), text, "ce", 2) == {}
