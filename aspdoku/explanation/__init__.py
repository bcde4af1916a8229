"""Why a puzzle has its solution, under any rules: steps by as few rule instances as were found.

An explanation is a sequence of steps. A step concludes that cells hold numbers, or do not, from
known claims and a small set of rule instances, such as "row 2 has at most one 3". That is
step-wise explanation as defined by Bogaerts, Gamba and Guns ("A framework for step-wise explaining
how to solve constraint satisfaction problems", Artificial Intelligence, 2021), with the cost that
Demystify uses (Espasa et al., "Using small MUSes to explain how to solve pen and paper puzzles",
2021): each rule instance costs 1, and known claims cost nothing. The number of rules of the
hardest step is a measure of difficulty, see `steps.LABELS`.

An example, a 4x4 grid that holds only a 1 and a 2:

>>> from aspdoku import compose, parse
>>> from aspdoku.explanation.explainer import Explainer
>>> explainer = Explainer(compose(parse("12.. .... .... ....")))
>>> step = next(explainer.steps())
>>> [reason] = step.reasons
>>> print(*reason.claims)
r2c3!=3 r2c4!=3
>>> print(*(cited.instance.words for cited in reason.rules), sep=", ")
row 2 has at most one 3, box 1 needs a 3
>>> print(*reason.premises)
r1c1!=3 r1c2!=3
>>> print(reason.proof.assumption, *(each.claim for each in reason.proof.inferences))
r2c3=3 r2c1!=3 r2c2!=3 None

Assume r2c3=3. Row 2 has at most one 3, so r2c1 and r2c2 are not 3; r1c1 and r1c2 are known not to
be 3; so the rule that box 1 needs a 3 is violated (None). Hence r2c3 is not 3: locked candidates,
although no solving technique is programmed. The same two rules exclude the 3 from r2c4.

How it is computed:

1. Every rule instance gets a guard, an external atom that switches it off (`program.transform`).
   The program is grounded over a blank grid, and `constraints` turns the ground rules into clauses,
   at-most-one constraints and sums, each with the bit of its guard. Statements without a guard,
   such as definitions, always hold; Clark's completion turns them into clauses.
2. The targets are the claims that hold in all solutions, which clingo computes
   (`engine.candidates`): the numbers that are the only candidate of their cell, and the candidates
   that are excluded.
3. Single rules first: an exclusion by one rule is an elimination, like erasing a pencil mark, and
   all numbers that single rules place form one step, or only those that are the easiest to see:
   in a box, then in a row or column, then the last number of a cell.
4. Otherwise, what sums leave of the total of whole houses is used if it is about one open cell, or
   if no two rules have another conclusion (`rests`). Else a small reason is sought for every open
   target: assume its opposite, and propagate
   until a rule is violated. Each derived literal carries the set of rule instances that it took, as
   bits of an int, and literals are processed in order of the size of that set: Dijkstra's algorithm
   with unit costs and a bucket queue (`propagation`). The bound on the size shrinks with every
   reason found, so that most targets are given up at once, and failures are remembered until more
   follows from what the search had visited. Above a small bound, only targets are tried that
   propagation refutes at all, by however many rules (`refutation`).
5. The smallest reason found is minimized by deletion: each rule is left out in turn, and stays out
   if the target is still refuted. With the negated target, the rules are then a minimal
   unsatisfiable subset (MUS) as far as propagation can tell; smaller ones may exist. Everything
   else that the same rules entail joins the step, and clingo verifies each conclusion. Those from
   the total of houses are only known to hold in all solutions.
6. If propagation refutes no target, clingo supplies unsatisfiable cores, of which the smallest is
   minimized by deletion too, in chunks of rules and then one by one (`rule_cores`). This happens
   only in the most difficult puzzles.
7. `derive` finds the refutation again, by the rules of the reason only, to show its inferences.

`conflict` explains in the same way why a puzzle has no solution.
"""
