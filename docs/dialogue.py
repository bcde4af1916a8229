"""Replay a dialogue with `aspdoku mcp`: python docs/dialogue.py [FILE.toml]

Starts the server as a client of an agent does, makes the calls of the file, and prints what is said
and answered. The exit status is 1 if a verdict is not the one in the file.
"""

import sys
import tomllib
from pathlib import Path

import anyio
from mcp import Client, StdioServerParameters, stdio_client

FILE = Path(__file__).with_name("examples") / "agent-dialogue.toml"
SERVER = StdioServerParameters(command=sys.executable, args=["-m", "aspdoku", "mcp"])


def with_rules(value, rules):
    """Arguments in which the rules of the file are named with `$`."""
    if isinstance(value, str):
        return rules[value[1:]] if value.startswith("$") else value
    if isinstance(value, list):
        return [with_rules(each, rules) for each in value]
    if isinstance(value, dict):
        return {key: with_rules(each, rules) for key, each in value.items()}
    return value


async def replay(dialogue, client):
    """Each turn with the text of the answer, and the verdicts that are not as expected."""
    for turn in dialogue["turns"]:
        text, wrong = "", {}
        if "call" in turn:
            arguments = with_rules(turn["arguments"], dialogue["rules"])
            answer = await client.call_tool(turn["call"], arguments)
            text = "\n".join(each.text for each in answer.content)
            found = dict(answer.structured_content or {})
            wrong = {
                key: value
                for key, value in turn["expect"].items()
                if not (value in text if key == "text" else found.get(key) == value)
            }
        yield turn, text, wrong


async def main(file):
    """Print the dialogue; the number of wrong verdicts."""
    dialogue, number = tomllib.loads(file.read_text("utf-8")), 0
    async with Client(stdio_client(SERVER)) as client:
        async for turn, text, wrong in replay(dialogue, client):
            for who in ("author", "agent"):
                if who in turn:
                    print(f"{who.upper()}: {turn[who]}\n")
            if text:
                print(f"{turn['call']}:\n{text}\n")
            for key, value in wrong.items():
                print(f"EXPECTED: {key} {value!r}\n")
            number += len(wrong)
    return number


if __name__ == "__main__":
    sys.exit(anyio.run(main, Path(*sys.argv[1:]) if sys.argv[1:] else FILE) > 0)
