"""What was learned about a rule, as text and as JSON."""

from __future__ import annotations

from typing import Any

from aspdoku.lecture.equivalence import RuleComparison
from aspdoku.lecture.learning import Lesson, Question
from aspdoku.puzzle import Solution
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.report import layout, tagged, text
from aspdoku.report.rules import relation_text

# More rules than these are counted, not listed.
_MOST_LISTED = 10


def learning_text(lesson: Lesson) -> str:
    """The grids that were shown, the questions with their answers, the verdict and its proof."""
    blocks = [layout.wrapped(start_text(lesson)), *map(text.grid, lesson.shown)]
    for number, question in enumerate(lesson.questions, 1):
        blocks += [question_text(question.grid, number), answer_text(question)]
    return "\n\n".join([*blocks, _result_text(lesson)])


def start_text(lesson: Lesson) -> str:
    """How many rules fit the grids that were shown."""
    return (
        f"{lesson.fitting} of the {pluralize(len(lesson.space.rules), 'rule')} in"
        f" {lesson.space.place} {'fits' if lesson.fitting == 1 else 'fit'}"
        f" {pluralize(len(lesson.shown), 'allowed grid')}"
    )


def question_text(grid: Solution, number: int) -> str:
    """A question about a grid."""
    return f"question {number}: is this grid allowed?\n\n{text.grid(grid)}"


def answer_text(question: Question) -> str:
    """The answer to a question, and how many rules are left."""
    verb = "fits" if question.left == 1 else "fit"
    return f"{'yes' if question.allowed else 'no'}: {pluralize(question.left, 'rule')} still {verb}"


def _result_text(lesson: Lesson) -> str:
    """The verdict and what is proved about it."""
    if lesson.status == "none":
        return layout.wrapped(
            f"none of the rules in {lesson.space.place} fits: the rule is another one, or an answer"
            " was wrong"
        )
    if lesson.status == "several":
        listed = [f"  {rule.title}" for rule in lesson.rules[:_MOST_LISTED]]
        more = len(lesson.rules) - len(listed)
        lines = [f"{len(lesson.rules)} rules fit:", *map(layout.wrapped, listed)]
        lines += [f"  and {more} more"] if more else []
        assert lesson.next is not None
        question = f"this grid separates them: is it allowed?\n\n{text.grid(lesson.next)}"
        return "\n\n".join(["\n".join(lines), question])
    blocks = [
        layout.wrapped(f"the rule in {lesson.space.place} that fits: {lesson.rules[0].title}")
    ]
    if lesson.comparisons:
        size = lesson.comparisons[0].results[-1].size
        listed = [f"  {each.two.title}{_doubt(each)}" for each in lesson.comparisons]
        heading = f"no {size}x{size} grid tells it apart from"
        blocks.append("\n".join([heading, *map(layout.wrapped, listed)]))
    if lesson.proof:
        blocks.append(relation_text(lesson.proof))
    return "\n\n".join(blocks)


def _doubt(comparison: RuleComparison) -> str:
    return "" if comparison.relation == "same" else f" ({comparison.relation})"


def learning_json(lesson: Lesson) -> dict[str, Any]:
    """What was learned as a JSON object."""
    return tagged(
        "learn",
        {
            "status": lesson.status,
            "space": lesson.space.place,
            "considered": len(lesson.space.rules),
            "shown": [grid.rows for grid in lesson.shown],
            "fitting": lesson.fitting,
            "questions": [
                {"grid": each.grid.rows, "allowed": each.allowed, "left": each.left}
                for each in lesson.questions
            ],
            "rules": [
                {"name": rule.name, "title": rule.title, "text": rule.text} for rule in lesson.rules
            ],
            "next": lesson.next and lesson.next.rows,
            "comparisons": list(map(_comparison, lesson.comparisons)),
            "proof": lesson.proof and _comparison(lesson.proof),
        },
    )


def _comparison(comparison: RuleComparison) -> dict[str, Any]:
    return {
        "one": comparison.one.place,
        "two": comparison.two.place,
        "relation": comparison.relation,
        "sizes": [
            {"size": result.size, "relation": result.relation} for result in comparison.results
        ],
    }
