"""No command states an unqualified verdict on a puzzle whose rules in words were not read.

The commands are those of the command group, each with all of its formats. The same puzzle without
its words, and one whose words a puzzle file states beside its rules, have plain verdicts.
"""

import json
import re
import warnings
from itertools import chain

import pytest
from cli_runner import run
from hypothesis import given
from hypothesis import strategies as st
from optional_extras import can_be_read
from sampling import one_in

import aspdoku
from aspdoku.cli import MODULES
from aspdoku.formats import registry
from aspdoku.formats.json_document import described

GIVENS = {
    "unique": ".4.. ...4 ..2. 1...",  # see the solution below
    "several": "1... .... ..2. ....",
    "none": "11.. .... .... ....",
}
SOLUTION = [[3, 4, 1, 2], [2, 1, 3, 4], [4, 3, 2, 1], [1, 2, 4, 3]]
RULES = "No two sums of rows agree.\nNeither do those of columns."
# Those that answer a question about the puzzle in FILE, with their arguments.
VERDICTS = {
    **{name: [name, "FILE"] for name in ("count", "unique", "candidates", "depends", "redundant")},
    **{
        name: [name, "FILE"]
        for name in ("explain", "hint", "conflict", "grade", "review", "fewest")
    },
    **{name: [name, "FILE"] for name in ("solve", "minimise", "complete", "elaborate", "handout")},
    "why": ["why", "r3c2=3", "FILE"],
    "draw": ["draw", "--solution", "FILE"],
    "compare": ["compare", "--engine", "findling", "FILE"],
    "generate": ["generate", "--seed", "1", "--like", "FILE"],
    "batch": ["batch", "--like", "FILE", "-"],
}
# Those that answer none, with the reason.
OTHERS = {
    "example": "bundled puzzles, which have no unsupported parts",
    "docs": "no puzzle",
    "help": "no puzzle",
    "rules": "no puzzle",
    "new": "no puzzle",
    "format": "rule files",
    "check": "rule files",
    "test": "examples, which refuse unsupported parts",
    "equal": "rule files, on the grid and the facts of a puzzle; tested below",
    "program": "the program for clingo",
    "learn": "only grids without rules are accepted",
    "read": "what is open is the answer",
    "convert": "keeps the words and the qualification",
    "serve": "the page is tested below and in tests/web",
    "mcp": "the results of other commands, as tests/agents tests",
    "lsp": "what an editor shows, as tests/editor tests",
    "lesson": "puzzles are part of a lesson, which states no verdict of its own",
}
SLOW = {"handout", "compare", "batch"}
QUALIFIED = re.compile(
    r"(?i)(ignoring unsupported parts|unsupported[^:]*): [^\n]*the rules in words"
)


def document(givens=GIVENS["unique"], **texts):
    grid = [
        [{} if sign == "." else {"value": int(sign), "given": True} for sign in row]
        for row in givens.split()
    ]
    return json.dumps({"size": 4, "grid": grid, "title": "", **texts})


def formats(name):
    """The formats of a command; one without a name if it has no choice."""
    found = re.search(r"--format \[([a-z|]+)\]", run("help", name).stdout)
    return found[1].split("|") if found else [""]


def answer(name, format_, file):
    words = [str(file) if word == "FILE" else word for word in VERDICTS[name]]
    found = run(*words, *(["--format", format_] if format_ else []), given="." * 16 + "\n")
    assert found.exit_code in (0, 1, 20), found.output
    return found


def shown(found, format_):
    """The answer of a command: standard output, unless it has only the numbers of a solution."""
    text = found.stderr if format_ in ("line", "facts") or not found.stdout else found.stdout
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


def is_qualified(found, format_):
    if format_ == "json" and found.stdout:
        return '["the rules in words"]' in found.stdout.replace(": ", ":")
    return bool(QUALIFIED.search(shown(found, format_)))


CASES = [
    pytest.param(name, format_, marks=[pytest.mark.slow] if name in SLOW or more else [])
    for name in VERDICTS
    for more, format_ in enumerate(formats(name))
]


def test_each_command_is_tested_or_has_a_reason():
    assert MODULES.keys() == VERDICTS.keys() | OTHERS.keys(), (
        "each command needs its arguments in VERDICTS, or in OTHERS the reason why it states no"
        " verdict on a puzzle"
    )
    assert not VERDICTS.keys() & OTHERS.keys()


@pytest.mark.parametrize(("name", "format_"), CASES)
def test_each_verdict_is_qualified_and_none_without_the_words(name, format_, tmp_path):
    with_words, without = tmp_path / "words.json", tmp_path / "none.json"
    with_words.write_text(document(ruleset=RULES), "utf-8")
    without.write_text(document(), "utf-8")
    assert is_qualified(answer(name, format_, with_words), format_)
    assert "the rules in words" not in answer(name, format_, without).output


@pytest.mark.parametrize("format_", ["text", "json", "html"])
def test_a_verdict_on_rules_for_the_facts_of_a_puzzle_is_qualified(format_, tmp_path):
    with_words, without = tmp_path / "words.json", tmp_path / "none.json"
    with_words.write_text(document(ruleset=RULES), "utf-8")
    without.write_text(document(), "utf-8")
    asked = ("equal", "anti-king", "anti-king", "--format", format_)
    assert is_qualified(run(*asked, with_words), format_)
    assert "the rules in words" not in run(*asked, without).output


@pytest.mark.parametrize("kind", ["several", "none"])
@pytest.mark.parametrize(
    "name", sorted(VERDICTS.keys() - {"why", "generate", "batch", "draw", "elaborate", *SLOW})
)
def test_each_verdict_on_other_puzzles_is_qualified(name, kind, tmp_path):
    file = tmp_path / "words.json"
    file.write_text(document(GIVENS[kind], ruleset=RULES), "utf-8")
    assert is_qualified(answer(name, "", file), "")


def test_the_author_of_a_puzzle_file_states_its_rules(tmp_path):
    file = tmp_path / "own.txt"
    rows = GIVENS["unique"].replace(" ", "\n")
    words = "".join(f"rules: {line}\n" for line in RULES.split("\n"))
    file.write_text(f"{words}with:\n{rows}", "utf-8")
    assert aspdoku.read(file).rules == RULES
    assert run("unique", file).output == "unique solution\n"
    file.write_text(words + rows, "utf-8")
    assert "ignoring unsupported parts: the rules in words\n" in run("unique", file).stdout


def test_converted_puzzles_are_qualified_until_the_line_is_deleted(tmp_path):
    file, read = tmp_path / "words.json", tmp_path / "words.txt"
    file.write_text(document(ruleset=RULES, author="Ada", solution=list(chain(*SOLUTION))), "utf-8")
    assert run("convert", file, read).output == ""
    text = read.read_text("utf-8")
    assert "author: Ada\nrules: No two sums of rows agree.\nrules: Neither" in text
    found = run("unique", read)
    assert found.stdout == "unique solution - ignoring unsupported parts: the rules in words\n"
    assert "delete its line `unsupported:`" in found.stderr
    read.write_text(text.replace("unsupported: the rules in words\n", "with:\n"), "utf-8")
    assert run("unique", read).output == "unique solution\n"


def test_a_format_without_words_is_refused_and_an_author_is_omitted_with_a_warning(tmp_path):
    file = tmp_path / "words.json"
    file.write_text(document(ruleset=RULES), "utf-8")
    refused = run("convert", file, tmp_path / "x.sdm")
    assert refused.exit_code == 65
    assert "cannot represent the unsupported constraint (the rules in words)" in refused.stderr
    own = tmp_path / "own.txt"
    rows = GIVENS["unique"].replace(" ", "\n")
    own.write_text(f"author: Ada\nrules: x\nwith:\nsolution: {'.' * 15}3\n{rows}", "utf-8")
    for field, to in (
        ("an author", "janko"),
        ("rules in words", "sadman"),
        ("a solution", "lines"),
    ):
        found = run("convert", "--to", to, own, "-")
        assert (found.exit_code, f"cannot represent {field}: omitted" in found.stderr) == (0, True)


@pytest.mark.parametrize(
    ("givens", "change", "word"),
    [
        ("unique", {}, ""),
        ("unique", {(4, 4): None}, ""),
        ("unique", {(4, 4): 1}, "(these rules give r4c4=3)"),
        ("unique", dict.fromkeys([(r, 1) for r in range(1, 5)], 1), "r1c1=3, r2c1=2, r3c1=4)"),
        ("unique", dict.fromkeys([(1, c) for c in range(1, 5)] + [(2, 1)], 4), "and 1 more)"),
        ("several", {}, "(these rules allow several)"),
        ("none", {}, "(these rules allow none)"),
    ],
)
@pytest.mark.parametrize("name", ["solve", "unique"])
def test_a_stated_solution_is_compared_and_never_an_answer(name, givens, change, word, tmp_path):
    stated = [
        change.get((row, column), number)
        for row, numbers in enumerate(SOLUTION, 1)
        for column, number in enumerate(numbers, 1)
    ]
    plain, file = tmp_path / "plain.json", tmp_path / "stated.json"
    plain.write_text(document(GIVENS[givens]), "utf-8")
    file.write_text(document(GIVENS[givens], solution=stated), "utf-8")
    for format_ in formats(name):
        found, expected = answer(name, format_, file), answer(name, format_, plain)
        assert found.exit_code == expected.exit_code
        if not word:
            assert found.output == expected.output
            continue
        assert word in found.stderr.partition("unsupported and ignored: the stated solution ")[2]
        if format_ == "json":
            key = json.loads(found.stdout).pop("unsupported")
            assert word in key[0]
            assert json.loads(found.stdout) == {**json.loads(expected.stdout), "unsupported": key}
        else:
            assert re.sub(r" - ignoring .*?\)", "", found.stdout) == expected.stdout


@pytest.mark.slow
def test_each_answer_of_a_handout_is_qualified():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        html = aspdoku.handout(document(ruleset=RULES), static_only=True)
    qualified = re.findall(
        r"(is unique|<p>One|<p>Several)( - ignoring unsupported parts: the rules)?", html
    )
    assert len(qualified) == 2
    assert all(caveat for _, caveat in qualified)


def test_equal_warns_and_learn_refuses(tmp_path):
    file = tmp_path / "words.json"
    file.write_text(document(ruleset=RULES), "utf-8")
    assert "ignored: the rules in words" in run("equal", "anti-king", "anti-knight", file).stderr
    full = "".join(str(number) for row in SOLUTION for number in row)
    file.write_text(document(" ".join(re.findall("....", full)), ruleset=RULES), "utf-8")
    assert run("learn", file).exit_code == 65


@pytest.mark.parametrize("name", one_in(4, VERDICTS))
def test_results_in_python_are_qualified(name):
    if name in ("handout", "draw", "batch"):
        pytest.skip("no summary")
    puzzle = aspdoku.parse(document(ruleset=RULES))
    arguments = {"why": ["r3c2=3"], "compare": ["findling"]}.get(name, [])
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        if name == "generate":
            result = aspdoku.generate(like=puzzle, seed=1)
        else:
            result = getattr(aspdoku, name)(puzzle, *arguments)
    assert "the rules in words" in str(warned[0].message)
    assert "the rules in words" in str(result)
    assert "the rules in words" in result._repr_html_()
    assert "the rules in words" in json.dumps(result.to_json())


def links():
    """Puzzles of the formats that carry words, whose text is made here."""
    words = {"title": "A", "author": "Ada", "rules": RULES}
    cells = [[{} for _ in range(4)] for _ in range(4)]
    yield "sudokupad", json.dumps({"cells": cells, "metadata": words})
    yield "sudokupad", json.dumps({"cells": cells, **words})
    cages = [{"value": f"{key}: {text}"} for key, text in words.items()]
    yield "sudokupad", json.dumps({"cells": cells, "cages": cages})
    yield "fpuzzles", document(title="A", author="Ada", ruleset=RULES)
    puzzle = aspdoku.Puzzle.blank(9).replace(title="A", author="Ada", rules=RULES)
    names = ["ipuz", "penpa", *(["address"] if can_be_read(registry.by_name("address")) else [])]
    yield from ((name, aspdoku.convert(puzzle, name)) for name in names)


@pytest.mark.slow
@given(*[st.lists(st.text() | st.sampled_from([1, True, ["a", "# b"]]), max_size=2)] * 4)
def test_any_texts_of_a_document_are_kept_in_a_puzzle_file(title, author, rules, solution):
    puzzle = described(aspdoku.Puzzle.blank(4), title, author, rules, solution)
    assert bool(puzzle.rules) == ("the rules in words" in puzzle.unsupported)
    words = "".join(str(part) for part in chain(title, author) if isinstance(part, str))
    assert {*"".join(words.split())} & {*map(chr, range(33, 127))} <= {
        *puzzle.title,
        *puzzle.author,
    }
    assert aspdoku.parse(aspdoku.convert(puzzle, "puzzle")) == puzzle


@pytest.mark.parametrize(("name", "text"), list(links()))
def test_each_format_with_words_carries_them_both_ways(name, text):
    puzzle = aspdoku.parse(text)
    assert (puzzle.title, puzzle.author, puzzle.rules) == ("A", "Ada", RULES)
    assert puzzle.unsupported == ("the rules in words",)
    assert aspdoku.parse(aspdoku.convert(puzzle, name)) == puzzle
    own = aspdoku.parse(aspdoku.convert(puzzle, "puzzle"))
    assert own == puzzle
    assert aspdoku.parse(aspdoku.convert(own.replace(unsupported=()), name)) == puzzle
