"""The public functions of aspdoku, one for each question that a command answers."""
