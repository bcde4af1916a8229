"""Why a puzzle has its solution: explanations by few rule instances."""
