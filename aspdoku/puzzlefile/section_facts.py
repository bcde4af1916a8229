"""The facts of sections: of which kind a section is, and what it means if a rule declares it."""

from __future__ import annotations

from aspdoku.puzzle.puzzle import Grid
from aspdoku.puzzlefile import clue_lists, facts, inequalities, paths, picture
from aspdoku.puzzlefile.declared import Declarations, RepeatedCellError, UnfitError, interpret
from aspdoku.puzzlefile.header import KEYS, key_of
from aspdoku.puzzlefile.lines import Line, quote
from aspdoku.puzzlefile.section import LocatedFact, Section, line_of


def all_facts(
    sections: list[Section], numbers: Grid, declared: Declarations | None
) -> list[LocatedFact]:
    """The facts of all sections. Raises PuzzleError for two sections of one predicate."""
    stated: list[LocatedFact] = []
    seen: dict[str, Line] = {}
    for part in sections:
        predicate = inequalities.SECTIONS.get(part.name, part.name)
        if predicate in seen:
            raise part.heading.error(
                f"duplicate section {part.title}, first given in line {seen[predicate].number}"
            )
        seen[predicate] = part.heading
        stated += section_facts(part, numbers, declared)
        if len(stated) > facts.MAX_FACTS:
            raise stated[facts.MAX_FACTS].line.error(facts.TOO_MANY_FACTS)
    return stated


def section_facts(part: Section, numbers: Grid, declared: Declarations | None) -> list[LocatedFact]:
    """The facts of a section; its content decides which kind of section it is.

    A section that does not fit the declarations of its predicate is read as if there were none: it
    may be meant for a rule that is added later. Raises PuzzleError, also if the facts would then
    have the arity of a declared input, and another meaning, or if a cell is twice in a set.
    """
    if part.name == facts.SECTION:
        return facts.parse_facts(part)
    if not part.contents:
        raise part.empty_section_error()
    if part.name in inequalities.SECTIONS:
        return inequalities.parse_inequalities(part, numbers)
    if paths.looks_like_paths(part):
        return _interpreted(part, paths.parse_paths(part, len(numbers)), declared)
    if clue_lists.looks_like_clues(part, len(numbers)):
        return clue_lists.parse_clues(part, len(numbers))
    late = next((line for line in part.contents if key_of(line) in KEYS), None)
    if late:
        raise late.error(f"header {quote(key_of(late))} after the grid: headers must precede it")
    return _interpreted(part, picture.parse_picture(part, len(numbers)), declared)


def _interpreted(
    part: Section, stated: list[LocatedFact], declared: Declarations | None
) -> list[LocatedFact]:
    """The facts of cells as they are declared. Errors about them are located at the heading."""
    if declared is None:
        return stated
    facts = [each.fact for each in stated]
    declarations = list(declared(part.name))
    try:
        found = interpret(part.name, facts, declarations)
    except UnfitError as error:
        arities = {len(fact.arguments) for fact in facts if fact.name == part.name}
        repeated = isinstance(error, RepeatedCellError)
        if repeated or arities & {each.arity for each in declarations}:
            line = line_of([part], part.name, error.group) or part.heading
            raise line.error(f"section {part.title}: {error}") from None
        return stated
    return stated if found == facts else [LocatedFact(fact, part.heading) for fact in found]
