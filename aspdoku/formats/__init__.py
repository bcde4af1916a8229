"""Puzzles in files of any format: `read` and `parse` detect the format from the content.

`detection` reads files and text, and names the bundled puzzles; `registry` lists the formats
in the order in which they are tried, each of them defined in a module or package. All of them use
`base`, those of variants use the clues in `shapes`, and writers the content of a puzzle as `boards`
has it. `json_formats` defines the formats for JSON
documents and URLs of f-puzzles and SudokuPad, which `fpuzzles`, `sudokupad` and `urls` read and
write; `iss` is for the constraint strings of Interactive Sudoku Solver, `penpa` for the drawings of
Penpa+, `packed` for the URLs of puzz.link, and `ipuz` for the JSON of ipuz.
"""

from aspdoku.formats.detection import is_path, parse, parse_all, read, read_all

__all__ = ["is_path", "parse", "parse_all", "read", "read_all"]
