"""Lists with columns: the column with the puzzles is found by its content, nothing else is lost.

The solutions are those of Wikipedia's example and of a 4x4 grid that is written out.
"""

import pytest
from cli_runner import run
from in_one_test import in_one_test
from sampling import one_in

import aspdoku
from aspdoku.errors import PuzzleError
from aspdoku.formats import parse, parse_all
from aspdoku.formats.detection import arranged
from aspdoku.puzzlefile import oneline

NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
FOUR, FOUR_SOLVED = "12..341.214.43..", "1234341221434321"
RECORDS = {
    "a header, the solution": f"puzzle,solution\n{NINE},{SOLVED}\n",
    "the solution first": f"solution,puzzle\n{SOLVED},{NINE}\n",
    "semicolons": f"id;quizzes;solutions\n7;{NINE};{SOLVED}\n",
    "tabs": f"7\t{NINE}\t{SOLVED}\n",
    "quotes": f'"puzzle","solution"\n"{NINE}","{SOLVED}"\n',
    "blanks": f"0000183b305c {NINE} 1.2\n",
    "tabs, the puzzle first": f"puzzle\tsolution\n{NINE}\t{SOLVED}\n",
    "one column with a name": f"Puzzle\n{NINE}\n",
    "a Markdown table": f"| puzzle | level |\n|---|---|\n| {NINE} | easy |\n",
    "bars": f"| 7 | {NINE} | easy |\n",
    "zeros": f"id,puzzle,clues,difficulty\n1,{NINE.replace('.', '0')},30,0.0\n",
    "two words": f"{NINE} {SOLVED}\n",
    "CRLF": f"puzzle,solution\r\n{NINE},{SOLVED}\r\n",
    "several": "puzzle,solution\n" + f"{NINE},{SOLVED}\n" * 3,
}


@in_one_test("text", RECORDS.values())
def test_the_column_with_the_puzzles_is_found(text):
    puzzles = parse_all(text)
    assert [each.grid for each in puzzles] == [parse(NINE).grid] * len(puzzles)
    assert not any(each.unsupported or each.facts for each in puzzles)


@pytest.mark.parametrize("text", one_in(4, RECORDS.values()), ids=RECORDS)
def test_batch_solves_the_same_lists(text, tmp_path):
    (tmp_path / "list").write_text(text)
    results = run("batch", str(tmp_path / "list")).stdout.splitlines()
    assert len(results) == len(text.splitlines())
    assert [line for line in results if line != "- empty"] == [f"{SOLVED} unique"] * (
        text.count(NINE.replace(".", "0")) + text.count(NINE)
    )
    assert [
        str(each.status) for each in aspdoku.batch(text.splitlines()) if each.status != "empty"
    ] == ["unique"] * len(parse_all(text))


OTHER = "003020600900305001001806400008102900700000008006708200002609500800203009005010300"
OTHER_SOLVED = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
TWO = {
    "JSON lines": f'{{"puzzle": "{NINE}", "solution": "{SOLVED}"}}\n{{"puzzle": "{OTHER}"}}\n',
    "a list of records": f'[{{"puzzle": "{NINE}", "level": 1}},\n {{"puzzle": "{OTHER}"}}]',
    "a list of strings": f'["{NINE}",\n "{OTHER}"]',
    "a list of lists": str(
        [
            [*map(int, rows[at : at + 9])]
            for rows in (NINE.replace(".", "0"), OTHER)
            for at in range(0, 81, 9)
        ]
    ),
    "XML": "<opensudoku>"
    + "".join(f'<game data="{rows.replace(".", "0")}"/>' for rows in (NINE, OTHER))
    + "</opensudoku>",
    "two grids": "\n".join(rows[at : at + 9] for rows in (NINE, OTHER) for at in range(0, 81, 9)),
    "two grids with titles": "\n".join(
        f"Grid 0{number}\n" * (at == 0) + rows[at : at + 9]
        for number, rows in enumerate((NINE, OTHER), 1)
        for at in range(0, 81, 9)
    ),
}


@pytest.mark.parametrize("text", TWO.values(), ids=TWO)
def test_batch_solves_every_file_with_several_puzzles(text):
    assert len(parse_all(text)) == 2
    expected = [f"{SOLVED} unique", f"{OTHER_SOLVED} unique"]
    assert run("batch", "-", given=text).stdout.splitlines() == expected
    assert [str(each) for each in aspdoku.batch(text.splitlines())] == expected


def test_batch_compares_solutions_and_reports_parts_of_other_formats():
    text = f'{{"puzzle": "{FOUR}", "solution": "{FOUR_SOLVED[:-2]}12", "cages": "A5"}}'
    found = run("batch", "-", given=text)
    assert found.stderr == "warning: unsupported and ignored: the column 'cages'\n"
    assert found.stdout.startswith(f"{FOUR_SOLVED} unique: ignoring unsupported parts: the column")
    assert "the stated solution (these rules give r4c3=" in found.stdout


def test_batch_names_the_rule_that_a_line_cannot_represent():
    rows = ", ".join(["[{}, {}, {}, {}]"] * 4)
    given = f'{{"size": 4, "grid": [{rows}], "antiknight": true}}'
    found = run("batch", "-", given=given)
    assert found.exit_code == 65
    assert "run `aspdoku solve`" in found.stderr
    assert "the rule anti-knight" in found.stderr


def test_batch_reads_a_list_without_waiting_for_its_end():
    def lines():
        yield f"{NINE}\n"
        raise AssertionError

    assert next(arranged(lines())[1]) == f"{NINE}\n"


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_batch_refuses_the_encodings_that_solve_refuses(encoding, tmp_path):
    file = tmp_path / "list.csv"
    file.write_bytes(f"level;puzzle\nmäßig;{NINE}\n".encode(encoding))
    refused = [run(command, str(file)) for command in ("solve", "batch")]
    assert [each.exit_code for each in refused] == [65, 65]
    words = "not a text file" if encoding == "utf-16" else "list.csv:2: "
    assert all(words in each.stderr and "UTF-8" in each.stderr for each in refused)


def test_a_solution_with_empty_cells_is_none():
    words = "after the grid has empty cells, so it is no solution: delete it"
    with pytest.raises(PuzzleError, match=f"line 3: '0000.*' {words}"):
        parse_all(f"puzzle,solution\n{NINE},{SOLVED}\n{NINE},{'0' * 81}\n")


def test_an_error_about_columns_names_its_line():
    with pytest.raises(PuzzleError, match="line 3: 3 columns, but the header names 2"):
        parse_all(f"# a list\npuzzle,solution\n{NINE},{SOLVED},easy\n")
    with pytest.raises(PuzzleError, match="line 3: columns 1 and 2 can all be the puzzle"):
        parse_all(f"# a list\n\n{NINE},{'.' * 81}\n")
    (first, second) = parse_all(f"puzzle,solution\n{NINE},{SOLVED}\n{NINE},{SOLVED},easy\n")
    assert (first.title, second.title) == ("", "easy")


def test_other_columns_are_in_the_title_or_reported():
    (puzzle,) = parse_all(f"id,puzzle,rating,cages\n7,{NINE},1.2,A5\n")
    assert puzzle.title == "id 7, rating 1.2, cages A5"
    assert puzzle.unsupported == ("the column 'cages'",)
    (puzzle,) = parse_all(f"0000183b305c {NINE} 1.2\n")
    assert puzzle.title == "0000183b305c 1.2"


def test_a_stated_solution_is_compared(tmp_path):
    """In a list, as that of one puzzle: with the only solution, or with their number."""
    other = FOUR_SOLVED[:-2] + "12"
    opened, impossible = "." * 16, "11" + "." * 14
    stated = {
        (FOUR, FOUR_SOLVED): "",
        (FOUR, other): "the stated solution (these rules give r4c3=",
        (opened, FOUR_SOLVED): "the stated solution (these rules allow several)",
        (impossible, f"1{'1' * 15}"): "the stated solution (these rules allow none)",
    }
    records = [f"{puzzle},{solution}" for puzzle, solution in stated]
    file = tmp_path / "list.csv"
    file.write_text("\n".join(["puzzle,solution", *records]))
    reasons = [each.data.reason for each in aspdoku.batch(file.read_text().splitlines(), size=4)][
        1:
    ]
    printed = run("batch", str(file)).stdout.splitlines()[1:]
    for record, words, reason, line in zip(records, stated.values(), reasons, printed, strict=True):
        (tmp_path / "one.csv").write_text(f"puzzle,solution\n{record}\n")
        found = run("solve", str(tmp_path / "one.csv"), "-n", "2").stdout
        for answer in (reason, line, found):
            assert words in answer
            assert ("the stated solution" in answer) == bool(words)
    with pytest.raises(PuzzleError, match="the stated solution has another number than the one"):
        parse_all(f"puzzle,solution\n{FOUR},{'4' + FOUR_SOLVED[1:]}\n")


ZEROS = f"00{NINE[2:]}".replace(".", "0")
SHORTENED = {
    "zeros at the front": f"puzzle,solution\n{ZEROS.lstrip('0')},{SOLVED}\n",
    "zeros at the front, without names": f"{ZEROS.lstrip('0')},{SOLVED}\n",
    "zeros at the front, tabs": f"puzzle\tsolution\n{ZEROS.lstrip('0')}\t{SOLVED}\n",
    "a rounded number": f"puzzle,solution\n5.3E+80,{SOLVED}\n",
    "a rounded number, without names": f"5.3E+80;{SOLVED}\n",
    "the second line": f"puzzle,solution\n{NINE},{SOLVED}\n{ZEROS.lstrip('0')},{SOLVED}\n",
}


@pytest.mark.parametrize("text", SHORTENED.values(), ids=SHORTENED)
def test_a_puzzle_that_a_spreadsheet_has_shortened_is_rejected(text):
    with pytest.raises(PuzzleError, match="a spreadsheet removes zeros at the front of a number"):
        parse_all(text)


def test_lists_with_an_unsupported_column_are_not_solved_without_a_word(tmp_path):
    text = f"puzzle,regions\n{FOUR},A5\n"
    (tmp_path / "list.csv").write_text(text)
    found = run("batch", str(tmp_path / "list.csv"))
    assert found.stderr.count("unsupported and ignored: the column 'regions'") == 1
    words = "ignoring unsupported parts: the column 'regions'"
    assert found.stdout.splitlines()[1] == f"{FOUR_SOLVED} unique: {words}"
    for like in (None, FOUR, aspdoku.compose(FOUR)):
        size = {} if like else {"size": 4}
        with pytest.warns(aspdoku.AspdokuWarning, match="the column 'regions'") as warned:
            (_, result) = aspdoku.batch(text.splitlines(), like=like, **size)
        assert warned[0].filename == __file__
        assert (result.status, result.data.reason) == ("unique", words)
        assert words in repr(result)


def test_two_columns_with_puzzles_are_ambiguous_without_names():
    with pytest.raises(PuzzleError, match="line 1: columns 1 and 2 can all be the puzzle"):
        parse_all(f"{NINE},{'.' * 81}\n")
    (puzzle,) = parse_all(f"puzzle,state\n{NINE},{'.' * 81}\n")
    assert puzzle.grid == parse(NINE).grid
    assert puzzle.unsupported == ("the column 'state'",)


def test_the_solution_of_a_line_is_no_comment():
    found = oneline.parse_line(f"{FOUR} {FOUR_SOLVED} # easy", 4)
    assert found is not None
    assert (bytes(map(int, FOUR_SOLVED)), "easy") == (found.solution, found.comment)
