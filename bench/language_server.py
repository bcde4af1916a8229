"""What the language server adds: from a key to all findings, and to a counterexample, compared with
`aspdoku.check` and `aspdoku.equivalent` in this process on the same text.

The text is another one in each round, so that no process knows its syntax tree.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import measure

import aspdoku
from aspdoku.drawing.output import svg
from aspdoku.program import RuleFile, library

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from editor.editor_client import Editor, editor

ROUNDS = 7
GOAL = 1.2
RULES = ("anti-knight", "nonconsecutive", "greater-than", "arrow")
NUMBERS = count(1)


def main() -> None:
    rows, total = [], dict.fromkeys(("key", "check", "verdict", "equal"), 0.0)
    with editor() as client, TemporaryDirectory() as folder:
        for name in RULES:
            medians = measured(client, Path(folder, f"{name}-typed.lp"), name)
            rows.append([name, *(f"{medians[each] * 1e3:.0f}" for each in total)])
            total = {each: total[each] + medians[each] for each in total}
    rows.append(["total", *(f"{value * 1e3:.0f}" for value in total.values())])
    headings = ["rule", "key to findings ms", "check ms", "counterexample ms", "equal ms"]
    measure.publish(
        "language_server",
        "The language server: findings, and a counterexample",
        measure.table(headings, rows),
        f"Medians of {ROUNDS} rounds, interleaved. The counterexample tells the rule from one that"
        " forbids a number in a corner.",
        measure.goal("findings to check", total["key"] / total["check"], GOAL),
        measure.goal("counterexample to equal", total["verdict"] / total["equal"], GOAL),
    )


def measured(client: Editor, file: Path, name: str) -> dict[str, float]:
    """The medians for a rule."""
    text, uri = library.find(name).text, file.as_uri()
    other = library.find(name)
    client.open(uri, text)
    client.findings(uri)

    def typed() -> str:
        return f"% against: {name}\n{text}:- a(1,1,1), not ab(typed).\n% {next(NUMBERS)}\n"

    def key() -> None:
        client.type(uri, typed())
        assert not [each for each in client.findings(uri) if each["severity"] < 2]

    def check() -> None:
        file.write_text(typed(), "utf-8")
        assert aspdoku.check(file)

    def verdict() -> None:  # on what was typed last
        shown = client.at("hover", uri, 0, 3)["contents"]["value"]
        assert "forbids this grid" in shown, shown

    def equal() -> None:
        found = aspdoku.equivalent(RuleFile.from_text(file.stem, typed()), other, time_limit=19)
        assert found.data.witnesses
        assert [svg(each) for part in found.sections() for each in part.pictures]

    contenders: dict[str, Callable[[], object]] = {
        "key": key,
        "check": check,
        "verdict": verdict,
        "equal": equal,
    }
    return measure.medians(measure.interleaved(contenders, ROUNDS))


if __name__ == "__main__":
    main()
