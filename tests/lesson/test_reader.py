"""The file of a lesson: what is read, and a message with file, line and advice for all else."""

import pytest
from in_one_test import in_one_test
from small_lessons import FRONT, read, step

from aspdoku.errors import LessonError
from aspdoku.lesson.text import filled, spans

WHOLE = """---
title: Two steps   # a comment
minutes: 12
join: on
exercise: anti-king, ./mine.lp
task: No two equal kings. | Anything.
---

<!-- A comment
in two lines -->

# The first {5 min}

A sentence
in two lines.

```aspdoku
size: 4
code: base  # a comment
```

? What is `a(R,C,N)`,
and how many?

- [ ] one
- [x] {count},
  or so

> An answer
> in two lines.

```aspdoku reveal
show: all-solutions
```

```aspdoku reveal
quote: |
  Words # and no comment in them
  -- Somebody
```

> The last answer.

Note:
- One note
  in two lines
- Another one

# The second {7 min}

Another sentence.

```aspdoku
size: 9
```
"""


def test_a_whole_file():
    lesson = read(WHOLE)
    assert (lesson.title, lesson.minutes, lesson.join) == ("Two steps", 12, True)
    assert lesson.exercises == ("anti-king", "./mine.lp")
    assert lesson.tasks == ("No two equal kings.", "Anything.")
    first, second = lesson.steps
    assert (first.title, first.minutes, first.line) == ("The first", 5, 12)
    assert first.say == ("A sentence in two lines.", 14)
    assert first.question.text == ("What is `a(R,C,N)`, and how many?", 22)
    assert [(text.text, right) for text, right in first.question.options] == [
        ("one", False),
        ("{count}, or so", True),
    ]
    assert [note.text for note in first.notes] == ["One note in two lines", "Another one"]
    assert [block.answer and block.answer.text for block in first.blocks] == [
        None,
        "An answer in two lines.",
        "The last answer.",
    ]
    assert [(each.key, each.value) for each in first.blocks[0].directives] == [
        ("size", "4"),
        ("code", "base"),
    ]
    assert first.blocks[2].directives[0].value == "Words # and no comment in them\n-- Somebody"
    assert (second.title, second.question, second.notes) == ("The second", None, ())


def test_an_answer_without_reveal_is_a_scene_of_its_own():
    question = "? Why?\n\n- [x] so\n- [ ] otherwise\n\n> So."
    blocks = read(FRONT + step("size: 4", more=question)).steps[0].blocks
    assert [block.answer and block.answer.text for block in blocks] == [None, "So."]


QUESTION = "? Why?\n\n- [x] so\n- [ ] not so\n\n> So."
MISTAKES = {
    "no front matter": ("# A {5 min}\n", "l.md:1: front matter missing"),
    "no title": ("---\nminutes: 5\n---\n", "l.md:1: title missing"),
    "unknown entry": (FRONT.replace("minutes", "minuets"), "l.md:3: unknown key 'minuets'. Did"),
    "invalid minutes": (FRONT.replace("5", "five") + step("size: 4"), "l.md:3: invalid minutes"),
    "invalid join": (FRONT.replace("minutes: 5", "join: yes"), "l.md:3: invalid join 'yes'"),
    "no step": (FRONT, "l.md:1: no step"),
    "a task without exercise": (
        FRONT.replace("minutes: 5", "minutes: 5\ntask: Write it.") + step("size: 4"),
        "l.md:4: 1 task for 0 exercises",
    ),
    "minutes do not add up": (
        FRONT + step("size: 4", minutes=6),
        "l.md:3: minutes: 5, but those of the steps add up to 6",
    ),
    "no minutes in a heading": (FRONT + "# A step\n", "l.md:6: invalid heading '# A step'"),
    "a smaller heading": (FRONT + step("size: 4") + "## More\n", "invalid heading '## More'"),
    "text before a step": (FRONT + "Text.\n", "l.md:6: text before the first step"),
    "no sentence": (FRONT + step("size: 4", say=""), "l.md:6: step without a sentence"),
    "no minutes": (FRONT + step("size: 4", minutes=0), "l.md:6: step without minutes"),
    "no block": (FRONT + "# A {5 min}\n\nText.\n", "l.md:6: step without a block"),
    "second paragraph": (
        FRONT + step("size: 4", more="More text."),
        "l.md:14: text that has no meaning in a step: 'More text.'",
    ),
    "unknown block": (FRONT + step("size: 4", more="```python\n```"), "unknown block ```python"),
    "second opening": (
        FRONT + step("size: 4", more="```aspdoku\nsize: 9\n```"),
        "l.md:14: second block ```aspdoku",
    ),
    "reveal first": (
        FRONT + step("size: 4").replace("```aspdoku\n", "```aspdoku reveal\n"),
        "l.md:10: ```aspdoku reveal before ```aspdoku",
    ),
    "open block": (FRONT + "# A {5 min}\n\nText.\n\n```aspdoku\n", "l.md:10: block without an end"),
    "second question": (
        FRONT + step("size: 4", more=f"{QUESTION}\n\n{QUESTION}"),
        "l.md:21: second question",
    ),
    "no right option": (
        FRONT + step("size: 4", more=QUESTION.replace("x", " ")),
        "l.md:14: question without exactly one right option",
    ),
    "two right options": (
        FRONT + step("size: 4", more=QUESTION.replace("[ ]", "[x]")),
        "l.md:14: question without exactly one right option",
    ),
    "no answer": (
        FRONT + step("size: 4", more=QUESTION.replace("> So.", "")),
        "l.md:14: question without an answer",
    ),
    "option without question": (
        FRONT + step("size: 4", more="- [x] so"),
        "l.md:14: option without a question",
    ),
    "answer too early": (
        FRONT + "# A {5 min}\n\nText.\n\n> So.\n\n```aspdoku\nsize: 4\n```\n",
        "l.md:10: answer before the block",
    ),
    "two answers": (
        FRONT + step("size: 4", "size: 9", more="> So.\n\n> Or so."),
        "l.md:16: second answer before the same reveal",
    ),
    "list without question": (FRONT + step("size: 4", more="- so"), "text that has no meaning"),
    "unknown directive": (
        FRONT + step("sise: 4"),
        "l.md:11: unknown key 'sise'. Did you mean 'size'? Known keys: puzzle, size,",
    ),
    "directive twice": (FRONT + step("size: 4\nsize: 9"), "l.md:12: size is stated twice"),
    "empty directive": (FRONT + step("size:"), "l.md:11: size without a value"),
    "no directive": (FRONT + step("four rows"), "l.md:11: invalid line 'four rows'"),
}


@in_one_test(("text", "message"), MISTAKES.values())
def test_mistakes(text, message):
    with pytest.raises(LessonError) as error:
        read(text)
    assert message in str(error.value)
    assert all(line.startswith("l.md:") for line in str(error.value).splitlines())
    assert error.value.exit_code == 65


def test_all_mistakes_are_reported_by_line():
    text = FRONT.replace("5", "6") + step("sise: 4", say="")
    with pytest.raises(LessonError) as error:
        read(text)
    lines = [int(line.split(":")[1]) for line in str(error.value).splitlines()]
    assert lines == [3, 6, 11]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", [["", "plain"]]),
        ("`a(1)` and *so*.", [["code", "a(1)"], ["", " and "], ["em", "so"], ["", "."]]),
        ("2 * 3 * 4", [["", "2 * 3 * 4"]]),
        ("", []),
    ],
)
def test_spans(text, expected):
    assert spans(text) == expected


def test_values_are_filled_in_outside_of_code():
    found = filled("{a} and {b: c} in `{ a(R,C,N) } = 1`", lambda name, of: f"<{name}|{of}>")
    assert found == [["", "<a|> and <b|c> in "], ["code", "{ a(R,C,N) } = 1"]]
