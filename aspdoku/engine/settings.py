"""How clingo searches, question by question: what was fastest where it was measured (bench/questions.py)."""

# For every search: merging equivalent atoms before it has lost solutions where sums count atoms that follow from one another
# (clingo 5.6 to 5.8; tests/engine/test_solver.py has such a program).
SOUND = ("--eq=0",)

# One answer after the other, each with the proof that it is the only one, and counting them: little of what one puzzle taught is
# kept for the next.
ANSWERS = ("--configuration=frumpy", "--forget-on-step=15", "--sign-def=pos", "--no-init-moms", "--strengthen=no")

# The union of all answers: to start afresh after each of them leads away from what has been seen.
CANDIDATES = ("--configuration=frumpy", "--restart-on-model", "--restarts=L,60", "--forget-on-step=15")
