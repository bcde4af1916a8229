"""`new` creates a template, and `check` lints rule files."""

import json
import os

import pytest
from cli_runner import ASP, ELABORATIONS, grid_of_line, run, run_process

import aspdoku

NAMES = ["no-touch", "x", "two2-words-3"]
BAD_NAMES = [
    "X",
    "no touch",
    "no_touch",
    "-x",
    "x-",
    "a--b",
    "1st",
    "",
    "../up",
    "a/b",
    "/tmp/x",
    "x.lp",
    "é",
    "x\n",
    "{{x}}",
    "a.b",
]


def find_files(folder):
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*"))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_new_file_passes_check_and_can_be_used(name, tmp_path):
    done = run_process("new", name, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert find_files(tmp_path) == [f"{name}.examples", f"{name}.lp", f"{name}.words"]
    assert (tmp_path / f"{name}.lp").read_text("utf-8").endswith("\n")
    assert f"--with ./{name}.lp" in done.stdout.decode()

    checked = run_process("check", f"{name}.lp", cwd=tmp_path)
    assert (checked.returncode, checked.stdout, checked.stderr) == (
        0,
        f"{name}.lp: nothing found\n".encode(),
        f"note: {name}.lp:1:1: this is the unchanged template of `aspdoku new`: replace its title"
        " and its example\n".encode(),
    )

    played = run_process(
        "solve",
        "-c",
        "n=4",
        "--without",
        "box",
        "-n",
        "0",
        "--format",
        "line",
        "--with",
        f"./{name}.lp",
        cwd=tmp_path,
    )
    assert (
        played.returncode == 20
    )  # every Latin square of size 4 has equal numbers on some diagonal; confirmed by counting:
    assert count_of_latin_squares_without_diagonal_twins(4) == 0
    larger = run_process(
        "solve", "-c", "n=5", "-n", "0", "--format", "line", "--with", f"./{name}.lp", cwd=tmp_path
    )
    assert len(larger.stdout.splitlines()) == count_of_latin_squares_without_diagonal_twins(5)


def count_of_latin_squares_without_diagonal_twins(size):
    """Counted by the relations of the oracle, row by row.

    The template's example rule forbids a number diagonally below itself.
    """
    from itertools import permutations

    def extend(rows):
        if len(rows) == size:
            return 1
        return sum(extend([*rows, row]) for row in permutations(range(size)) if fits(rows, row))

    def fits(rows, row):
        if any(row[c] == above[c] for above in rows for c in range(size)):
            return False
        last = rows[-1] if rows else None
        return last is None or not any(
            row[c] == last[c1] for c in range(size) for c1 in (c - 1, c + 1) if 0 <= c1 < size
        )

    return extend([])


@pytest.mark.slow
def test_a_new_rule_can_be_retracted(tmp_path):
    run_process("new", "no-touch", cwd=tmp_path)
    arguments = ["solve", "-c", "n=4", "-n", "0", "--format", "line", "--with", "./no-touch.lp"]
    done = run_process(*arguments, "--without", "no-touch", cwd=tmp_path)
    assert len(done.stdout.splitlines()) == 288


def test_an_existing_file_is_not_overwritten(tmp_path):
    (tmp_path / "mine.lp").write_text("% precious\n")
    done = run_process("new", "mine", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (65, b"")
    assert b"mine.lp already exists" in done.stderr
    assert (tmp_path / "mine.lp").read_text() == "% precious\n"
    assert find_files(tmp_path) == ["mine.lp"]


def test_an_existing_words_file_is_not_overwritten(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.words").write_text("names: precious\n")
    done = run("new", "mine")
    assert (done.exit_code, done.stdout) == (65, "")
    assert "mine.words already exists and was not changed" in done.stderr
    assert find_files(tmp_path) == ["mine.words"]
    assert (tmp_path / "mine.words").read_text() == "names: precious\n"


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_bad_name_is_rejected_and_nothing_is_written(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("new", "--", name)
    assert isinstance(result.exception, SystemExit)
    assert (result.exit_code, result.stdout) == (65, "")
    assert "invalid rule name" in result.stderr
    assert find_files(tmp_path) == []


def test_a_dangling_link_in_place_of_the_file(tmp_path):
    (tmp_path / "mine.lp").symlink_to(tmp_path / "nowhere" / "mine.lp")
    done = run_process("new", "mine", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (65, b"")
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_to(tmp_path):
    tmp_path.chmod(0o500)
    done = run_process("new", "mine", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (65, b"")
    assert b"cannot be written" in done.stderr


# ---- check ----


@pytest.mark.slow
@pytest.mark.parametrize("name", ELABORATIONS)
def test_every_bundled_rule_passes(name):
    """`check` also tries the files that generate clues."""
    file = ASP / "elaborations" / f"{name}.lp"
    # Generating clues may take a quarter of the time, even on a busy machine.
    result = run("check", "--time-limit-each", "240", file)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{file}: nothing found\n"


def test_a_file_that_cannot_be_retracted_gets_a_note_and_passes(tmp_path):
    file = tmp_path / "mine.lp"
    file.write_text("% one\n:- a(1,1,1).\n")
    result = run("check", file)
    assert (result.exit_code, result.stdout) == (0, f"{file}: nothing found\n")
    assert result.stderr.startswith(
        f"note: {file}:2:1: the fact ab(mine). does not retract this constraint"
    )


def test_findings_of_several_files(tmp_path):
    good, bad, worse = (tmp_path / name for name in ("good.lp", "bad.lp", "worse.lp"))
    good.write_text("#defined ab/1.\n:- a(1,1,1), not ab(good).\n")
    bad.write_text("% one\n:- a(R,C,N), N < M.\n")
    worse.write_text(":- cel(1,1).\na(1,1,1).\n")
    result = run("check", good, bad, worse)
    assert (result.exit_code, result.stderr) == (1, "")
    # a finding has three lines: its text, the line of the file, the caret
    lines = [line for line in result.stdout.splitlines() if not line.startswith("  ")]
    assert lines[0] == f"{good}: nothing found"
    assert lines[1].startswith(f"{bad}:2:18: ")
    assert lines[2].startswith(f"{worse}:1:4: ")
    assert "cell" in lines[2]
    assert lines[3].startswith(f"{worse}:2:1: a/3 is defined in asp/base.lp")
    assert len(lines) == 4

    document = json.loads(run("check", "--format", "json", good, bad, worse).stdout)
    places = {
        each["file"]: [(finding["line"], finding["column"]) for finding in each["findings"]]
        for each in document["files"]
    }
    assert places == {str(good): [], str(bad): [(2, 18)], str(worse): [(1, 4), (2, 1)]}


def test_the_style_file_of_a_rule_is_checked(tmp_path):
    rule, style = tmp_path / "peak.lp", tmp_path / "peak.draw"
    rule.write_text("#defined peak/2.\n:- peak(R,C), a(R,C,1), not ab(peak).\n")
    style.write_text('["peak(R,C)"]\ndraw = "area"\n')
    assert run("check", rule).exit_code == 0
    style.write_text('# a\n["peek(R,C)"]\ndraw = "area"\n')
    unknown = run("check", rule)
    assert (unknown.exit_code, unknown.stdout.startswith(f"{style}:2:3: ")) == (1, True)
    assert "Did you mean 'peak'?" in unknown.stdout
    style.write_text('["peak(R,C)"]\ndraw = "aera"\n')
    invalid = run("check", rule)
    assert (invalid.exit_code, f"{style}:2:1: invalid draw 'aera'" in invalid.stdout) == (1, True)


def test_the_file_that_draws_the_clues_of_a_rule_is_checked(tmp_path):
    rule, file = tmp_path / "peak.lp", tmp_path / "peak.gen"
    rule.write_text("#defined peak/2.\n:- peak(R,C), a(R,C,1), not ab(peak).\n")
    file.write_text("% Any cells.\npeak(R,C) :- cel(R,C).\n")
    checked = run("check", rule)
    assert (checked.exit_code, checked.stdout.startswith(f"{file}:2:14: ")) == (1, True)
    assert "Did you mean 'cell'?" in checked.stdout
    document = json.loads(run("check", "--format", "json", rule).stdout)
    [finding] = document["files"][0]["findings"]
    assert (finding["file"], finding["line"], finding["column"]) == (str(file), 2, 14)


def test_the_file_with_the_words_of_a_rule_is_checked(tmp_path):
    rule, file = tmp_path / "peak.lp", tmp_path / "peak.words"
    rule.write_text("#defined peak/2.\n:- peak(R,C), a(R,C,1), not ab(peak).\n")
    file.write_text("# Ä\ndraw: circle\nsays: circle Ä odd [not]\n")
    checked = run("check", rule)
    assert (checked.exit_code, f"\n{file}:3:21: 'not' changes a meaning" in checked.stdout) == (
        1,
        True,
    )
    assert "  3 | says: circle Ä odd [not]\n    |                     ^\n" in checked.stdout
    document = json.loads(run("check", "--format", "json", rule).stdout)
    places = [
        (each["file"], each["line"], each["column"]) for each in document["files"][0]["findings"]
    ]
    assert places == [(str(file), 3, 14), (str(file), 3, 21)]
    file.write_text("draw: circle\nsays: circle increase\ntext: Circles increase.\n")
    assert run("check", rule).stdout == f"{rule}: nothing found\n"


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("row", "the base has a rule called 'row'"),
        ("column", "the base has a rule called 'column'"),
        ("not", "keyword"),
        ("9queens", "begin with a lowercase letter"),
    ],
)
def test_a_name_that_cannot_be_retracted_alone_is_refused(name, advice, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("new", name)
    assert (result.exit_code, result.stdout, find_files(tmp_path)) == (65, "", [])
    assert advice in result.stderr


TYPO = ":- nubmer(N), a(1,1,N), not ab(mine).\n"


@pytest.mark.parametrize(
    "command",
    ["solve", "count", "unique", "hint", "program", "draw", "equal anti-knight"],
)
def test_an_undefined_predicate_is_an_error_in_the_words_of_check(command, tmp_path):
    file = tmp_path / "mine.lp"
    file.write_text(TYPO)
    arguments = [file] if command.startswith("equal") else ["-c", "n=4", "--with", file]
    result = run(*command.split(), *arguments)
    assert (result.exit_code, result.stdout) == (65, "")
    found = run("check", file).stdout
    assert found in result.stderr
    assert "Did you mean 'number'?" in found


def test_force_makes_an_undefined_predicate_a_warning(tmp_path):
    file = tmp_path / "mine.lp"
    file.write_text(TYPO)
    options = ["count", "-c", "n=4", "--with", file]
    forced = run(*options, "--force")
    assert (forced.exit_code, forced.stdout) == (0, run("count", "-c", "n=4").stdout)
    assert forced.stderr.count("nubmer/1") == 1
    assert run(*options[:-1], f"{file},offset").exit_code == 65


@pytest.mark.parametrize(
    ("text", "puzzle"),
    [
        ("#defined mark/1.\n:- mark(N), a(1,1,N), not ab(mine).", ""),
        ("#external mark(N) : number(N).\n:- mark(N), a(1,1,N), not ab(mine).", ""),
        (":- mark(N), a(1,1,N), not ab(mine).", "\n[facts]\nmark(1).\n"),
        (":- killer_cage(I), a(1,1,I), not ab(mine).", "\n[facts]\ncage(1,1,1).\n"),
        (":- box(1,1,N), a(1,1,N), not ab(mine).", ""),
    ],
    ids=["declared", "external", "a fact", "another rule", "a default rule"],
)
def test_what_the_puzzle_or_another_rule_defines_is_no_error(text, puzzle, tmp_path):
    file = tmp_path / "mine.lp"
    file.write_text(text)
    grid = "1 . . .\n. . . .\n. . . .\n. . . .\n" + puzzle
    result = run("count", "--with", f"killer,{file}", "-", given=grid)
    assert (result.exit_code in (0, 20), "undefined" in result.stderr) == (True, False)


@pytest.mark.parametrize("arguments", [[], ["--format", "xml", "x.lp"], ["--nonsense"]])
def test_check_rejects_bad_arguments(arguments):
    result = run("check", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.parametrize("name", ["nowhere.lp", "/", "/etc/nowhere/x.lp"])
def test_check_of_a_file_that_cannot_be_read(name):
    result = run("check", name)
    assert (result.exit_code, result.stderr) == (2, "")
    assert result.stdout.startswith(f"{name}: ")


@pytest.mark.slow
def test_the_lines_of_a_started_rule_can_be_read_as_a_grid(tmp_path):
    """The template is also solved with a grid that has solutions, which satisfy it."""
    run_process("new", "mine", cwd=tmp_path)
    done = run_process(
        "solve",
        "--without",
        "box",
        "-c",
        "n=5",
        "--format",
        "line",
        "--with",
        "./mine.lp",
        cwd=tmp_path,
    )
    grid = grid_of_line(done.stdout.decode().strip())
    assert not any(
        grid[r][c] == grid[r + 1][c1]
        for r in range(4)
        for c in range(5)
        for c1 in (c - 1, c + 1)
        if 0 <= c1 < 5
    )


UNSATISFIABLE = [
    (":- cell(R,C), row(R), column(C).", "it does not depend on the numbers in the grid"),
    (
        ":- a(R,C,N), a(R1,C1,N), |R-R1| <= 1, |C-C1| <= 1.",
        "it also compares a cell with itself, such as r1c1",
    ),
]


@pytest.mark.parametrize(("text", "reason"), UNSATISFIABLE)
def test_a_rule_that_no_grid_satisfies(tmp_path, text, reason):
    file = tmp_path / "none.lp"
    file.write_text(text)
    result = run("check", file)
    assert result.exit_code == 0
    assert "warning: no grid of 4x4, 6x6 or 9x9 satisfies this rule" in result.stdout
    assert reason in result.stdout


@pytest.mark.parametrize("name", ["anti-king", "schroedinger", "killer"])
def test_bundled_rules_have_no_warnings(name):
    """There is no 4x4 grid for a king, and Schrödinger cells need numbers from 0."""
    assert not aspdoku.check(name).findings


def test_an_argument_is_a_path_and_no_name_of_a_rule(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    missing = run("check", "killer")
    assert (missing.exit_code, missing.stdout) == (2, "killer: No such file or directory\n")
    (tmp_path / "killer").write_text(":- a(1,1,X), X > Y.\n")
    assert run("check", "killer").exit_code == 1
    assert aspdoku.check("killer").file == "asp/elaborations/killer.lp"


def test_an_error_in_one_file_next_to_a_rule_hides_none_in_the_others(tmp_path):
    texts = {
        "lp": "#defined peak/2.  % peak(R,C): a peak\n:- peak(R,C), a(R,C,1), not ab(peak).\n",
        "gen": "peak(R,C) :- cel(R,C).\n",
        "draw": '["pek(R,C)"]\ndraw = "mark"\n',
        "words": "names: peak\nsays: nonsense\n",
    }
    for suffix, text in texts.items():
        (tmp_path / f"peak.{suffix}").write_text(text, "utf-8")
    found = run("check", tmp_path / "peak.lp").stdout
    assert all(f"peak.{suffix}:" in found for suffix in ("gen", "draw", "words"))
