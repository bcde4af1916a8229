"""Puzzles and answers as text and pages. Computes nothing."""
