"""`aspdoku redundant`: output and exit status; tests/oracle.py decides which items are needed."""

import json
import re
from dataclasses import replace

import oracle
import pytest
from cli_runner import (
    ENDLESS,
    GROWS,
    HARD,
    INSTANCES,
    interrupt,
    run,
    run_process,
    start,
    wait_until_it_works,
    without_schema,
)
from in_one_test import in_one_test

BLANK = ". . . .\n" * 4
UNIQUE = ". 4 . .\n. . . 4\n. . 2 .\n1 . . .\n"
TWO_SOLUTIONS = ". 4 2 .\n3 . . 1\n. . . .\n2 . . .\n"
CONTRADICTORY = "1 1 . .\n. . . .\n. . . .\n. . . .\n"
HEADING = "The solution stays unique without any single one of these:"
NOTHING = "Nothing is redundant: each of these is needed for the solution to be unique."
SIGNS = (
    "with: greater-than\n3 . . .\n. . . 3\n1 . . 2\n. 3 4 1\n[facts]\ngt(2,4,3,4). gt(1,2,1,3)."
    " gt(4,3,4,4). gt(4,3,3,3).\n"
)
CAGES = (
    "with: killer\n. . . .\n. . . .\n. . . .\n. . . .\n[cage]\nA B C C\nA B D D\nE E D F\nG G G F\n"
    "A = 6\nB = 4\nC = 5\nD = 6\nE = 7\nF = 6\nG = 6\n"
)
KNIGHT = "with: anti-knight\n. . . .\n. 2 3 .\n2 . . 3\n. 4 . 2\n"
TEXTS = {"box": UNIQUE, "signs": SIGNS, "cages": CAGES, "anti-knight": KNIGHT}


def expected_groups(text, in_words=False):
    """By heading, the items, and whether the oracle still finds only one solution without them.

    in_words: clues with their places, as in texts, instead of their names
    """
    givens, rules = oracle.read(text)

    def alone(givens, rules):
        return len(oracle.solutions(givens, rules, limit=2)) == 1

    def open_at(cell):
        return [
            [None if (r, c) == cell else number for c, number in enumerate(row, 1)]
            for r, row in enumerate(givens, 1)
        ]

    groups = {"givens": {}, "clues of greater-than": {}, "clues of killer": {}, "rules": {}}
    for cell in oracle.cells_of(len(givens)):
        if number := oracle.number(givens, cell):
            groups["givens"][f"{oracle.label(cell)}={number}"] = alone(open_at(cell), rules)
    for sign in rules.greater_than:
        left = replace(
            rules, greater_than=tuple(other for other in rules.greater_than if other != sign)
        )
        name = "gt({},{},{},{})".format(*sign[0], *sign[1])
        if in_words:
            name = f"gt in {oracle.label(sign[0])} {oracle.label(sign[1])}"
        groups["clues of greater-than"][name] = alone(givens, left)
    for cage in rules.cages:
        left = replace(rules, cages=tuple(other for other in rules.cages if other != cage))
        name = f"cage {cage.name} from {oracle.label(min(cage.cells))}" if in_words else cage.name
        groups["clues of killer"][name] = alone(givens, left)
    for name, played, changed in (
        ("row", rules.rows, {"rows": False}),
        ("column", rules.columns, {"columns": False}),
        ("box", rules.boxes, {"boxes": False}),
        ("anti-knight", rules.anti_knight, {"anti_knight": False}),
        ("greater-than", rules.greater_than, {"greater_than": ()}),
        ("killer", rules.cages, {"cages": ()}),
    ):
        if played:
            groups["rules"][name] = alone(givens, replace(rules, **changed))
    return {heading: group for heading, group in groups.items() if group}


# ---- Text ----


def redundant_items(text):
    """By heading in the output, the number of redundant items, of all items, and which."""
    return {heading: group for heading, (*group, _) in listed(text).items()}


def listed(text):
    """By heading in the output, the number of redundant items, of all items, and which; and the
    needed ones, if they are listed.
    """
    heading, blank, *lines = text.splitlines()
    assert blank == ""
    joined = re.sub(r"\n +", " ", "\n".join(lines))
    groups = {}
    for line in joined.splitlines():
        found = re.fullmatch(r"(\S.*?)  +(\d+) of (\d+)(?:: (.*?))?(?: needed: (.*))?", line)
        redundant, needed = (names.split(", ") if names else [] for names in found.group(4, 5))
        groups[found[1]] = [int(found[2]), int(found[3]), redundant, needed]
    assert heading == (HEADING if any(group[0] for group in groups.values()) else NOTHING)
    return groups


@pytest.mark.slow_cases("cages")
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_text_names_redundant_items(text, file):
    result = run("redundant", file(text, "grid.txt"))
    assert (result.exit_code, result.stderr) == (0, "")
    groups = redundant_items(result.stdout)
    assert groups.keys() == expected_groups(text, in_words=True).keys()
    for heading, group in expected_groups(text, in_words=True).items():
        number, total, names = groups[heading]
        assert (number, total) == (len(names), len(group))
        assert set(names) == {name for name, alone in group.items() if alone}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_text_names_needed_items_if_they_are_few(text):
    groups = listed(run("redundant", "-", given=text).stdout)
    for heading, group in expected_groups(text, in_words=True).items():
        assert set(groups[heading][3]) == {name for name, alone in group.items() if not alone}


def test_needed_items_are_not_listed_if_they_are_many():
    result = run("redundant", INSTANCES / "lessons" / "except-the-fives.txt")
    assert listed(result.stdout)["givens"] == [0, 14, [], []]


def test_the_puzzles_have_needed_and_redundant_items_of_every_kind():
    """The puzzles of the table above have redundant and needed items of every kind."""
    seen = {
        (heading, alone)
        for text in TEXTS.values()
        for heading, group in expected_groups(text).items()
        for alone in group.values()
    }
    assert seen == {(heading, alone) for heading, _ in seen for alone in (True, False)}


@pytest.mark.slow_cases("slides/anti-knight")
@pytest.mark.parametrize("puzzle", ["slides/six", "slides/anti-knight"])
def test_long_lists_are_broken_between_names(puzzle):
    result = run("redundant", INSTANCES / f"{puzzle}.txt")
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 110
    text = (INSTANCES / f"{puzzle}.txt").read_text()
    givens = redundant_items(result.stdout)["givens"]
    assert set(givens[2]) == {
        name for name, alone in expected_groups(text)["givens"].items() if alone
    }
    assert len(lines) > 2 + len(expected_groups(text))


# ---- JSON ----


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_json(text):
    result = run("redundant", "--format", "json", "-", given=text)
    assert (result.exit_code, result.stderr) == (0, "")
    document, groups = json.loads(result.stdout), {}
    assert (document.keys(), document["status"], document["ended"]) == (
        {"schema", "status", "ended", "items"},
        "unique",
        "complete",
    )
    for item in document["items"]:
        assert item.keys() == {"kind", "name", "rule", "facts", "needed", "status"}
        assert item["status"] == ("several" if item["needed"] else "unique")
        assert bool(item["rule"]) == (item["kind"] == "clue")
        assert bool(item["facts"]) == (item["kind"] != "rule")
        assert all(re.fullmatch(r"[a-z_]+\(.*\)\.", fact) for fact in item["facts"])
        heading = f"clues of {item['rule']}" if item["rule"] else f"{item['kind']}s"
        groups.setdefault(heading, {})[item["name"]] = not item["needed"]
    assert groups == expected_groups(text)


def test_json_lists_the_facts_of_each_clue():
    found = json.loads(run("redundant", "--format", "json", "-", given=CAGES).stdout)["items"]
    facts = {item["name"]: sorted(item["facts"]) for item in found if item["kind"] == "clue"}
    assert facts["F"] == ['cage(3,4,"F").', 'cage(4,4,"F").', 'cage_value("F",6).']
    assert facts["G"] == [
        'cage(4,1,"G").',
        'cage(4,2,"G").',
        'cage(4,3,"G").',
        'cage_value("G",6).',
    ]


# ---- Several solutions, and none ----


@pytest.mark.parametrize(
    ("text", "status", "word", "ended"),
    [
        (BLANK, 1, "several", "limit"),
        (TWO_SOLUTIONS, 1, "several", "limit"),
        (CONTRADICTORY, 20, "none", "complete"),
        (f"without: row\n{UNIQUE}", 1, "several", "limit"),
    ],
)
def test_only_a_puzzle_with_a_unique_solution_has_redundant_items(text, status, word, ended):
    assert {0: 20, 1: 0}.get(len(oracle.solutions(*oracle.read(text))), 1) == status
    result = run("redundant", "-", given=text)
    assert (result.exit_code, result.stdout) == (status, "")
    assert result.stderr.count("\n") == 1
    assert {"none": "this one has no solution"}.get(word, word) in result.stderr
    result = run("redundant", "--format", "json", "-", given=text)
    assert (result.exit_code, result.stderr) == (status, "")
    document = json.loads(result.stdout)
    assert without_schema(document) == {"status": word, "ended": ended, "items": []}


# ---- Rules and constants on the command line ----


def test_rules_of_the_command_line_are_items_and_retracted_ones_are_not():
    text = KNIGHT.partition("\n")[2]
    result = run(
        "redundant", "--with", "anti-knight,killer", "--without", "column,killer", "-", given=text
    )
    true = expected_groups(f"with: anti-knight\nwithout: column\n{text}")
    assert len(oracle.solutions(*oracle.read(f"with: anti-knight\nwithout: column\n{text}"))) == 1
    groups = redundant_items(result.stdout)
    assert groups["rules"][1] == 3
    assert set(groups["rules"][2]) == {name for name, alone in true["rules"].items() if alone}
    assert set(groups["givens"][2]) == {name for name, alone in true["givens"].items() if alone}


def test_a_constant_of_the_command_line(file):
    """Neighbours in a row of UNIQUE's solution differ by up to 3, so the rule forbids nothing
    relevant, or everything.
    """
    gap = file(
        "% Neighbours differ by the gap at most.\n:- a(R,C,N), a(R,C+1,N1), |N-N1| > gap, not"
        " ab(mine).\n"
    )
    (grid,) = oracle.solutions(oracle.read_grid(UNIQUE))
    widest = max(abs(row[c] - row[c + 1]) for row in grid for c in range(3))
    result = run("redundant", "--with", gap, "-c", f"gap={widest}", "-", given=UNIQUE)
    assert redundant_items(result.stdout)["rules"] == [1, 4, ["mine"]]
    result = run("redundant", "--with", gap, "-c", f"gap={widest - 1}", "-", given=UNIQUE)
    assert (result.exit_code, result.stdout) == (20, "")


def test_a_puzzle_without_items():
    result = run("redundant", "-c", "n=1", "--without", "row,column,box")
    assert (result.exit_code, result.stdout) == (
        0,
        "no givens, clues or rules to remove\n",
    )


def test_rule_files_of_the_same_name_are_distinguished_by_their_paths(file, tmp_path):
    """One of them is needed: UNIQUE without its 1 has several solutions, and that rule
    fixes the 1.
    """
    (tmp_path / "one").mkdir()
    one = file("% The 1.\n:- not a(4,1,1).\n", "one/mine.lp")
    other = file("% No 4 in the corner next to another 4.\n:- a(1,1,4).\n")
    result = run("redundant", "--with", f"{one},{other}", "-", given=UNIQUE.replace("1", "."))
    number, total, names, needed = listed(result.stdout)["rules"]
    assert (number, total, names) == (1, 5, [str(other)])
    assert str(one) in needed


def test_messages_of_clingo_have_the_file_and_line(file):
    mine = file("% One.\n\nmine(N/0) :- number(N).\n")
    assert f"{mine}:3:6: " in run("redundant", "--with", mine, "-", given=UNIQUE).stderr


# ---- Bad input ----

BAD = [
    # arguments, standard input, exit status, and a part of the message
    (["nowhere.txt"], "", 65, "nowhere.txt"),
    (["."], "", 65, "directory"),
    (["-"], "", 65, "standard input"),
    (["-"], "1 2 3 5\n. . . .\n. . . .\n. . . .\n", 65, "standard input:1"),
    (["-"], f"with: nonsense\n{BLANK}", 65, "nonsense"),
    (["-", "--without", "nonsense"], BLANK, 65, "nonsense"),
    (["-", "-c", "n=4"], BLANK, 65, "constant n cannot be set: its value comes from the grid"),
    (["-c", "n=0"], "", 2, "n is a positive number"),
    (["-c", "n=4", "--limit", "5"], "", 2, "--limit"),
    (["-c", "n=4", "--time-limit", "0"], "", 2, "--time-limit"),
    (["-c", "n=4", "--format", "grid"], "", 2, "grid"),
    (["-", "-"], BLANK, 2, "unexpected extra argument"),
]


@in_one_test(("arguments", "given", "status", "fragment"), BAD)
def test_bad_input(arguments, given, status, fragment):
    result = run("redundant", *arguments, given=given)
    assert isinstance(result.exception, SystemExit)
    assert (result.exit_code, result.stdout) == (status, "")
    assert fragment in result.stderr


@pytest.mark.parametrize("text", [":- not a(R,1,1).", ":- a(1,1,1) b.", "#script (python) #end."])
def test_an_invalid_rule_file_is_rejected(text, file):
    mine = file(f"% Mine.\n{text}\n")
    result = run("redundant", "--with", mine, "-", given=UNIQUE)
    assert (result.exit_code, result.stdout) == (65, "")
    assert f"{mine}:2:" in result.stderr


# ---- The time limit, and Ctrl-C ----


@pytest.mark.slow
@pytest.mark.parametrize("format_", ["text", "json"])
def test_a_time_limit_while_grounding(format_, file):
    done = run_process(
        "redundant", "-c", "n=4", "--with", file(ENDLESS), "--time-limit", 1, "--format", format_
    )
    assert done.returncode == 124
    if format_ == "json":
        expected = {"status": "unknown", "ended": "time", "items": []}
        assert without_schema(json.loads(done.stdout)) == expected
        assert done.stderr.endswith(GROWS)
    else:
        assert done.stdout == b""
        assert b"no result before the time limit" in done.stderr


@pytest.mark.slow
def test_a_time_limit_before_a_solution_is_found():
    done = run_process("redundant", *HARD, "--time-limit", 1)
    assert (done.returncode, done.stdout) == (124, b"")
    assert b"there may be one" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("format_", ["text", "json"])
def test_a_time_limit_for_an_item(format_, file):
    """Without one of its rules, grounding this puzzle never ends; the results for other items are
    still reported.
    """
    mine = file(
        "% Endless, unless kept from it.\nmine(1).\nmine(X+1) :- mine(X), not yours(X).\n#defined"
        " yours/1.\n"
    )
    yours = file("% What keeps it.\nyours(1..9).\n#show yours/1.\n", "yours.lp")
    done = run_process(
        "redundant",
        "--with",
        f"{mine},{yours}",
        "--time-limit",
        1,
        "--format",
        format_,
        "-",
        given=UNIQUE.encode(),
    )
    assert (done.returncode, done.stderr) == (124, b"")
    true = {
        name: not alone
        for group in expected_groups(UNIQUE).values()
        for name, alone in group.items()
    } | {"mine": False}
    if format_ == "json":
        document = json.loads(done.stdout)
        assert (document["status"], document["ended"]) == ("unique", "time")
        found = {item["name"]: item["needed"] for item in document["items"]}
        assert found.pop("yours") is None
        assert found.keys() == true.keys()
        assert all(needed in (None, true[name]) for name, needed in found.items())
    else:
        text, unsettled = done.stdout.decode().split("\n\nnot decided in time: ")
        assert "yours" in unsettled.split()
        assert {heading: total for heading, (_, total, _) in redundant_items(text).items()} == {
            "givens": 4,
            "rules": 5,
        }
        assert {name for _, _, names in redundant_items(text).values() for name in names} <= {
            "mine"
        }


@pytest.mark.slow
def test_ctrl_c_before_a_solution_is_found():
    process = start("redundant", *HARD)
    wait_until_it_works(process)
    out, err, status = interrupt(process)
    assert (status, out) == (130, "")
    assert "before the interruption" in err or "interrupted" in err
