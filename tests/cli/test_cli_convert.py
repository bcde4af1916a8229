"""`aspdoku convert`: the extension or --to determines the format. Content that the format cannot
represent is an error that names it, and nothing is written.
"""

import json

import pytest
from cli_runner import INSTANCES, ROOT, run, run_process
from in_one_test import in_one_test
from optional_extras import with_extras

import aspdoku
from aspdoku.formats import registry

CLASSIC = INSTANCES / "slides" / "classic.txt"
KILLER = INSTANCES / "made" / "killer.txt"
STRIMKO = INSTANCES / "made" / "strimko.txt"
LINE = "".join(str(number or ".") for row in aspdoku.read(CLASSIC).grid for number in row)


@pytest.mark.parametrize(
    "suffix", with_extras([suffix for each in registry.ALL for suffix in each.suffixes])
)
def test_the_suffix_determines_the_format(suffix, tmp_path):
    out = tmp_path / f"out{suffix}"
    result = run("convert", CLASSIC, out)
    assert (result.exit_code, result.stdout) == (0, "")
    assert aspdoku.read(out).grid == aspdoku.read(CLASSIC).grid


TO = [
    (CLASSIC, "lines", LINE),
    (CLASSIC, "hodoku", f":0000:x:{LINE}:::"),
    (CLASSIC, "facts", "#const n=9."),
    (CLASSIC, "janko", "9 9"),
    (STRIMKO, "strimko-rows", "4"),
    (STRIMKO, "strimko", "4 1 1 2 2 3 1 2 2 3 1 4 4 3 3 4 4 . . . . 3 . 2 . . . . . . 2 . 4"),
    (KILLER, "killer", "........."),
]


@pytest.mark.parametrize(("file", "name", "first"), TO)
def test_to_determines_the_format(file, name, first):
    result = run("convert", "--to", name, file, "-")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0].split("  #")[0] == first
    again = run("convert", "-", "-", given=result.stdout)
    assert again.exit_code == 0
    texts = {"title": "", "rules": ""}
    assert aspdoku.parse(again.stdout).replace(**texts) == aspdoku.parse(result.stdout).replace(
        **texts
    )


@pytest.mark.parametrize("name", ["killer", "killer-long", "killer-short", "janko"])
def test_a_converted_killer_has_the_same_solution(name, tmp_path):
    assert run("convert", "--to", name, KILLER, tmp_path / "killer").exit_code == 0
    assert run("solve", tmp_path / "killer").stdout == run("solve", KILLER).stdout


def test_a_text_that_does_not_state_its_rules_is_written_with_a_warning(tmp_path):
    samurai = INSTANCES / "boards" / "samurai.txt"
    result = run("convert", "--to", "janko-samurai", samurai, tmp_path / "samurai")
    assert result.exit_code == 0
    assert "the text does not state its rules: read it with --from janko-samurai" in result.stderr
    result = run("solve", tmp_path / "samurai")
    assert result.exit_code == 65
    assert "name their type, e.g. --from janko-samurai" in result.stderr
    result = run("convert", "--from", "janko-samurai", tmp_path / "samurai", tmp_path / "again.txt")
    assert (result.exit_code, result.stderr) == (0, "")
    assert run("solve", tmp_path / "again.txt").stdout == run("solve", samurai).stdout


def test_several_puzzles(tmp_path):
    (tmp_path / "two.sdm").write_text(f"{LINE} # one\n{'.' * 81}\n")
    result = run("convert", "--to", "hodoku", tmp_path / "two.sdm", "-")
    assert result.stdout == f":0000:x:{LINE}:::\n:0000:x:{'.' * 81}:::\n"
    assert "cannot represent a title" in result.stderr
    result = run("convert", tmp_path / "two.sdm", tmp_path / "out.sdk")
    assert result.exit_code == 65
    assert "a file of the format sadman contains one puzzle, not 2: select" in result.stderr
    assert not (tmp_path / "out.sdk").exists()
    assert run("convert", f"{tmp_path}/two.sdm#1", tmp_path / "out.sdk").exit_code == 0
    assert aspdoku.read(tmp_path / "out.sdk").title == "one"
    assert run("solve", f"{tmp_path}/two.sdm#1").stdout == run("solve", CLASSIC).stdout
    result = run("solve", tmp_path / "two.sdm")
    assert result.exit_code == 65
    assert f"{tmp_path}/two.sdm#2" in result.stderr


def test_rules_that_are_only_drawn():
    result = run("convert", "--to", "sudokupad", "example:thermo", "-")
    assert (result.exit_code, "lines" in json.loads(result.stdout)) == (0, True)
    assert result.stderr == ""
    result = run("convert", "--to", "sudokupad", "example:clone", "-")
    assert "sudokupad only draws, and states in words: clone;" in result.stderr
    assert run("convert", "--to", "sudokupad", KILLER, "-").stderr == ""


BAD = [
    (
        ["--to", "sadman", KILLER, "-"],
        65,
        "the format sadman cannot represent the rule killer; a puzzle file",
    ),
    (["--to", "killer-short", CLASSIC, "-"], 65, "the format killer-short cannot"),
    (["--from", "sumocue", CLASSIC, "-"], 65, "instances/slides/classi"),
    (["--to", "xls", CLASSIC, "-"], 2, "'xls' is not one of"),
    ([CLASSIC, "out.xls"], 2, "unknown format of out.xls: use one of the suffixes .txt"),
    ([CLASSIC], 2, "Missing argument 'OUT'"),
    ([CLASSIC, CLASSIC], 2, "already exists and was not changed"),
    (
        [CLASSIC, "nowhere/out.txt"],
        74,
        "nowhere/out.txt cannot be written: No such file or directory",
    ),
    (["nowhere.sdm", "-"], 65, "nowhere.sdm: No such file or directory"),
    ([f"{CLASSIC}#2", "-"], 65, "instances/slides/classic.txt"),
]


@in_one_test(("arguments", "status", "message"), BAD)
def test_bad_arguments_are_rejected(arguments, status, message):
    result = run("convert", *arguments)
    assert (result.exit_code, result.stdout) == (status, "")
    assert message in result.stderr


SIGNS = "with: greater-than\n1 . . .\n. . . .\n. . . .\n. . . .\n[facts]\ngt(2,1,3,1).\n"
BLANK_16 = "\n".join(["." * 16] * 15)


def test_a_greater_than_sudoku_has_boxes_for_every_command_that_reads_it(tmp_path):
    (tmp_path / "signs.txt").write_text(SIGNS)
    assert (
        run(
            "convert", "--to", "greater-than", tmp_path / "signs.txt", tmp_path / "out.dat"
        ).exit_code
        == 0
    )
    assert run("count", tmp_path / "out.dat").stdout == run("count", tmp_path / "signs.txt").stdout


# What each format cannot represent because its text would be read differently, and the message.
MISREAD = [
    (
        "futoshiki",
        f"without: box\n{SIGNS.replace('2,1,3,1', '1,1,2,1')}",
        "it would be rejected when read back: futoshiki:1: ambiguous drawing",
    ),
    (
        "hexadecimal",
        f"numbers: 0-15\n123456789{'.' * 7}\n{BLANK_16}",
        "would be detected as the format puzzle, and differ in the numbers 0 to 15",
    ),
    ("letters", "title: x\n" + "1...\n" * 4, "cannot represent a 4x4 grid"),
    (
        "letters",
        "1" + "." * 99,
        "it would be rejected when read back: letters:1: ambiguous letter A:",
    ),
]


@pytest.mark.parametrize(("to", "text", "message"), MISREAD)
def test_a_text_that_would_be_read_as_another_puzzle_is_rejected(to, text, message, tmp_path):
    (tmp_path / "in.txt").write_text(text)
    result = run("convert", "--to", to, tmp_path / "in.txt", tmp_path / "out")
    assert result.exit_code == 65
    assert f"the format {to} cannot represent" in result.stderr
    assert message in result.stderr
    assert not (tmp_path / "out").exists()


def test_the_list_names_every_format():
    result = run("convert", "--list")
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.stdout.splitlines()] == [
        each.name for each in registry.ALL
    ]


@pytest.mark.slow
def test_encodings_of_standard_input():
    done = run_process(
        "convert",
        "--to",
        "lines",
        "-",
        "-",
        given=b"\xef\xbb\xbf" + LINE.replace(".", "0").encode() + b"\r\n",
    )
    assert (done.returncode, done.stdout.decode()) == (0, f"{LINE}\n")
    done = run_process("convert", "-", "-", given=b"\xff")
    assert (done.returncode, done.stdout) == (65, b"")
    assert b"standard input:1: byte 1 of the file is not valid UTF-8" in done.stderr


def test_the_page_on_formats_has_a_row_for_each_format():
    page = (ROOT / "docs" / "formats.md").read_text("utf-8")
    table = page.partition("\n## ")[0].splitlines()
    rows = [line.split("|")[1].strip(" `") for line in table if line.startswith("| `")]
    assert rows == [each.name for each in registry.ALL], (
        "the table in docs/formats.md needs a row for each format, in the order of registry.FOREIGN"
    )
    for each in registry.ALL:
        assert all(f"| `{each.name}` | `{suffix}` |" in page for suffix in each.suffixes)


@pytest.mark.parametrize(
    ("to", "keys"),
    [("killer", {"killercage": [{"cells": ["R1C1", "R1C2"], "value": "7"}]}), ("jigsaw", {})],
)
def test_cages_and_regions_named_by_numbers(to, keys, tmp_path):
    rows = [[{"region": (3 * row + column) % 4} for column in range(4)] for row in range(4)]
    source = tmp_path / "x.json"
    source.write_text(json.dumps({"grid": [[{}] * 4] * 4 if keys else rows, **keys}))
    result = run("convert", "--to", to, source, "-")
    assert (result.exit_code, result.stderr) == (0, "")
    read, again = aspdoku.read(source), aspdoku.parse(result.stdout)
    assert (len(read.facts), read.elaborations) == (len(again.facts), again.elaborations)


def test_a_rule_file_is_named_from_the_folder_of_the_new_file(tmp_path, monkeypatch):
    """The only solution of the grid is forbidden by the rule in inner/."""
    monkeypatch.chdir(tmp_path)
    for folder, forbidden in (("inner", 1), (".", 2), ("other", 2)):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "mine.lp").write_text(f":- a(1,1,{forbidden}).\n")
    (tmp_path / "inner/q.txt").write_text("with: ./mine.lp\n123.\n341.\n214.\n432.\n")
    for target in ("above.txt", "inner/next.txt"):
        assert run("convert", "inner/q.txt", target).exit_code == 0
        assert run("solve", target).exit_code == 20
    text = run("convert", "inner/q.txt", "-").stdout
    assert run("solve", "--trust", "-", given=text).exit_code == 20
    refused = run("convert", "inner/q.txt", "other/q.txt")
    assert (refused.exit_code, (tmp_path / "other/q.txt").exists()) == (65, False)
    assert "the rule './mine.lp' is the file inner/mine.lp" in refused.stderr
    facts = run("convert", "--to", "facts", "inner/q.txt", "-")
    assert (facts.exit_code, facts.stdout) == (65, "")
    assert "cannot represent the rule ./mine.lp" in facts.stderr
