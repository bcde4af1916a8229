"""Making puzzles: a minimal puzzle with the solution of a given one."""
