"""Questions about puzzles and rules: a module for each, with the public function and its result.

`aspdoku` itself exports the functions and the types of the results, so that a program writes
`aspdoku.solve(puzzle)`. A result is frozen (`result.Result`): its text, its JSON and its page are
renderings of the same data. `source` composes programs from the arguments that the functions have
in common; `text` writes grids and lines in columns and colours.

`aspdoku/schemas/KIND.json` is the JSON Schema of each kind of JSON result. The version of the
schemas is raised when a key is removed, renamed or gets another meaning.
"""
