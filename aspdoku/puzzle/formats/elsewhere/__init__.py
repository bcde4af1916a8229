"""Puzzles in the formats of other programs: `catalogue` lists them, and `table` says what their kinds of puzzles have here.

A module each for a format or a family of them, on the ground of `outside`; `fpuzzles`, `sudokupad` and `links` are those in JSON
and in addresses.
"""
