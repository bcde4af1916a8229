"""`aspdoku mcp`: the command itself; tests/agents has those of the tools."""

import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec

import pytest
from cli_runner import COMMAND, SOON, environment, run

from aspdoku.agents.tools import TOOLS

needs_mcp = pytest.mark.skipif(not find_spec("mcp_types"), reason="mcp is not installed")
HELLO = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
    b'"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}\n'
)
# Solving takes minutes.
LONG = (
    b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n{"jsonrpc":"2.0","id":2,"method":'
    b'"tools/call","params":{"name":"solve","arguments":{"size":25,"rules":["offset"]}}}\n'
)


def test_without_the_package(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name == "mcp" or None)
    result = run("mcp")
    assert result.exit_code == 65
    assert "needs the package mcp, version 2 or later" in result.stderr
    assert "pip install 'aspdoku[agent]'" in result.stderr


def test_a_folder_has_to_exist(tmp_path):
    result = run("mcp", "--folder", tmp_path / "missing")
    assert result.exit_code == 2
    assert "does not exist" in result.stderr


@needs_mcp
def test_a_folder_that_would_be_two(tmp_path):
    """Rules would be saved in another folder."""
    folder = tmp_path / f"rules{os.pathsep}more"
    folder.mkdir()
    result = run("mcp", "--folder", folder)
    assert result.exit_code == 2
    assert "no rule is found in a folder with ':'" in result.stderr


def test_the_help_names_each_tool():
    text = run("help", "mcp").stdout
    assert [name for name in TOOLS if name not in text] == []


def test_other_commands_do_not_import_it():
    script = "import sys, aspdoku.cli.servers, aspdoku.agents.tools; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert loaded.isdisjoint({"mcp", "mcp_types", "anyio", "pydantic", "jsonschema"})


def started():
    process = subprocess.Popen(
        [*COMMAND, "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        # As in `serving`: a background job ignores it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    process.stdin.write(HELLO)
    process.stdin.flush()
    assert b'"name":"aspdoku"' in process.stdout.readline()
    return process


@needs_mcp
@pytest.mark.slow
@pytest.mark.parametrize("ends", ["input", signal.SIGINT, signal.SIGTERM])
def test_it_ends_while_a_call_is_answered(ends):
    """When the client closes the input, at Ctrl-C, and when it is ended; its children, too."""
    process = started()
    process.stdin.write(LONG)
    process.stdin.flush()
    time.sleep(1.0)
    if ends == "input":
        process.stdin.close()
        assert process.wait(SOON) == 0
    else:
        process.send_signal(ends)
        assert process.wait(SOON) == -ends
        process.stdin.close()
    process.stdout.read()  # up to its end: no child has kept it open
    assert process.stderr.read() == b""
    process.stdout.close()
    process.stderr.close()
