"""`aspdoku explain`, `hint`, `why`, `conflict` and `grade`: exit status, output, and rejected
arguments.
"""

import json
import re

import oracle
import pytest
from cli_runner import INSTANCES, run, run_process
from clingo import Control
from work_limit import WorkLimit

CLASSIC = INSTANCES / "slides" / "classic.txt"
SOLUTION = oracle.read_grid((INSTANCES / "slides" / "classic.solution.txt").read_text())
FOUR = ".4..\n...4\n..2.\n1...\n"
SEVERAL = "1 . . .\n. . . .\n. . . .\n. . . .\n"
NONE = "1 1 . .\n. . . .\n. . . .\n. . . .\n"


@pytest.fixture
def file(tmp_path):
    def written(text, name="grid.txt"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return written


def placed(text):
    return {tuple(map(int, found)) for found in re.findall(r"r(\d+)c(\d+)=(\d+)", text)}


def assert_clean_exit(result):
    """Assert that the command ended by itself and without an internal error."""
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output


@pytest.mark.slow
def test_explain_prints_every_number_of_the_solution():
    result = run("explain", CLASSIC)
    givens = {
        (r, c, n)
        for r, row in enumerate(oracle.read_grid(CLASSIC.read_text()), 1)
        for c, n in enumerate(row, 1)
        if n
    }
    expected = {(r, c, n) for r, row in enumerate(SOLUTION, 1) for c, n in enumerate(row, 1)}
    assert (result.exit_code, result.stderr) == (0, "")
    assert placed(result.stdout) | givens == expected
    as_json = json.loads(run("explain", "--format", "json", CLASSIC).stdout)
    assert (
        placed(
            " ".join(
                text
                for step in as_json["steps"]
                for reason in step["reasons"]
                for text in reason["claims"]
            )
        )
        <= expected
    )
    page = run("explain", "--format", "html", CLASSIC).stdout
    reasoned = [step for step in as_json["steps"] if step["reasons"]]
    assert page.count("<section id=") == page.count("</section>") == len(reasoned)


@pytest.mark.slow
def test_explain_places_one_number_per_step_unless_asked_for_batches():
    one_by_one = json.loads(run("explain", CLASSIC, "--format", "json").stdout)["steps"]
    batches = json.loads(run("explain", "--batch", CLASSIC, "--format", "json").stdout)["steps"]
    assert [len(step["reasons"]) for step in one_by_one if step["reasons"]] == [1] * sum(
        len(step["reasons"]) for step in batches
    )
    solution = {(r, c): n for r, row in enumerate(SOLUTION, 1) for c, n in enumerate(row, 1)}
    known = {
        (r, c, n)
        for r, row in enumerate(oracle.read_grid(CLASSIC.read_text()), 1)
        for c, n in enumerate(row, 1)
        if n
    }
    for step in one_by_one:
        for reason in step["reasons"]:
            (claim,) = placed(" ".join(reason["claims"]))
            rests_on = placed(" ".join(reason["rests_on"]))
            assert reason["technique"] in ("naked single", "hidden single")
            assert rests_on <= known
            if reason["technique"] == "hidden single":
                assert {number for _, _, number in rests_on} <= {claim[2]}
            else:
                assert {n for _, _, n in rests_on} == set(range(1, 10)) - {claim[2]}
            assert solution[claim[:2]] == claim[2]
            known.add(claim)


@pytest.mark.slow
def test_explain_with_singles_numbers_each_conclusion():
    lines = run("explain", "--singles", CLASSIC).stdout.splitlines()
    numbers = [int(line.split(".")[0]) for line in lines if re.match(r" +\d+\. ", line)]
    givens = sum(
        number is not None for row in oracle.read_grid(CLASSIC.read_text()) for number in row
    )
    assert numbers == list(range(1, 81 - givens + 1))
    assert all(len(placed(line)) == 1 for line in lines if re.match(r" +\d+\. ", line))


@pytest.mark.slow
def test_explain_with_singles_reports_where_it_stops():
    text = run("explain", "--singles", INSTANCES / "prolog" / "example.txt").stdout
    assert "no further step by a single rule" in text
    assert "no single rule" not in run("explain", "--singles", CLASSIC).stdout


@pytest.mark.slow
def test_the_output_does_not_depend_on_the_hash_seed(file):
    path = file(FOUR)
    runs = {run_process("explain", path, PYTHONHASHSEED=str(seed)).stdout for seed in (1, 2)}
    assert len(runs) == 1
    assert runs != {b""}


DEGREES = ["where", "rules", "what", "proof"]


@pytest.mark.parametrize("degree", DEGREES)
def test_a_hint_is_true_and_reveals_the_number_only_on_request(degree):
    result = run("hint", "--degree", degree, CLASSIC)
    revealed = placed(result.stdout.splitlines()[0])
    assert result.exit_code == 0
    assert re.search(r"r\dc\d", result.stdout)
    assert bool(revealed) == (degree in ("what", "proof"))
    assert all(SOLUTION[r - 1][c - 1] == n for r, c, n in revealed)


@pytest.mark.slow
def test_a_hint_continues_from_the_entries(file):
    first = placed(run("hint", CLASSIC).stdout.splitlines()[0])
    rows = oracle.read_grid(CLASSIC.read_text())
    for r, c, n in first:
        rows[r - 1][c - 1] = n
    entries = file("\n".join(" ".join(str(n or ".") for n in row) for row in rows))
    second = run("hint", CLASSIC, "--entries", entries)
    assert second.exit_code == 0
    assert not placed(second.stdout.splitlines()[0]) & first


@pytest.mark.slow
def test_a_wrong_entry_is_reported_first(file):
    rows = oracle.read_grid(CLASSIC.read_text())
    rows[0][1] = SOLUTION[0][1] % 9 + 1
    rows[0][2] = SOLUTION[0][2]
    entries = file("\n".join(" ".join(str(n or ".") for n in row) for row in rows))
    result = run("hint", CLASSIC, "--entries", entries)
    assert (result.exit_code, placed(result.stdout.splitlines()[0])) == (0, {(1, 2, rows[0][1])})
    document = json.loads(run("hint", CLASSIC, "--entries", entries, "--format", "json").stdout)
    assert document["wrong"] == [f"r1c2={rows[0][1]}"]
    twins = {
        (f"r1c2={rows[0][1]}", f"r{r}c{c}={rows[0][1]}")
        for r in range(1, 10)
        for c in range(1, 10)
        if (r, c) != (1, 2) and oracle.number(rows, (r, c)) == rows[0][1]
        if r == 1 or c == 2 or (r <= 3 and c <= 3)
    }
    assert twins
    assert {tuple(each["givens"]) for each in document["conflicts"]} == twins
    for words in {rule["words"] for each in document["conflicts"] for rule in each["rules"]}:
        assert words in result.stdout


def test_contradictory_entries_give_no_empty_hint(file):
    """Each entry alone is possible."""
    result = run(
        "hint", file(". . . .\n" * 4, "blank.txt"), "--entries", file(NONE), "--degree", "where"
    )
    assert_clean_exit(result)
    assert result.exit_code != 0 or re.search(r"r1c[12]", result.stdout)


@pytest.mark.slow
def test_there_is_no_hint_if_all_is_known_or_nothing_is_forced(file):
    solved = file("\n".join(" ".join(map(str, row)) for row in SOLUTION), "solved.txt")
    blank = file(". . . .\n" * 4)
    for arguments, words in (
        ((CLASSIC, "--entries", solved), "solved"),
        ((solved,), "solved"),
        ((blank,), "several solutions"),
    ):
        result = run("hint", *arguments)
        assert (result.exit_code, result.stderr) == (0, "")
        assert words in result.stdout
        assert json.loads(run("hint", *arguments, "--format", "json").stdout)["where"] == []


def test_why_a_number_is_forced():
    result = run("why", f"r1c2={SOLUTION[0][1]}", CLASSIC)
    assert (result.exit_code, result.stderr) == (0, "")
    assert (
        result.stdout.splitlines()[-1]
        .lstrip(" 0123456789.")
        .startswith(f"r1c2={SOLUTION[0][1]} because")
    )


@pytest.mark.slow
@pytest.mark.parametrize("cell", [(1, 2), (9, 8)])
def test_why_a_number_is_excluded_has_a_reason(cell):
    r, c = cell
    for n in set(range(1, 10)) - {SOLUTION[r - 1][c - 1]}:
        result = run("why", f"r{r}c{c}!={n}", CLASSIC)
        assert result.exit_code == 0
        assert "because" in result.stdout, f"{n}: {result.stdout}"


def test_why_of_a_given_and_of_its_consequences(file):
    path = file(SEVERAL)
    assert run("why", "r1c1=1", path).stdout.strip() == "r1c1=1 is given"
    for claim in ("r1c2!=1", "r2c2!=1", "r4c1!=1", "r1c1!=2"):
        assert "is given" not in run("why", claim, path).stdout.replace("r1c1=1 is given", ""), (
            claim
        )


@pytest.mark.slow
def test_why_in_a_killer_has_a_reason():
    solution = oracle.read_grid((INSTANCES / "made" / "killer.solution.txt").read_text())
    result = run("why", f"r9c9={solution[8][8]}", INSTANCES / "made" / "killer.txt")
    assert result.exit_code == 0
    assert "because" in result.stdout


def test_why_something_is_not_forced_is_shown_by_two_solutions(file):
    path = file(SEVERAL)
    result = run("why", "r2c2=3", path, "--format", "json")
    document = json.loads(result.stdout)
    assert (result.exit_code, document["claim"], document["forced"]) == (1, "r2c2=3", False)
    assert (document["holds"][1][1] == 3) != (document["fails"][1][1] == 3)
    for grid in (document["holds"], document["fails"]):
        assert oracle.violations(grid, oracle.read_grid(SEVERAL), oracle.CLASSIC) == []
    assert run("why", "r2c2=3", path).exit_code == 1


BAD = [
    ("why", "r10c1=1", CLASSIC),
    ("why", "r1c1=0", CLASSIC),
    ("why", "nonsense", CLASSIC),
    ("why", "", CLASSIC),
    ("why", "r1c1=1; #script", CLASSIC),
    ("why", "r1c1!=9", CLASSIC),
    ("why", "r1c1=1", CLASSIC),
    ("explain", "nowhere.txt"),
    ("hint", CLASSIC, "--entries", "nowhere.txt"),
    ("hint", CLASSIC, "--entries", INSTANCES / "owl" / "four.txt"),
    ("hint", CLASSIC, "--entries", INSTANCES / "slides" / "everest.txt"),
    ("conflict", "--with", "nothing-like-it", CLASSIC),
    ("explain", INSTANCES / "slides" / "as-printed" / "classic.txt"),
    ("hint", INSTANCES / "slides" / "as-printed" / "classic.txt"),
    ("why", "r1c1=9", INSTANCES / "slides" / "as-printed" / "classic.txt"),
    ("grade", INSTANCES / "slides" / "as-printed" / "classic.txt"),
]


@pytest.mark.slow
def test_a_bad_file_does_not_affect_the_grades_of_others(file):
    lines = file("\n".join([FOUR.replace("\n", "")] * 2), "lines.txt")
    garbled = INSTANCES / "slides" / "as-printed" / "classic.txt"
    result = run("grade", "nowhere.txt", CLASSIC, garbled, lines)
    assert result.exit_code == 65
    assert [line.split()[0] for line in result.stdout.splitlines()[1:]] == [
        str(CLASSIC),
        f"{lines}#1",
        f"{lines}#2",
    ]
    assert [line.split(": ")[:2] for line in result.stderr.splitlines()] == [
        ["aspdoku", "nowhere.txt"],
        ["aspdoku", str(garbled)],
    ]
    assert run("solve", f"{lines}#2").exit_code == 0


def test_a_bad_line_does_not_affect_the_grades_of_others(file):
    """In a line with letters, 0 may be a number; the line is rejected when it is read."""
    four = FOUR.replace("\n", "")
    lines = file(f"{four}\n{'0' + 'A' + '.' * 254}\n{four}\n", "mixed.txt")
    result = run("grade", lines)
    assert result.exit_code == 65
    assert [line.split()[0] for line in result.stdout.splitlines()[1:]] == [
        f"{lines}#1",
        f"{lines}#3",
    ]
    assert result.stderr.startswith(f"aspdoku: {lines}:2:1: ")


def test_a_puzzle_with_several_solutions_is_graded_by_its_forced_numbers(file):
    result = run("grade", file(". . . .\n" * 4), CLASSIC)
    assert ["several solutions" in line for line in result.stdout.splitlines()] == [
        False,
        True,
        False,
    ]


@pytest.mark.parametrize("arguments", BAD)
def test_bad_input_is_rejected_with_a_message(arguments):
    result = run(*arguments)
    assert_clean_exit(result)
    assert result.exit_code not in (0, 1)
    assert result.stdout == ""
    assert result.stderr.startswith("aspdoku: ")


@pytest.mark.parametrize("command", ["explain", "hint", "why", "conflict", "grade"])
@pytest.mark.parametrize(
    "rule",
    [
        "guard__(1,2).",
        "guard__(99,(1,)).",
        "guard__(0,()).",
        ":- a(R,C,N), S = #count { X : a(X,C,N) }, half(S*2). half(2).",
        "a(9,9,9).",
        "a(1,1,7).",
        "a(one,1,1).",
        "-a(1,1,1).",
        "&sum { 1 } = 2.",
        ":- a(R,C,N), a(R1,C1,N), R/0 = R1.",
        "p(X) :- p(X-1), X < 5. p(1). :- p(4), not a(1,1,1).",
        "%@ {} {{N}} %s {0} {N!r}\n:- a(1,1,N), N > 3.",
    ],
)
def test_no_rule_file_crashes_a_command(command, rule, file):
    result = run(
        *([command, "r1c2!=1"] if command == "why" else [command]),
        "--with",
        file(rule + "\n", "mine.lp"),
        file(SEVERAL),
    )
    assert_clean_exit(result)


def test_conflict_names_the_givens_and_has_an_exit_status(file):
    result = run("conflict", file(NONE))
    assert result.exit_code == 20
    assert placed(result.stdout) == {(1, 1, 1), (1, 2, 1)}
    document = json.loads(run("conflict", file(NONE), "--format", "json").stdout)
    assert document["cause"] == "givens"
    assert set(document["repairs"]) == {"r1c1=1", "r1c2=1"}
    assert run("conflict", file(SEVERAL)).exit_code == 0
    assert run("conflict", "--without", "box,row", file(NONE)).exit_code == 0


# Cage D is wrong: it holds 4 and 1 in 1234 3412 2143 4321. No cage fails alone.
WRONG_CAGE = """\
with: killer
. . . .
. . . .
. . . .
. . . .
[cage]
A A B B
C D D B
C E F F
E E F .
A = 3
B = 9
C = 5
D = 6
E = 8
F = 9
"""


def solvable(text):
    """Whether plain clingo finds a solution of the printed program."""
    control = Control(["--eq=0"])
    control.add("base", [], run("program", "-", given=text).stdout)
    control.ground([("base", [])])
    return bool(control.solve().satisfiable)


def cages_of(words):
    """The labels of the cages that a text names."""
    return re.findall(r"cage (\w) from", words)


def test_the_program_of_each_set_that_conflict_prints_has_no_solution():
    """A cage without its total remains a cage: its cells have to differ in any case."""
    words = run("conflict", "-", given=WRONG_CAGE).stdout
    first, *others = [cages_of(line) for line in words.splitlines() if "from" in line]
    *sets, minimal, repairs = [first, *others]

    def with_totals(kept):
        lines = WRONG_CAGE.splitlines()
        return "\n".join(
            line if "=" not in line or line[0] in kept else f"{line[0]} =" for line in lines
        )

    for cages in (*sets, minimal):
        assert not solvable(with_totals(cages))
    assert set(minimal) <= set(first)
    assert all(solvable(with_totals(set("ABCDEF") - {cage})) for cage in repairs)


def test_conflict_prints_what_is_known_at_the_limit(monkeypatch):
    monkeypatch.setattr("aspdoku.explanation.conflict.Deadline", WorkLimit)
    statuses = []
    for searches in range(100):
        WorkLimit.left = searches
        done = run("conflict", "--format", "json", "-", given=WRONG_CAGE)
        WorkLimit.left = searches
        words = run("conflict", "-", given=WRONG_CAGE)
        assert words.exit_code == done.exit_code
        statuses.append(done.exit_code)
        document = json.loads(done.stdout)
        if "error" in document:
            assert not words.stdout
            continue
        core = [clue["name"] for clue in document["core"]["clues"]]
        known = words.stdout.split("\n\n")[0].splitlines()
        assert cages_of(" ".join(known))[-len(core) :] == core
        assert ("not proved minimal" in words.stdout) != document["minimal"]
        if document["ended"] == "complete":
            break
        assert document["ended"] == "time"
        assert "time limit reached" in words.stdout
    assert list(dict.fromkeys(statuses)) == [124, 20]


@pytest.mark.slow
def test_grades_of_several_files(file):
    files = [CLASSIC, INSTANCES / "prolog" / "example.txt", file(FOUR)]
    document = json.loads(run("grade", *files, "--format", "json").stdout)["grades"]
    assert [each["file"] for each in document] == list(map(str, files))
    header, *lines = run("grade", *files).stdout.splitlines()
    assert header.split("  ")[0] == "puzzle"
    for line, each, path in zip(lines, document, files, strict=True):
        assert line.split()[0] == str(path)
        steps = json.loads(run("explain", "--batch", path, "--format", "json").stdout)["steps"]
        sizes = [
            max(len(reason["rules"]) for reason in step["reasons"])
            for step in steps
            if step["reasons"]
        ]
        assert (each["hardest"], each["work"]) == (max(sizes), sum(sizes) + len(sizes))
        assert each["label"] in line
        assert f"{max(sizes)} rule" in line
        hardest = {step["technique"] for step in steps if step["size"] == max(sizes)}
        assert each["technique"] in hardest
        assert each["technique"] in line
        assert (each["label"] == "easy") == (max(sizes) == 1)


@pytest.mark.slow
def test_a_time_limit_ends_a_long_explanation_with_its_status():
    """In a separate process, because a thread that grounds cannot be ended."""
    done = run_process("explain", "--time-limit", 3, INSTANCES / "made" / "nonconsecutive.txt")
    assert done.returncode == 124
    assert b"time limit reached" in done.stdout


def test_the_grid_is_read_from_standard_input():
    assert (
        run("explain", "-", given=FOUR).stdout
        == run("explain", "-", given=FOUR.replace(".", ". ").replace("1", "1 ")).stdout
        != ""
    )


@pytest.mark.slow
def test_a_page_shows_the_steps_that_were_found_before_the_time_limit():
    done = run_process("explain", "--format", "html", "--time-limit", 4, "example:thermo")
    assert done.returncode == 124
    assert b"time limit reached" in done.stdout
    assert done.stdout.endswith(b"</html>\n")


@pytest.mark.parametrize("command", ["explain", "hint", "why r1c1!=4"])
def test_that_the_solution_is_unique_is_only_assumed_where_it_is(command):
    assert run(*command.split(), "--unique", FOUR).exit_code == 0
    refused = run(*command.split(), "--unique", "1... .... ..3. 4...")
    assert refused.exit_code == 65
    assert "the puzzle has several solutions" in refused.stderr
