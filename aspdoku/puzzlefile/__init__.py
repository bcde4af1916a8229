"""The native format of puzzle files: parsing and writing.

A file is split into lines, a header and sections (`lines`); it has a grid (`grid`).
A section holds ASP facts (`facts`), inequality signs (`inequalities`), or a picture, paths or clues
by row, column or edge (`sections`); which of these it is follows from its content, never from its
name. The arguments of the facts that cells stand for are those that a rule declares for the
predicate (`declared`). `oneline` reads a puzzle on a single line, as in lists with columns.
"""
