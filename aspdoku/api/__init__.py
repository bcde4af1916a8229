"""The public functions: one for each question that a command answers.

`aspdoku` itself exports all of them, so that a program writes `aspdoku.solve(puzzle)`. They are
grouped as the commands are: `solving`, `reasons`, `rules`, `lesson` and `files`. Each takes a
puzzle in any form (`source.Source`) and returns a frozen `result.Result`.
"""
