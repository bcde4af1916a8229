"""The tools that an agent can call: each asks a question about rules or a puzzle.

`answer` runs in a child process with limits. Rules and puzzles are texts or names, never paths.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from aspdoku.engine.clues import effect_warnings
from aspdoku.errors import ArgumentError, AspdokuError, NoSolutionError, PuzzleError, did_you_mean
from aspdoku.formats.worded import Worded
from aspdoku.generation.clue_files import growth_warnings
from aspdoku.generation.minimal import unnamed_rules
from aspdoku.program import Program, RuleFile, library
from aspdoku.program.compose import about_own_rules
from aspdoku.puzzle import Puzzle
from aspdoku.puzzlefile.lines import quote
from aspdoku.questions import generate
from aspdoku.questions.check import check
from aspdoku.questions.conflict import conflict
from aspdoku.questions.elaborate import elaborate
from aspdoku.questions.equal import equivalent
from aspdoku.questions.explain import explain, why
from aspdoku.questions.files import draw
from aspdoku.questions.read import Interpretation, interpret
from aspdoku.questions.result import Result
from aspdoku.questions.solve import Solutions, conflict_lines, count, solve
from aspdoku.questions.source import compose, rules, vocabulary_text
from aspdoku.runtime.deadline import Deadline
from aspdoku.web.page import client_rule, puzzle_of, require_short
from aspdoku.web.questions import know_bundled_rules_only
from aspdoku.writing import write

Arguments = Mapping[str, Any]
Schema = dict[str, Any]
_STATED = tomllib.loads(Path(__file__).with_name("tools.toml").read_text("utf-8"))


class Answer(NamedTuple):
    """An answer: the text that the command of this name prints, its JSON, the lines that it writes
    to standard error, another text, and a picture as PNG.
    """

    text: str
    document: dict[str, Any] | None = None
    remarks: tuple[str, ...] = ()
    more: str = ""
    png: bytes = b""

    @classmethod
    def of(cls, result: Result, *remarks: object) -> Answer:
        """The answer with a result, and with the remarks that the result has itself."""
        own = (*map(str, remarks), *map(str, getattr(result, "remarks", ())))
        return cls(str(result), result.to_json(), own)


class Tool(NamedTuple):
    """A tool: what it does, the kind of its JSON (empty for text only), and the JSON Schema of its
    arguments.
    """

    description: str
    result: str
    schema: Schema


def _tools() -> dict[str, Tool]:
    def resolved(value: Any) -> Any:
        if isinstance(value, str) and value.startswith("$"):
            return resolved(_STATED["shared"][value[1:]])
        if isinstance(value, dict):
            return {key: resolved(each) for key, each in value.items()}
        return value

    def tool(stated: Mapping[str, Any]) -> Tool:
        shared = _STATED["program"] if "program" in stated else {}
        schema = {
            "type": "object",
            "properties": resolved(shared | stated.get("arguments", {})),
            "required": stated.get("required", []),
            "additionalProperties": False,
        }
        return Tool(stated["description"], stated.get("result", ""), schema)

    return {name: tool(stated) for name, stated in _STATED["tools"].items()}


TOOLS = _tools()
"""The tools by name, from `tools.toml`."""


def answer(name: str, arguments: Arguments, seconds: float, folder: str | None) -> Answer:
    """The answer of a tool, in the child process. Raises AspdokuError with advice that fits a page,
    which has no command line either.

    folder: where rules are saved, and found by their names
    """
    know_bundled_rules_only()
    if folder is not None:
        os.environ[library.PATH_VARIABLE] = folder
    try:
        return _ASKED[name](seconds, dict(arguments))
    except NoSolutionError as error:
        raise AspdokuError(f"{error.on_page}: the tool `conflict` shows why") from None
    except AspdokuError as error:
        raise AspdokuError(error.on_page) from None
    except OSError as error:
        raise AspdokuError(f"{error.filename or name}: {error.strerror or error}") from None


def _rule(named: str | Mapping[str, str]) -> RuleFile:
    """The rule with a name, or that of the client. Raises AspdokuError, also for a path."""
    if not isinstance(named, str):
        return client_rule(named)
    known = [*library.rule_names(), *library.slides_names()]
    if named not in known and not library.bundled_rule(named):
        raise AspdokuError(
            f"unknown rule {quote(named)}.{did_you_mean(named, known)} Use a name that the tool"
            " `rules` lists, or pass an object with the name and the text of a rule; paths are not"
            " read"
        )
    return library.find_for(None, named)


def _program(arguments: dict[str, Any]) -> Program:
    """The program that arguments describe, which are taken out of the others."""
    puzzle, size, rules = (arguments.pop(key, None) for key in ("puzzle", "size", "rules"))
    others = {key: arguments.pop(key) for key in _STATED["program"] if key in arguments}
    if puzzle is not None and size is not None:
        raise ArgumentError("size is that of a blank grid: leave out either size or puzzle")
    grid = Puzzle.blank(size or 9) if puzzle is None else puzzle_of({"puzzle": puzzle})
    return compose(grid, *map(_rule, rules or ()), **others)


def _about(
    question: Callable[..., Result | Answer], effects: bool = False
) -> Callable[[float, dict[str, Any]], Answer]:
    """What answers a question about a program.

    effects: also warn of clues without effect
    """

    def ask(seconds: float, arguments: dict[str, Any]) -> Answer:
        deadline = Deadline(seconds)
        program = _program(arguments)
        warnings = (*program.warnings, *(effect_warnings(program) if effects else ()))
        found = question(program, time_limit=deadline.time_limit(), **arguments)
        found = Answer.of(found) if isinstance(found, Result) else found
        return found._replace(remarks=(*warnings, *found.remarks))

    return ask


def _rules(_: float, arguments: dict[str, Any]) -> Answer:
    words = arguments.get("contains", "")
    found = Answer.of(rules(words))
    text = found.text or f"no rule has all these words: {words}"
    return found._replace(text=f"{text}\n\n{vocabulary_text()}")


def _rule_text(_: float, arguments: dict[str, Any]) -> Answer:
    return Answer(_rule(arguments["name"]).text)


def _read(_: float, arguments: dict[str, Any]) -> Answer:
    require_short(arguments["puzzle"])
    try:
        found = interpret(arguments["puzzle"].encode(errors="replace"))  # bytes are never a path
    except PuzzleError:  # it states no rules in words, or is no puzzle, which is the next error
        puzzle = puzzle_of(arguments)
        said = ((),) * len(puzzle.wording)
        found = Interpretation(Worded(puzzle, said, assumed=puzzle.assumed))
    try:
        return Answer.of(found)._replace(more=found.puzzle_file())
    except PuzzleError as error:
        return Answer.of(found, error)


def _draw(program: Program, format: str = "svg", **options: Any) -> Answer:  # noqa: A002
    drawing = draw(program, **options)
    remarks = drawing.solutions.remarks if drawing.solutions else ()
    rendered = drawing.render(f".{format}")
    if isinstance(rendered, bytes):
        return Answer("", None, remarks, png=rendered)
    return Answer(rendered, None, remarks)


def _check(seconds: float, arguments: dict[str, Any]) -> Answer:
    rule = _rule(arguments["rule"])
    report = check(rule, time_limit=seconds)
    remarks = [f"note: {each}" for each in report.notes]
    if arguments.get("save"):
        remarks.append(_saved(rule) if report else "not saved: the rule has errors")
    return Answer.of(report, *remarks)


def _saved(rule: RuleFile) -> str:
    """Save a rule in the folder of the server; where. Raises AspdokuError, OSError."""
    if library.bundled_rule(rule.name):
        raise AspdokuError(f"{rule.name} is a bundled rule: choose another name")
    file = library.own_folders()[0] / f"{rule.name}.lp"
    try:
        write(file, rule.text, new=True)
    except FileExistsError:
        raise AspdokuError(
            f"{file} already exists and was not changed: choose another name"
        ) from None
    return f"saved as {file}; in later calls, its name is enough"


def _compare(seconds: float, arguments: dict[str, Any]) -> Answer:
    one, two = (_rule(arguments.pop(key)) for key in ("one", "two"))
    if one.place == two.place and one.text != two.text:
        raise AspdokuError(f"both rules are called {one.name}: give one of them another name")
    found = equivalent(one, two, **arguments, time_limit=seconds)
    return Answer.of(found, *about_own_rules([*library.game(), one, two]))


def _solve(program: Program, time_limit: float, number: int | None = None) -> Solutions:
    """As the command: one solution is shown, and a second one decides whether it is unique."""
    found = solve(program, time_limit=time_limit, limit=number or 2)
    conflicts = conflict_lines(program.puzzle, found.conflicts)
    shown = found.solutions[: number or 1]
    return replace(found, solutions=shown, remarks=(*conflicts, *found.remarks))


def _generate(seconds: float, arguments: dict[str, Any]) -> Answer:
    deadline = Deadline(seconds)
    facts = arguments.get("facts", ())
    program = _program(arguments)
    generate.refuse_drawn(program, facts)
    drawn = program.missing_inputs
    warnings = (*program.warnings, *growth_warnings(program))
    made = generate.generate(like=program, time_limit=deadline.time_limit(), **arguments)
    unnamed = unnamed_rules(made.puzzles[0].program) if made.puzzles else ()
    return Answer.of(
        made,
        *(each for each in warnings if each not in drawn),
        *(f"the puzzles do not name the rule {each}: pass it in `rules`" for each in unnamed),
        *map(generate.generated_summary, made.puzzles),
        made.summary(),
    )


_ASKED: dict[str, Callable[[float, dict[str, Any]], Answer]] = {
    "rules": _rules,
    "rule_text": _rule_text,
    "read_puzzle": _read,
    "draw": _about(_draw),
    "check_rule": _check,
    "compare_rules": _compare,
    "solve": _about(_solve),
    "explain": _about(explain, effects=True),
    "why": _about(why, effects=True),
    "conflict": _about(conflict, effects=True),
    "count": _about(count),
    "generate": _generate,
    "elaborate": _about(elaborate),
}
