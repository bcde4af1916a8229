"""A client of the tools in this process, which starts the server of forked children once: these
keep the current folder and the environment of that moment.
"""

import json
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

pytest.importorskip("mcp_types", reason="mcp, version 2 or later, is not installed")

import anyio
from mcp import Client

from aspdoku.agents.server import server
from aspdoku.runtime.child import Limits
from aspdoku.runtime.fork_server import fork_server

LIMITS = Limits(60)
ROOT = Path(__file__).parents[2]
OPEN = ExitStack()


@cache
def runner():
    return OPEN.enter_context(fork_server("aspdoku.agents.tools"))


def with_client(use, limits=LIMITS, folder=None, run=None):
    """What the coroutine returns that uses the client."""

    async def main():
        async with Client(server(run or runner(), limits, folder)) as client:
            return await use(client)

    return anyio.run(main)


def call(tool, /, limits=LIMITS, folder=None, run=None, **arguments):
    """The answer of a tool."""
    return with_client(lambda client: client.call_tool(tool, arguments), limits, folder, run)


def refusal(tool, /, **arguments):
    """The text of an error, which has no stack trace."""
    answer = call(tool, **arguments)
    (content,) = answer.content
    assert answer.is_error, content.text
    assert "Traceback" not in content.text
    return content.text


def text_of(answer):
    """The first text of an answer that is no error."""
    assert not answer.is_error, answer.content
    return answer.content[0].text


def document(answer):
    """The JSON of an answer, and the remarks."""
    assert not answer.is_error, answer.content
    found = json.loads(json.dumps(answer.structured_content))
    return found, found.pop("remarks", [])
