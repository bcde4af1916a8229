"""The native format of puzzle files: parsing and writing.

A file is split into lines (`lines`), a header (`header`), a grid (`grid`) and sections (`section`).
A section holds ASP facts (`facts`), a picture (`picture`), paths (`paths`) or inequality signs
(`inequalities`); which of these it is follows from its content, never from its name. `oneline`
reads a puzzle on a single line, as in files that hold many puzzles.
"""
