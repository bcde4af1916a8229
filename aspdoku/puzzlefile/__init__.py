"""The native format of puzzle files: parsing and writing.

A file is split into lines (`lines`), a header (`header`), a grid (`grid`) and sections (`section`).
A section holds ASP facts (`facts`), a picture (`picture`), paths (`paths`), clues by row, column or
edge (`clue_lists`) or inequality signs (`inequalities`); which of these it is follows from its
content, never from its name (`section_facts`). The arguments of the facts that cells stand for are
those that a rule declares for the predicate (`declared`). `oneline` reads a puzzle on a single
line, as in files that hold many puzzles.
"""
