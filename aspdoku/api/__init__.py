"""The public functions: one for each question that a command answers.

`aspdoku` itself exports all of them, so that a program writes `aspdoku.solve(puzzle)`. They are
grouped by topic: `solving`, `analysis` (candidates, dependence, redundant parts), `batch`,
`reasons`, `rules`, `lesson` and `files`. Those about a puzzle take it in any form (`source.Source`)
and return a frozen `source.Result` or `files.Drawing`.
"""
