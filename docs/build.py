"""The pages with the output of commands. The site makes those of clingo alone when it is built.

The page that needs every engine is committed, and a test compares it with those that are there:

    python docs/build.py
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from aspdoku.explanation.techniques import DEFINITIONS, UNIQUENESS

ROOT = Path(__file__).resolve().parents[1]
ELABORATIONS = """# The elaborations of the lecture

Each report is the output of the command above it: what the
elaboration preserves in the text, by its contract, in the ground program and in the solutions.
All of them contain `asp/base.lp` byte for byte. The box shape is that of the puzzle with all of its
elaborations; with `boards` there is none, so that the base of the slides, whose boxes place the
numbers, places none.
"""
ELABORATION_REPORTS = {
    "The boxes": "elaborate instances/slides/classic.txt",
    "Offset": "elaborate --with offset instances/slides/offset.txt",
    "Anti-knight": "elaborate --with anti-knight instances/slides/anti-knight.txt",
    "Greater-than": "elaborate --with greater-than instances/slides/greater-than.txt",
    "Offset and anti-knight together": "elaborate --with offset,anti-knight -c n=6",
    "An exception: except the 5s": "elaborate instances/lessons/except-the-fives.txt",
    "Retracting a rule: without the boxes": "elaborate --without box -c n=4",
    "Clues that may be false": "elaborate instances/made/liar.txt",
    "All elaborations": "elaborate --all",
    "Why does the simple rule work?": "equal slides/anti-knight-distance anti-knight",
    "It works because of the rows and columns": (
        "equal slides/anti-knight-distance anti-knight --without row,column"
    ),
    "The two formulations of offset": "equal slides/offset-aggregate slides/offset-pairwise",
    "They also depend on the rows and columns": (
        "equal slides/offset-aggregate slides/offset-pairwise --without row,column"
    ),
}
ELABORATION_NOTES = {
    "Clues that may be false": """\
This is the non-monotonic step. Steps that *restrict* or *extend* keep all ground rules, and
whatever followed before still follows. Here the eight cages contradict each other: there are 0
solutions before the last step, and 1 after it. No text is removed; `liar.lp` and eight facts are
added. But of 477 ground rules only 405 are kept. The other 72, those about the cages, are changed:
the condition `not ab(killer,"A")`, which was true because nothing implied the exception, now
depends on a choice. That is a default with exceptions.

In a monotonic formalism nothing that is added to a contradiction leads to a solution: what follows
from an ontology or a set of clauses also follows from every larger one. `aspdoku compare --without
liar instances/made/liar.txt` runs ten encodings of the situation before the step, all of which
agree that there is no solution; the two ontologies are inconsistent. [What the step takes in each
formalism](../formalisms.md#clues-that-may-be-false).

ASP has no privilege without foresight: the rule on cages has the literals `not ab(killer)` and `not
ab(killer,I)` for exceptions that nobody had stated yet (McCarthy's abnormality). In the text of the
slides, which has none, both rules on cages would have to be edited.
"""
}

EXPLANATIONS = (
    """# Explanations

Each step follows from what is already known and the rules that
it cites. The wording of a rule is defined in its own file, by the `%@` comment above it; a rule
without one is shown as source text.

A step has the name of its technique, if the pattern of the cited rules is one of these. A *house*
is a set of cells of which a rule needs a number, or has it at most once. For houses and clues of
other rules than rows, columns and boxes the name mentions them: locked candidates with cage C.

"""
    + "\n".join(
        [
            "| technique | pattern |",
            "|---|---|",
            *(f"| {name} | {pattern} |" for name, pattern in DEFINITIONS.items()),
            "",
            "With `--unique`, `explain`, `hint` and `why` assume that the puzzle has one solution",
            "only, which they check first; the steps that rest on it cite this assumption. Two",
            "numbers can only be exchanged if each ground rule that mentions one of the cells",
            "remains satisfied. Another step that uses such a rectangle has the name of its own",
            "pattern, such as alternating chain with unique rectangle. Without the option no step",
            "rests on the assumption, so none in `grade`.",
            "",
            "| technique | pattern |",
            "|---|---|",
            *(f"| {name} | {pattern} |" for name, pattern in UNIQUENESS.items()),
            "",
        ]
    )
    + """
`grade` rates a puzzle by the number of rules in its hardest step. On 217 and on 160 classic puzzles
the rank correlation (Spearman) with Sudoku Explainer's rating is 0.92 and 0.93.

| grade | rules | such as | median rating |
|---|---|---|---|
| easy | 1 | singles | 1.5 |
| medium | 2 to 4 | locked candidates, pairs, X-wing | 2.0 to 3.4 |
| hard | 5 to 7 | swordfish, skyscraper, XY-wing | 4.1 to 5.0 |
| very hard | 8 to 10 | XY-chain, alternating chain | 6.3 |
| extreme | 11 or more | grouped chains, forcing nets | 8.4 and more |
"""
)
EXPLANATION_REPORTS = {
    "The 4x4 of the ontology": "explain instances/owl/four.txt",
    "A 6x6 with a minimal set of givens": "explain instances/made/six-minimal.txt",
    "A hard one: the example of the Prolog program": "explain instances/prolog/example.txt",
    "Anti-knight": "explain --with anti-knight instances/slides/anti-knight.txt",
    "Offset": "explain --with offset instances/slides/offset.txt",
    "A killer without givens": "explain instances/made/killer.txt",
    "A step that assumes a unique solution": "explain --unique instances/made/mixed-parity.txt",
    "Single-rule steps only": "explain --singles instances/prolog/example.txt",
    "A hint at four levels of detail: where": "hint --degree where instances/made/killer.txt",
    "by which rules": "hint --degree rules instances/made/killer.txt",
    "what": "hint --degree what instances/made/killer.txt",
    "with the proof": "hint --degree proof instances/made/killer.txt",
    "Why a cell holds a number": "why r3c2=9 instances/prolog/example.txt",
    "Why it does not hold another": "why r3c8!=4 instances/prolog/example.txt",
    "Why the grid as printed has no solution": ("conflict instances/slides/as-printed/classic.txt"),
    "How hard": (
        "grade instances/slides/classic.txt instances/prolog/example.txt instances/made/killer.txt"
    ),
}
FORMALISMS = """# Rival formalisms

Generated by `python docs/build.py`, with every engine installed. `+2 −1` means that two statements
were added to the encoding of classic sudoku of that size (9x9 in the first two columns) and one was
removed. A statement is what the language's own grammar calls one: an ASP rule, a Prolog clause, a
Python function or class member, an OWL axiom, a clause of literals. Figures can therefore be
compared along a row, but not down a column. Declarations and the puzzle itself do not count. A cell
has figures only if that exact program was run and gave the correct grid; otherwise the footnote
gives the reason. *Ground* encodings have no variables: they are generated, and it is the generator
that would have to be elaborated.

The slides' own ASP program also has to be edited when the size changes or the boxes are dropped; a
Prolog program for any size needs no change for another size; OWL is as additive as ASP for offset,
anti-knight and greater-than. The difference is *retraction*: Strimko has no boxes. On our base that
is one more fact, `ab(box).`; every other encoding has to be edited, and a monotone formalism (OWL,
propositional clauses) cannot express it by any addition.
"""
FORMALISM_REPORTS = {
    "The table": "compare --table",
    "The same rule in each": (
        "compare --engine asp,asp-slides,prolog-sized,cp-sat,findling --print --with anti-knight"
        " -c n=4"
    ),
    "The evidence loop on a Strimko": (
        "compare --engine evidence --trace instances/made/strimko.txt"
    ),
    "A reasoner's explanation": "compare --engine owl-source --why r3c2=3 instances/owl/four.txt",
    "Clues that may be false": "",
}
# A test compares the figures with those of `compare`.
FORMALISM_NOTES = {
    "Clues that may be false": """\
One of the eight cages of `instances/made/liar.txt` has a wrong sum, and it has to be found which
one ([the lesson](reference/elaborations.md#clues-that-may-be-false)).
`aspdoku compare --without liar instances/made/liar.txt` runs the ten encodings with all
cages: each reports that there is no solution. The column *cages* counts the
statements that the rule on cages adds and removes.

| | cages | the step to a puzzle with a solution |
|---|---|---|
| ASP, aspdoku's text | +10 −0 | 5 statements of `liar.lp` and 8 facts are added |
| ASP, the slides' text | +2 −0 | the same, and both statements on cages are edited: they need a \
literal for exceptions |
| Propositional logic | +100 −0 | all 100 clauses are replaced, by clauses with another literal, \
"the cage is exempt"; 29 clauses are added: one of the eight cages is exempt, and no two are |
| OWL, "Sudoku in OWL" | +24 −0 | the 8 axioms on sums are replaced, by axioms with another \
disjunct, "exempt"; so are the 8 axioms `DifferentIndividuals`, which cannot be part of a \
disjunction and have to be restated as class expressions |
| OWL, cells that see each other | +17 −0 | the 8 axioms on sums are replaced |
| Prolog, in Barr's manner | +4 −1 | the clauses on cages are replaced: `sum/3` and \
`all_distinct/1` cannot be reified in CLP(FD), so that the exempt cage is chosen in Prolog, or \
each cage is written as a formula with a truth value |
| Prolog, for every size | +3 −1 | the same |
| Findling, our reading, Python | +2 −1 | the function for cages is edited: each constraint gets a \
condition |
| CP-SAT, Python | +2 −1 | the same |

An exception can be foreseen in each of these encodings, too, by a literal, a disjunct or a
condition in each statement. But a monotonic formalism has no defaults: as long as no rule is about
exceptions, somebody has to state for each cage that it is *not* exempt, and has to remove that for
this step.
"""
}
Page = tuple[str, Mapping[str, str], Mapping[str, str]]
PAGES: dict[str, Page] = {
    "elaborations": (ELABORATIONS, ELABORATION_REPORTS, ELABORATION_NOTES),
    "explanations": (EXPLANATIONS, EXPLANATION_REPORTS, {}),
}
WITH_ALL_ENGINES: Page = (FORMALISMS, FORMALISM_REPORTS, FORMALISM_NOTES)


def page(introduction: str, reports: Mapping[str, str], notes: Mapping[str, str]) -> str:
    """A page with the current output of the commands, by title; some sections begin with a note."""
    sections = (section(title, command, notes.get(title, "")) for title, command in reports.items())
    return "\n".join([introduction, *sections])


def section(title: str, command: str, note: str) -> str:
    """A section with the current output of a command; only the note if the command is empty."""
    heading = "\n".join([f"## {title}\n", *([note] if note else [])])
    if not command:
        return heading
    output = printed(command)
    # A table is Markdown itself.
    shown = (
        f"`aspdoku {command}`\n\n{output}"
        if output.startswith("|")
        else f"```console\n$ aspdoku {command}\n{output}```\n"
    )
    return f"{heading}\n{shown}"


def printed(command: str) -> str:
    """The standard output of `aspdoku COMMAND`."""
    arguments = [sys.executable, "-m", "aspdoku", *command.split()]
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout, f"aspdoku {command} prints nothing but {done.stderr!r}"
    return done.stdout


if __name__ == "__main__":
    (ROOT / "docs" / "formalisms.md").write_text(page(*WITH_ALL_ENGINES), "utf-8")
