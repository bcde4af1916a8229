"""The pages of a lesson: for a lecturer with a server, in one file, and sheets to print.

All of them contain `lesson_data(lesson)` as JSON, of which the scripts make everything that is seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aspdoku.markup import render
from aspdoku.web.page import ENGINE, embedded, policy, script_in_page, scripts, static

STYLES = ("aspdoku.css", "slide.css", "lesson.css")
SHEET_STYLES = ("aspdoku.css", "sheet.css")


def lesson_page(
    data: Mapping[str, Any], *, token: str = "", join: Mapping[str, Any] | None = None
) -> str:
    """The page of a lesson for a server that has the files of `static` under `/static/`.

    data: see `lesson_data`
    token: the value of the header `X-Aspdoku-Token` of questions to `/ask`
    join: address, code, qr and wall, where a class joins
    """
    return render(
        "lesson.html.j2",
        data={**data, "join": join},
        element="aspdoku-lesson",
        token=token,
        styles=STYLES,
        scripts=scripts("lesson.js"),
        policy="",
        style="",
        script="",
        embedded={},
        licences="",
    )


def lesson_handout(data: Mapping[str, Any]) -> str:
    """The lesson as one file, which needs no network and solves in the reader's browser."""
    return _in_one_file(data, "aspdoku-lesson", STYLES, "lesson.js", ENGINE)


def lesson_sheet(data: Mapping[str, Any]) -> str:
    """The tasks of a lesson for students, and a second page with the answers, to print."""
    return _in_one_file(data, "aspdoku-sheet", SHEET_STYLES, "sheet.js", ())


def _in_one_file(
    data: Mapping[str, Any],
    element: str,
    styles: tuple[str, ...],
    script_name: str,
    engine: tuple[str, ...],
) -> str:
    style = "".join(static(name).decode() for name in styles)
    script = script_in_page(script_name)
    return render(
        "lesson.html.j2",
        data={**data, "join": None},
        element=element,
        token="",
        styles=(),
        scripts=(),
        policy=policy(style, script),
        style=style,
        script=script,
        embedded={name: embedded(name) for name in engine},
        licences=static("LICENSES.txt").decode() if engine else "",
    )
