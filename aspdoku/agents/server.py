"""The server of `aspdoku mcp`: tools, resources and a prompt in the Model Context Protocol.

Each call is answered in a child process with limits, as questions of a class are. Nothing is
written but rules that are saved in the folder that was named at the start.
https://modelcontextprotocol.io/specification
"""

from __future__ import annotations

import json
import re
import threading
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import mcp_types as types
from anyio import CapacityLimiter, to_thread
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from aspdoku import __version__
from aspdoku.agents.tools import TOOLS, Answer, Schema, Tool, answer
from aspdoku.errors import AspdokuError
from aspdoku.manual import page
from aspdoku.program import library
from aspdoku.puzzle.render import shortened
from aspdoku.puzzle.term import printable
from aspdoku.runtime.child import Limits
from aspdoku.web.questions import answered, seconds_within

_Context = ServerRequestContext[Any]
# Calls that are answered at the same time, and characters of the arguments of one.
_RUNNING, _LARGEST = 3, 1_000_000
_LONGEST = 150  # characters of a message about arguments, which it quotes at its beginning
_INSTRUCTIONS = (
    "Sudoku variants in answer set programming: one rule file for each rule, on a base that never"
    " changes. Rules can be checked, compared with a counterexample, and used to solve, explain and"
    " make puzzles. Begin with the prompt `formalize` to write a rule that is stated in words."
)
_SMALLER = "; ask about a smaller grid"
_LONGER = f"{_SMALLER}, or start the server with --time-limit-each"
_ADVICE = {"time": _LONGER, "processor": _LONGER, "memory": _SMALLER}  # by the limit of a call
_ARGUMENTS = {
    "rule": "The rule in words.",
    "examples": "Grids that the rule allows or forbids, as the author states them.",
}
_REMARKS: Schema = {
    "type": "array",
    "items": {"type": "string"},
    "description": "Warnings, and what else the command writes to standard error.",
}


@cache
def output_schema(kind: str) -> Schema:
    """The JSON Schema of a kind of result, with the remarks, and the shared definitions that it
    needs: a client has no other file.
    """
    folder = Path(__file__).parents[1] / "schemas"
    schema, common = (
        json.loads((folder / f"{name}.json").read_text("utf-8").replace("common.json#", "#"))
        for name in (kind, "common")
    )
    known = common["$defs"] | schema.get("$defs", {})
    used: set[str] = set()
    waiting = [schema]
    while waiting:
        names = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(waiting.pop()))) - used
        used |= names
        waiting += [known[name] for name in names]
    properties = schema["properties"] | {"remarks": _REMARKS}
    return {
        **schema,
        "properties": properties,
        "$defs": {name: known[name] for name in sorted(used)},
    }


def _offered(folder: Path | None) -> dict[str, Tool]:
    """The tools by name. Without a folder, no rule can be saved."""
    if folder:
        return TOOLS
    rest = dict(TOOLS["check_rule"].schema["properties"])
    del rest["save"]
    schema = TOOLS["check_rule"].schema | {"properties": rest}
    return TOOLS | {"check_rule": TOOLS["check_rule"]._replace(schema=schema)}


def _listed(name: str, tool: Tool, text_only: bool) -> types.Tool:
    writes = "save" in tool.schema["properties"]
    return types.Tool(
        name=name,
        description=tool.description,
        input_schema=tool.schema,
        output_schema=output_schema(tool.result) if tool.result and not text_only else None,
        annotations=types.ToolAnnotations(
            read_only_hint=not writes, destructive_hint=False, open_world_hint=False
        ),
    )


def _number(text: str) -> int | float:
    """A number of JSON, in which 4.0 is a whole number."""
    number = float(text)
    return int(number) if number.is_integer() else number


def _valid(name: str, schema: Schema, given: Mapping[str, object]) -> dict[str, Any]:
    """The arguments of a tool. Raises AspdokuError for others, with their place."""
    text = json.dumps(given)
    if len(text) > _LARGEST:
        raise AspdokuError(f"the arguments have more than {_LARGEST:,} characters: send less")
    arguments: dict[str, Any] = json.loads(text, parse_float=_number)
    known = schema["properties"]
    error = best_match(Draft202012Validator(schema).iter_errors(arguments))
    if error:
        place = "".join(f".{it}" if isinstance(it, str) else f"[{it}]" for it in error.path)[1:]
        expected = known[error.path[0]]["description"] if place else ", ".join(known)
        where = f"{name}, argument {place}" if place else f"{name}, arguments"
        raise AspdokuError(f"{where}: {error.message[-_LONGEST:]}; expected: {expected}")
    return arguments


def _texts(*texts: str) -> list[types.ContentBlock]:
    """Texts as commands print them: with control characters escaped."""
    return [types.TextContent(text=printable(text)) for text in texts if text]


def _result(found: Answer, text_only: bool) -> types.CallToolResult:
    content = _texts(found.text, found.more, "\n".join(found.remarks))
    if found.png:
        data = b64encode(found.png).decode()
        content.append(types.ImageContent(data=data, mime_type="image/png"))
    remarks = {"remarks": list(found.remarks)} if found.remarks else {}
    document = found.document and not text_only and {**found.document, **remarks}
    return types.CallToolResult(content=content, structured_content=document or None)


@cache
def resources() -> dict[str, tuple[str, str]]:
    """The title and the text of each resource, by its address."""
    root = library.data_dir().parent
    guide = (root / "CONTRIBUTING.md").read_text("utf-8")
    section = re.search(r"^## A rule\n.*?(?=^## )", guide, re.MULTILINE | re.DOTALL)
    assert section
    words, tutorial = library.vocabulary().values(), page("tutorial")
    return {
        "aspdoku://tutorial": (tutorial.title, tutorial.text),
        "aspdoku://rule-files": ("What a rule file says, and the letters of arguments", section[0]),
        "aspdoku://base": (library.base().title, library.base().text),
        **{f"aspdoku://vocabulary/{rule.name}": (rule.title, rule.text) for rule in words},
    }


def server(
    run: Callable[..., Any], limits: Limits, folder: Path | None = None, text_only: bool = False
) -> Server[Any]:
    """The server.

    run: starts the child process of a call, `run_limited` or that of a `fork_server`
    limits: of each call
    folder: where rules may be saved, if anywhere
    text_only: answer without JSON
    """
    places = CapacityLimiter(_RUNNING)
    tools = _offered(folder)

    async def call(name: str, given: Mapping[str, Any]) -> Answer:
        arguments = _valid(name, tools[name].schema, given)
        seconds, where = seconds_within(limits), folder and str(folder)
        gone = threading.Event()
        asked = partial(
            run, limits, answer, name, arguments, seconds, where, is_cancelled=gone.is_set
        )
        try:
            value = await to_thread.run_sync(asked, abandon_on_cancel=True, limiter=places)
        finally:
            gone.set()
        try:
            return answered(value)  # type: ignore[no-any-return]
        except AspdokuError as error:
            raise AspdokuError(f"{error}{_ADVICE.get(value.limit, '')}") from None

    async def list_tools(_: _Context, __: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_listed(*each, text_only) for each in tools.items()])

    async def call_tool(_: _Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name not in TOOLS:
            raise _unknown("tool", params.name, TOOLS)
        try:
            return _result(await call(params.name, params.arguments or {}), text_only)
        except AspdokuError as error:
            return types.CallToolResult(content=_texts(str(error)), is_error=True)

    async def list_resources(_: _Context, __: object) -> types.ListResourcesResult:
        listed = [
            types.Resource(
                uri=uri, name=uri.partition("//")[2], title=title, mime_type="text/plain"
            )
            for uri, (title, _) in resources().items()
        ]
        return types.ListResourcesResult(resources=listed)

    async def read_resource(
        _: _Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        if params.uri not in resources():
            raise _unknown("resource", params.uri, resources())
        text = resources()[params.uri][1]
        content = types.TextResourceContents(uri=params.uri, mime_type="text/plain", text=text)
        return types.ReadResourceResult(contents=[content])

    async def list_prompts(_: _Context, __: object) -> types.ListPromptsResult:
        arguments = [
            types.PromptArgument(name=name, description=text, required=name == "rule")
            for name, text in _ARGUMENTS.items()
        ]
        title = "Formalize a rule stated in words"
        return types.ListPromptsResult(
            prompts=[types.Prompt(name="formalize", title=title, arguments=arguments)]
        )

    async def get_prompt(
        _: _Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        given = params.arguments or {}
        if params.name != "formalize":
            raise _unknown("prompt", params.name, ["formalize"])
        if not given.get("rule"):
            raise MCPError(types.INVALID_PARAMS, "the argument rule is missing: the rule in words")
        text = Path(__file__).with_name("formalize.md").read_text("utf-8")
        said = {"rule": given["rule"], "examples": given.get("examples") or "none were given"}
        text = re.sub(r"\{(rule|examples)\}", lambda name: said[name[1]], text)
        message = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(messages=[message])

    return Server(
        "aspdoku",
        version=__version__,
        instructions=_INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


def _unknown(what: str, name: str, known: Iterable[str]) -> MCPError:
    return MCPError(
        types.INVALID_PARAMS, f"unknown {what} {shortened(name)!r}: use one of {', '.join(known)}"
    )


async def serve(served: Server[Any]) -> None:
    """Answer on standard output what is asked on standard input, until that ends."""
    async with stdio_server() as (asked, answers):
        await served.run(asked, answers, served.create_initialization_options())
