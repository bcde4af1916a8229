"""The facts of sections: of which kind a section is, and what it means if a rule declares it."""

from __future__ import annotations

from aspdoku.puzzle.puzzle import Grid, SectionFacts
from aspdoku.puzzlefile import clue_lists, facts, inequalities, paths, picture
from aspdoku.puzzlefile.declared import Declarations, RepeatedCellError, UnfitError, interpret
from aspdoku.puzzlefile.header import KEYS, key_of
from aspdoku.puzzlefile.lines import Line, quote
from aspdoku.puzzlefile.section import LocatedFact, Section


def all_facts(
    sections: list[Section], numbers: Grid, declared: Declarations | None
) -> tuple[list[LocatedFact], tuple[SectionFacts, ...]]:
    """The facts of all sections, and the sections whose facts depend on what a rule declares.

    Raises PuzzleError for two sections of one predicate.
    """
    stated: list[LocatedFact] = []
    dependent: list[SectionFacts] = []
    seen: dict[str, Line] = {}
    for part in sections:
        predicate = inequalities.SECTIONS.get(part.name, part.name)
        if predicate in seen:
            raise part.heading.error(
                f"duplicate section {part.title}, first given in line {seen[predicate].number}"
            )
        seen[predicate] = part.heading
        found, cells = section_facts(part, numbers, declared)
        stated += found
        dependent += [cells] if cells else []
        if len(stated) > facts.MAX_FACTS:
            raise stated[facts.MAX_FACTS].line.error(facts.TOO_MANY_FACTS)
    return stated, tuple(dependent)


def section_facts(
    part: Section, numbers: Grid, declared: Declarations | None
) -> tuple[list[LocatedFact], SectionFacts | None]:
    """The facts of a section; its content decides which kind of section it is.

    A section that does not fit the declarations of its predicate is read as if there were none: it
    may be meant for a rule that is added later. Raises PuzzleError, also if the facts would then
    have the arity of a declared input, and another meaning, or if a cell is twice in a set.
    """
    if part.name == facts.SECTION:
        return facts.parse_facts(part), None
    if not part.contents:
        raise part.empty_section_error()
    if part.name in inequalities.SECTIONS:
        return inequalities.parse_inequalities(part, numbers), None
    if paths.looks_like_paths(part):
        known = declared or (lambda _: ())
        inputs = (each for name in (part.name, f"{part.name}_value") for each in known(name))
        listed = paths.parse_paths(
            part, len(numbers), lambda: "; ".join(dict.fromkeys(each.meaning for each in inputs))
        )
        return _interpreted(part, listed, declared)
    if clue_lists.looks_like_clues(part, len(numbers)):
        return _interpreted(part, clue_lists.parse_clues(part, len(numbers)), declared)
    late = next((line for line in part.contents if key_of(line) in KEYS), None)
    if late:
        raise late.error(f"header {quote(key_of(late))} after the grid: headers must precede it")
    return _interpreted(part, picture.parse_picture(part, len(numbers)), declared)


def _interpreted(
    part: Section, stated: list[LocatedFact], declared: Declarations | None
) -> tuple[list[LocatedFact], SectionFacts]:
    """The facts of cells as they are declared, located at the heading."""
    written = tuple(each.fact for each in stated)
    lines = tuple(each.line.number for each in stated)
    section = SectionFacts(part.name, written, lines, written)
    declarations = list(declared(part.name)) if declared else []
    try:
        found = interpret(section, declarations)
    except UnfitError as error:
        arities = {len(fact.arguments) for fact in written if fact.name == part.name}
        repeated = isinstance(error, RepeatedCellError)
        if repeated or arities & {each.arity for each in declarations}:
            line = next(each.line for each in stated if each.line.number == error.line)
            raise line.error(f"section {part.title}: {error}") from None
        return stated, section
    if found == written:
        return stated, section
    return [LocatedFact(fact, part.heading) for fact in found], section._replace(facts=found)
