"""Grades in the formats of automatic graders: JUnit's XML, and Gradescope's results.json.

Like `grading_json`, they contain no line and no text of the reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aspdoku.lecture.grading import COMPARED, Assessment
from aspdoku.markup import render
from aspdoku.report.rules import grading_reason, grading_text


def junit_xml(marks: Sequence[Assessment], reference: str) -> str:
    """The assessments as a test suite in JUnit's XML, with a test case for each file.

    A file that differs from the reference is a failure; one that could not be compared, an error.
    """
    cases = [
        {
            "file": mark.file,
            "kind": ("failure" if mark.verdict in COMPARED else "error")
            if mark.verdict != "right"
            else "",
            "verdict": mark.verdict,
            "reason": grading_reason(mark, reference) or mark.findings[0].text,
            "text": grading_text(mark, reference),
        }
        for mark in marks
    ]
    kinds = [case["kind"] for case in cases]
    return render(
        "grading.xml.j2",
        reference=reference,
        cases=cases,
        failures=kinds.count("failure"),
        errors=kinds.count("error"),
    )


def gradescope_results(marks: Sequence[Assessment], reference: str, points: int) -> dict[str, Any]:
    """The assessments as the content of Gradescope's results.json, with a test for each file.

    points: for a right file; others get none
    """
    tests = [
        {
            "name": mark.file,
            "score": points if mark.verdict == "right" else 0,
            "max_score": points,
            "status": "passed" if mark.verdict == "right" else "failed",
            "output": grading_text(mark, reference),
            "output_format": "text",
        }
        for mark in marks
    ]
    return {"tests": tests}
