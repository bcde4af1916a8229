"""Lessons: a file of Markdown, which reads as a handout, as steps with scenes.

`read_lesson` reads the file (`reader`, `text`), `stage` follows its directives, and `lesson`
computes what its page shows (`scenes`, `answers`): no number in the file is typed.

    # The base {5 min}
    Three rules are the whole base.
    ```aspdoku
    size: 4
    code: base
    ```
    ? How many 4x4 grids obey them?
    - [ ] 24
    - [x] {count}
    > {count} Latin squares.
    ```aspdoku reveal
    show: all-solutions
    expect: 576
    ```
    Note:
    - One rule at a time.
"""

from aspdoku.lesson.reader import (
    LessonFile,
    bundled_lessons,
    lesson_file,
    parse_lesson,
    read_lesson,
)
from aspdoku.lesson.scenes import Lesson, computed, lesson, summary

__all__ = [
    "Lesson",
    "LessonFile",
    "bundled_lessons",
    "computed",
    "lesson",
    "lesson_file",
    "parse_lesson",
    "read_lesson",
    "summary",
]
