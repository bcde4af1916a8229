"""`%%aspdoku` in a notebook: what a cell shows, and errors as messages."""

import re

import pytest
from cli_runner import ROOT

from aspdoku.cli.notebook import run

pytestmark = pytest.mark.versions

UNIQUE = "1...\n..3.\n.4..\n2...\n"
RULE = "% No 1 in the corner.\n:- a(1,1,1), not ab(mine).\n#defined ab/1.\n"


@pytest.fixture(scope="module")
def shell():
    """A shell with the extension; a cell's result, and what it writes to standard error."""
    pytest.importorskip("IPython", reason="IPython is not installed")
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    shell = InteractiveShell(config=config)
    shell.run_line_magic("load_ext", "aspdoku")
    yield shell
    InteractiveShell.clear_instance()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_in_ipython(shell, capsys):
    solved = shell.run_cell(f"%%aspdoku\n{UNIQUE}")
    assert solved.success
    assert solved.result.status == "unique"
    assert "<svg" in shell.display_formatter.format(solved.result)[0]["text/html"]
    capsys.readouterr()
    failed = shell.run_cell("%%aspdoku --with anti-knigt\n1...\n....\n....\n....\n")
    assert failed.success
    assert failed.result is None
    written = capsys.readouterr()
    assert "aspdoku: unknown rule 'anti-knigt'. Did you mean 'anti-knight'?" in written.err
    assert "Traceback" not in written.err + written.out


@pytest.mark.parametrize(
    ("line", "cell", "status", "found"),
    [
        ("", UNIQUE, "unique", 1),
        ("", f"{UNIQUE}---\n{RULE}", "none", 0),
        ("--without mine", f"{UNIQUE}---\n{RULE}", "unique", 1),
        ("-c n=4 -n 0", f"---\n{RULE}", "several", 216),
        ("-c n=4 -n 0 --without box", f"---\n{RULE}", "several", 432),
        ("1.....3..4..2...", RULE, "none", 0),
        ("1.....3..4..2...", "\n", "unique", 1),
        ("--fact 'ab(mine)'", f"{UNIQUE}---\n{RULE}", "unique", 1),
        ("--with offset -n 0", "....\n....\n....\n....\n", "several", None),
    ],
)
def test_cells(line, cell, status, found, capsys):
    result = run(line, cell)
    assert capsys.readouterr().err == ""
    assert result.status == status
    assert found is None or len(result) == found


@pytest.mark.parametrize(
    ("line", "cell", "message"),
    [
        ("", "\n", "the cell is empty"),
        ("", ":- a(1,1,1).\n", "a rule goes below a line ---"),
        ("", "1...\n....\n....\n...5\n", "5"),
        ("", f"{UNIQUE}---\n\n:- b(1).\n", "mine.lp:7:4"),
        ("", f"{UNIQUE}---\n:- a(R,C,.\n", "mine.lp:6:"),
        ("", f"{UNIQUE}---\n---\n{RULE}", "several lines ---"),
        (
            "1.....3..4..2...",
            f"---\n{RULE}",
            "1.....3..4..2... is the puzzle, so the cell holds only a rule: delete the line ---",
        ),
        ("--with 'x", UNIQUE, "No closing quotation"),
        ("--nix", UNIQUE, "No such option"),
        ("missing.txt", RULE, "missing.txt: No such file"),
        ("", f'{UNIQUE}---\n#include "x".\n', "#include"),
    ],
)
def test_errors_are_messages(line, cell, message, capsys):
    assert run(line, cell) is None
    written = capsys.readouterr()
    assert (written.out, written.err.startswith("aspdoku: ")) == ("", True)
    assert message in written.err
    assert "Traceback" not in written.err


def test_help(capsys):
    assert run("--help", "") is None
    assert re.search(r"^Usage: %%aspdoku", capsys.readouterr().out)


def test_a_warning_is_printed(capsys):
    assert run("", f"{UNIQUE}\n[facts]\nnix(1).\n").status == "unique"
    assert re.match(r"warning: .*nix/1", capsys.readouterr().err)


def test_the_cell_in_the_documentation(capsys):
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    line, cell = re.search(r"^%%aspdoku (.*)\n((?:.*\n)*?)```", page, re.M).groups()
    rows = run(line, cell).solution.rows
    assert capsys.readouterr().err == ""
    assert (len(rows), rows[0][0], rows[1][5]) == (6, 1, 1)
