"""Results for lectures: what elaborations change and preserve, and whether rules are equivalent.

`elaboration` compares a program with its elaborations, by text, ground program and solutions;
`equivalence` compares two rules; `grading` does so for the exercises of a class. Prints nothing.
"""
