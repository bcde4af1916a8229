"""The live page: a puzzle, its program, and what the page's script needs to know of both."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path, PurePath
from typing import Any

from aspdoku.drawing import NOTEBOOK_SECONDS, content_styles, picture_of_program
from aspdoku.drawing.output import svg
from aspdoku.drawing.style import draw_file_styles
from aspdoku.errors import AspdokuError
from aspdoku.explanation.explainer import Explanation
from aspdoku.formats import parse
from aspdoku.formats.detection import PREFIX, example_file, examples
from aspdoku.markup import render
from aspdoku.program import Program, RuleFile, library
from aspdoku.puzzle import Puzzle
from aspdoku.puzzlefile.lines import pluralize, quote
from aspdoku.puzzlefile.writer import write
from aspdoku.questions.explain_page import board_steps
from aspdoku.questions.source import compose
from aspdoku.questions.wording import read_sentences
from aspdoku.web.board import drawing_of
from aspdoku.web.game import game

STATIC = Path(__file__).with_name("static")
STYLES = ("tokens.css", "aspdoku.css", "slide.css", "words.css")
# Files that the scripts of the live page read.
ENGINE = ("clingo.js", "worker.js", "clingo.wasm.gz")
# The longest rule and puzzle that a client may send, in characters.
_LONGEST = 100_000
_MOST_RULES = 200  # that a state may name, and that it may contain
_IMPORT = re.compile(r'^import [^;]+ from "\./(.+)";\n', re.MULTILINE)
_RULE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,59}")


@cache
def static(name: str) -> bytes:
    """The content of a file in `static`."""
    return (STATIC / name).read_bytes()


@cache
def scripts(name: str = "live.js") -> tuple[str, ...]:
    """The modules that a page needs, here the live page: each follows those that it imports."""
    imported = [each for other in _IMPORT.findall(static(name).decode()) for each in scripts(other)]
    return tuple(dict.fromkeys([*imported, name]))


def script_in_page(name: str = "live.js") -> str:
    """The modules of a page as one. Each name of a module is unique among them."""
    text = "".join(_IMPORT.sub("", static(each).decode()) for each in scripts(name))
    return re.sub("^export ", "", text, flags=re.MULTILINE)


def policy(style: str, script: str) -> str:
    """The Content-Security-Policy of a page in one file: exactly this style and this script.

    The worker is made from the text in the page (`blob:`).
    """
    allowed = f"default-src 'none'; style-src {_hash(style)}"
    if script:
        allowed += f"; script-src {_hash(script)} 'wasm-unsafe-eval' blob:; worker-src blob:"
    return allowed


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def embedded(name: str) -> str:
    """A file of `static` as text: in base64 if it is compressed."""
    content = static(name)
    return base64.b64encode(content).decode() if name.endswith(".gz") else content.decode()


def for_clients(program: Program) -> Program:
    """The program as pages for others show it: its own files are named without their folders."""
    rules = [
        rule if library.is_bundled(rule) else replace(rule, place=PurePath(rule.place).name)
        for rule in program.rules
    ]
    return program.changed(rules, name=PurePath(program.puzzle.name).name)


def rules_to_add() -> list[dict[str, Any]]:
    """The bundled rules: others may be solutions of exercises."""
    return [rule_parts(rule) for rule in library.available_rules() if library.is_bundled(rule)]


def live_page(program: Program, *, server: bool, token: str = "") -> str:
    """The live page, for a server that has the files of `static` under `/static/`.

    server: whether questions can be sent to `/ask`; without, what needs Python is hidden
    token: the value of the header `X-Aspdoku-Token` of these questions
    Raises RuleError for an invalid style, TimeLimitError.
    """
    program = for_clients(program)
    data = parts(program) | {
        "server": server,
        "library": rules_to_add(),
        "examples": sorted(examples()),
        "game": game(),
    }
    return render(
        "live.html.j2",
        data=data,
        token=token,
        scripts=scripts(),
        styles=STYLES,
        drawing=print_drawing(program),
        program=program,
    )


def print_drawing(program: Program) -> str:
    """The drawing of the puzzle with the titles of its rules, as SVG without style attributes."""
    return svg(picture_of_program(program, title="", time_limit=NOTEBOOK_SECONDS))


def parts(program: Program, drawn: Program | None = None) -> dict[str, Any]:
    """What the page's script knows of a program, as JSON.

    drawn: the program whose drawing is shown instead, without names

    before, after: the text of the program before the first rule file and after the instance
    base, rules: each with the names that a fact `ab(NAME).` can retract
    vocabulary: the definitions that are included if a rule declares their predicate
    instance: name, facts, and givens, None for an empty cell
    retracted: the names NAME with a fact `ab(NAME).`
    source: the puzzle as the text of a puzzle file, without the solution that its source states,
    which names bundled rules only
    rules_in_words: the rules as the author wrote them, for people
    wording: the sentences from which rules were read, as `questions.wording.ReadSentence` has them
    assumed: of two readings of the words, the one that was taken
    sections: the predicates of sections that none of the rules declares
    contents: the atoms that define what a cell of a solution shows, each as predicate and letters
    drawing: see `board.drawing_of`; named: with the names of cages and lines, for explanations;
    None if nothing is named
    Raises RuleError for an invalid style, TimeLimitError.
    """
    puzzle = program.puzzle
    lines = program.text.split("\n")
    header, *instance = lines[program.parts[-1].last_line :]
    words = library.vocabulary()
    base, *rules = (
        rule_parts(part.rule) for part in program.parts if part.rule not in words.values()
    )
    # The page sends the text of all others.
    names = tuple(name for name in puzzle.elaborations if library.bundled_rule(name))
    declared = {item.name for part in program.parts for item in part.rule.inputs}
    return {
        "title": puzzle.heading or puzzle.name or "Sudoku",
        "size": puzzle.size,
        "numbers": list(puzzle.numbers),
        "before": "\n".join(lines[: program.parts[0].first_line - 2]) + "\n",
        "base": base,
        "rules": rules,
        "vocabulary": [
            rule_parts(rule) | {"declared": f"{name}/{arity}"}
            for (name, arity), rule in words.items()
        ],
        "instance": {
            "header": header,
            "numbers": next((line for line in instance if line.startswith("own_numbers.")), ""),
            "facts": list(map(str, puzzle.facts)),
        },
        "givens": [list(row) for row in puzzle.grid],
        "retracted": [name.replace("-", "_") for name in puzzle.without],
        "after": program.text[program.text.rindex("\n% -- the answer") :],
        "source": write(puzzle.replace(solution=None, elaborations=names)),
        "rules_in_words": puzzle.rules,
        "wording": [each._asdict() for each in read_sentences(puzzle)],
        "sections": [each.name for each in puzzle.sections if each.name not in declared],
        "unsupported": list(puzzle.unsupported),
        "assumed": list(puzzle.assumed),
        "contents": [[style.atom.name, style.atom.arguments] for style in content_styles(program)],
    } | ({"drawing": drawing_of(drawn), "named": None} if drawn else drawings(program))


def drawings(program: Program) -> dict[str, Any]:
    """`drawing` and `named` of a program, see `parts`. Raises RuleError, TimeLimitError."""
    drawing, named = drawing_of(program), drawing_of(program, names=True)
    return {"drawing": drawing, "named": None if named == drawing else named}


def rule_parts(rule: RuleFile) -> dict[str, Any]:
    """A rule file as JSON for the page's script; the base can be retracted rule by rule, any other
    file by its own name.
    """
    own = rule.name.replace("-", "_")
    of_base = rule == library.base()
    return {
        "name": rule.name,
        "place": rule.place,
        "title": rule.title,
        "text": rule.text,
        "sha256": hashlib.sha256(rule.text.encode()).hexdigest(),
        "retracts": sorted(rule.retractable if of_base else {own} & rule.retractable),
        "inputs": [str(each) for each in rule.inputs],
        "isDrawn": bool(rule.inputs or draw_file_styles(rule)),
    }


def explanation_parts(explanation: Explanation, seconds: float) -> dict[str, Any]:
    """An explanation as JSON for the page's script.

    steps: see `steps`
    complete: whether all steps were found within the time limit
    cut_off: a sentence for the reader if steps are missing, otherwise None

    seconds: the time limit
    """
    complete = explanation.ended == "complete"
    left = pluralize(len(explanation.unexplained), "conclusion")
    return {
        "steps": steps(explanation),
        "complete": complete,
        "cut_off": None
        if complete
        else f"Cut off after {round(seconds, 1):g} s: {left} not explained.",
    }


def steps(explanation: Explanation) -> list[dict[str, Any]]:
    """The steps of an explanation, as JSON for the page's script.

    placed: the numbers that are known after the step and were not before; candidates: those that
    are left in each cell that has changed; struck: those that the step eliminates; each a list of
    row, column and number or numbers
    marked: the highlighted cells, by kind
    """
    found: list[dict[str, Any]] = []
    numbers: dict[Any, int] = {}
    candidates: dict[Any, list[int]] = {}
    for step in board_steps(explanation):
        now = {cell: sorted(left) for cell, left in step.candidates.items()}
        found.append(
            {
                "summary": step.summary,
                "lines": [
                    {
                        "indent": len(line.lead) - len(line.lead.lstrip()),
                        "lead": line.lead.lstrip(),
                        "spans": [[span.text, span.source] for span in line.spans],
                    }
                    for line in step.lines
                ],
                "placed": [
                    [*cell, number] for cell, number in step.numbers.items() if cell not in numbers
                ],
                "candidates": [
                    [*cell, left] for cell, left in now.items() if candidates.get(cell) != left
                ],
                "struck": [[*cell, sorted(struck)] for cell, struck in step.struck.items()],
                "marked": {mark.kind: sorted(cells) for mark, cells in step.highlights},
            }
        )
        numbers, candidates = dict(step.numbers), now
    return found


def program_of(state: Mapping[str, Any]) -> Program:
    """The program that a page shows, from the state that its script sends with a question.

    puzzle: the text of a puzzle in any format, or `example:NAME`; givens: its grid, if it was
    changed, as rows of numbers, None for an empty cell; added: names of bundled rules; retracted:
    names NAME of facts `ab(NAME).`, without this key those that the puzzle retracts; own: further
    rules, each with name and text
    Raises AspdokuError if the state is not of this form, or describes no valid program.
    """
    puzzle = puzzle_of(state)
    added = strings(state, "added")
    known = set(library.rule_names())
    if unknown := [name for name in added if name not in known]:
        raise AspdokuError(f"unknown rule '{unknown[0]}': expected the name of a bundled rule")
    rules: list[str | RuleFile] = list(added)
    own = state.get("own", [])
    if not isinstance(own, list) or len(own) > _MOST_RULES:
        raise AspdokuError(f"invalid state: expected a list of at most {_MOST_RULES} rules in own")
    rules += map(client_rule, own)
    without = strings(state, "retracted") if "retracted" in state else puzzle.without
    return compose(puzzle.replace(without=()), *rules, without=without)


def client_rule(rule: object) -> RuleFile:
    """The rule of a client, an object with `name` and `text`.

    Raises AspdokuError for an unusual name or a text that is too long.
    """
    if not isinstance(rule, Mapping) or not all(
        isinstance(rule.get(key), str) for key in ("name", "text")
    ):
        raise AspdokuError("invalid rule: expected a name and a text")
    name, text = rule["name"], rule["text"]
    if not _RULE_NAME.fullmatch(name):
        raise AspdokuError(
            f"invalid name of a rule {quote(name)}: use at most 60 letters, digits, - and _, a"
            " letter first"
        )
    if len(text) > _LONGEST:
        raise AspdokuError(f"rule too long: it may have at most {_LONGEST} characters")
    return RuleFile.from_text(name, text)


def require_short(puzzle: str) -> None:
    """Raise AspdokuError for the text of a puzzle that is too long."""
    if len(puzzle) > _LONGEST:
        raise AspdokuError(f"puzzle too long: it may have at most {_LONGEST} characters")


def puzzle_of(state: Mapping[str, Any]) -> Puzzle:
    """The puzzle with the givens of a state. Raises AspdokuError, as `program_of`."""
    text = state.get("puzzle")
    if not isinstance(text, str):
        raise AspdokuError("invalid state: the puzzle is missing")
    require_short(text)
    name = text.strip()
    if name.startswith(PREFIX) or name in examples():
        text = example_file(name.removeprefix(PREFIX)).read_text("utf-8")
    puzzle = parse(text)
    givens = state.get("givens")
    if givens is None:
        return puzzle
    if (
        not isinstance(givens, list)
        or len(givens) != puzzle.size
        or not all(isinstance(row, list) and len(row) == puzzle.size for row in givens)
        or not all(_is_entry(each, puzzle) for row in givens for each in row)
    ):
        raise AspdokuError(f"invalid givens: expected {puzzle.size} rows of numbers")
    return puzzle.replace(grid=tuple(map(tuple, givens)))


def _is_entry(value: object, puzzle: Puzzle) -> bool:
    """Whether a value is a number of the puzzle or None; 1.0 and True, which equal 1, are not."""
    return value is None or (type(value) is int and value in puzzle.numbers)


def strings(state: Mapping[str, Any], key: str) -> list[str]:
    """A list of names in a state; empty without this key. Raises AspdokuError for anything else."""
    found = state.get(key, [])
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise AspdokuError(f"invalid state: expected a list of names in {key}")
    if len(found) > _MOST_RULES:
        raise AspdokuError(f"invalid state: {key} has more than {_MOST_RULES} names")
    return found
