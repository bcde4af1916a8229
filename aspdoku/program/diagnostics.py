"""Check that the instance provides what the rules need, and warn about facts that no rule uses.

No input is silently ignored. Most functions return warnings; imports of the parser are inside
functions, because most programs can be checked without parsing a rule file.
"""

from __future__ import annotations

import atexit
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from functools import cache, lru_cache, partial
from itertools import chain, count, pairwise
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.errors import RuleError, did_you_mean
from aspdoku.program import library
from aspdoku.program.rulefile import EXCEPTIONS, SIZES, RuleFile, is_shared, vocabulary, word_taken
from aspdoku.puzzle import Function, Puzzle
from aspdoku.puzzle.inputs import LETTERS, Input
from aspdoku.puzzle.puzzle import GIVEN, REGION, UNUSED, Cell
from aspdoku.puzzle.term import Term, sort_key, to_asp

if TYPE_CHECKING:
    from clingo.ast import AST

    from aspdoku.program.syntax import Signature


_LINE = re.compile(r"\b(?:row|column)\(")  # the predicates of the base for whole lines


def missing_inputs(rules: list[RuleFile], facts: tuple[Function, ...]) -> Iterator[str]:
    """A warning for each rule file that cannot apply because the instance lacks its inputs."""
    given = {fact.signature for fact in facts}
    for rule in rules:
        if rule in vocabulary().values():  # other rules define what it reads
            continue
        if missing := preventing_inputs(rule, rules, given):
            names = {item.name for item in missing}
            alike = sorted(f"{name}/{arity}" for name, arity in given if name in names)
            provided = f"only {' and '.join(alike)}" if alike else "none"
            needed = _needed(rule, missing, ())
            finders = sorted({library.finder(item.signature) for item in missing} - {""})
            advice = f"; --with {finders[0]} would" if finders else ""
            lacking = f"it needs {needed}, but the puzzle provides {provided}{advice}"
            yield f"rule {rule.name} has no effect: {lacking}"


def preventing_inputs(
    rule: RuleFile, rules: list[RuleFile], given: Collection[Signature]
) -> list[Input]:
    """The inputs that are not given, if none of the rule's constraints can apply without them."""
    missing = _lacking(rule, rules, given)
    if missing:
        possible, _ = _possible(rule, {item.signature for item in missing})
        return [] if any(statement.acts for statement in possible) else missing
    return []


def _lacking(
    rule: RuleFile, rules: list[RuleFile], given: Collection[Signature], letter: str = ""
) -> list[Input]:
    """The inputs of a rule, with an argument of this letter, that nothing provides."""
    return [
        item
        for item in rule.inputs
        if item.signature not in given
        and (not letter or letter in item.arguments)
        and not any(_defines(other, item.signature) for other in rules)
    ]


def incomplete_names(rules: list[RuleFile], facts: tuple[Function, ...]) -> Iterator[str]:
    """A warning for each name, such as that of a cage, that some inputs of a bundled rule are
    about, but not the others that it needs to restrict numbers: a value of a cage without cells.
    """
    everything = {fact.signature for fact in facts}
    for rule in rules:
        inputs = {item.signature: item for item in rule.inputs if item.signature != REGION}
        if not rule.vetted or len(inputs) < 2 or preventing_inputs(rule, rules, everything):
            continue
        found: dict[tuple[str, Term], list[Function]] = defaultdict(list)
        for fact in facts:
            if item := inputs.get(fact.signature):
                for place in item.of_kind("group", "name", "shared"):
                    found[item.arguments[place], fact.arguments[place]].append(fact)
        needs: dict[tuple[str, frozenset[Signature]], list[Input]] = {}  # the same for most cages
        for (letter, name), about in found.items():
            given = frozenset(fact.signature for fact in about)
            if (letter, given) not in needs:
                missing = _lacking(rule, rules, {*given, REGION}, letter)
                lacking = frozenset(item.signature for item in missing)
                needs[letter, given] = [] if _restricts(rule, given, lacking) else missing
            if missing := needs[letter, given]:
                needed = _needed(rule, missing, given, letter, name)
                yield f"{about[0]}: rule {rule.name} also needs {needed}"


def _needed(
    rule: RuleFile,
    missing: list[Input],
    given: Collection[Signature],
    letter: str = "",
    name: Term = 0,
) -> str:
    """The missing inputs that a rule needs for what facts with a letter and a name are about."""
    signatures = frozenset(item.signature for item in missing)

    def written(item: Input) -> str:
        if not letter:
            return str(item)
        shown = [to_asp(name) if each == letter else each for each in item.arguments]
        return f"{item.name}({','.join(shown)})"

    def suffice(provided: Collection[Signature]) -> bool:
        return _restricts(rule, frozenset({*given, *provided}), signatures.difference(provided))

    if single := [item for item in missing if suffice([item.signature])]:
        return " or ".join(map(written, single))
    kept = list(missing)
    for item in missing:
        others = [other for other in kept if other is not item]
        if suffice([other.signature for other in others]):
            kept = others
    return " and ".join(map(written, kept))


def unused_facts(rules: list[RuleFile], facts: tuple[Function, ...]) -> Iterator[str]:
    """A warning for each predicate of facts that no rule uses, with a rule that would use them."""
    given = {fact.signature for fact in facts if fact.name != EXCEPTIONS}
    for name, arity in sorted(given):
        if not any(_uses(rule, (name, arity)) for rule in rules):
            unused = f"the puzzle provides {name}/{arity}, but no rule of this program uses it"
            yield f"{unused}{_use_of(rules, (name, arity))}"


def _use_of(rules: list[RuleFile], unused: Signature) -> str:
    name, _ = unused
    known = [(item, rule) for rule in library.available_rules() for item in rule.inputs]
    own = name.removesuffix("_value")
    for rule in rules:
        if rule.name.replace("-", "_") == own and rule.inputs:
            return f": rule {rule.name} reads {_sections(rule)}"
    readers = [(each.inputs.index(it), each.name) for it, each in known if it.signature == unused]
    if readers:
        return f"; --with {min(readers)[1]} would"
    if others := sorted({str(item) for item, _ in known if item.name == name}):
        return f"; did you mean {' or '.join(others)}?"
    near = did_you_mean(name, sorted({item.name for item, _ in known}))
    return f".{near}" if near else ""


def _uses(rule: RuleFile, predicate: Signature) -> bool:
    from aspdoku.program.syntax import predicates

    return rule.mentions(predicate[0]) and predicate in predicates(rule)


def _sections(rule: RuleFile) -> str:
    """The sections of a puzzle file that the rule reads; values are part of them."""
    names = [item.name for item in rule.inputs]
    values = {f"{name}_value" for name in names}
    sections = [f"[{name.replace('_', '-')}]" for name in names if name not in values]
    return f"section{'s' * (len(sections) > 1)} {' and '.join(sections)}"


def require_inputs(rules: list[RuleFile], facts: tuple[Function, ...], name: str) -> None:
    """Raise RuleError for a fact over a word of the vocabulary, or over what a file defines."""
    declared = {item.signature for rule in rules for item in rule.inputs}
    # What a rule finds is no input, although other rules that read it declare it.
    declared -= {each for rule in rules for each in rule.shown if _defines(rule, each)}
    for signature in sorted({fact.signature for fact in facts} - declared):
        fact = next(fact for fact in facts if fact.signature == signature)
        if taken := word_taken(signature):
            raise RuleError(f"{name}: invalid fact {fact}: {taken}")
        for rule in rules:
            if not is_shared(signature) and _defines(rule, signature):
                predicate = f"{fact.name}/{len(fact.arguments)}"
                advice = f"which is no input: to make it one, add #defined {predicate}. to the file"
                if rule == rules[0]:
                    advice = "which a puzzle cannot change"
                elif signature in rule.shown:
                    advice = "which finds these facts: leave the fact out"
                raise RuleError(
                    f"{name}: invalid fact {fact}: {predicate} is defined by {rule.place}, {advice}"
                )


class OnLine(NamedTuple):
    """What is suspicious about a clue: its predicate, its line, or else cells or a fact."""

    predicate: str
    line: Term | None
    text: str
    cells: tuple[Cell, ...] = ()
    fact: Function | None = None


def invalid_arguments(
    rules: list[RuleFile], puzzle: Puzzle, constants: Collection[str]
) -> Iterator[OnLine]:
    """Facts about a nonexistent cell, row, column or corner, about a pair of one cell, with a name
    instead of a number, or with a word that the declaration does not list. Only bundled rule files
    are considered: users' files may use the letters with other meanings.
    """
    known = {item.signature: item for rule in rules if rule.vetted for item in rule.inputs}
    for fact in puzzle.facts:
        if item := known.get(fact.signature):
            for problem in _problems(fact, item, puzzle.size, constants):
                at = tuple(item.cells_of(fact)[:1])
                yield OnLine(fact.name, None, f"{problem} ({item.text})", at, fact)


def _problems(fact: Function, item: Input, size: int, constants: Collection[str]) -> Iterator[str]:
    yield from _outside(fact, item, size)
    last, after = size, ""
    if item.is_corner:
        last, after = size - 1, "; a corner has another one after it"
    if len(item.cells) > 1 and len({*(cells := item.cells_of(fact))}) < len(cells):
        yield f"{_name(cells[0])} occurs twice in {fact}, which has no meaning"
    for letter, value in item.of(fact).items():
        kind = LETTERS[letter[0]].kind
        if kind == "line" and value not in range(1, last + 1):
            what = {"R": "a row", "C": "a column", "J": "a row or a column"}[letter[0]]
            outside = f"{to_asp(value)} is not {what} between 1 and {last}{after}"
            yield f"{fact} is outside the grid: {outside}"
        bare = isinstance(value, Function) and not value.arguments
        if kind in ("number", "position") and (
            isinstance(value, str) or (bare and str(value) not in (*SIZES, *constants))
        ):
            advice = f"; set a constant with -c {to_asp(value)}=NUMBER" if bare else ""
            yield f"{to_asp(value)} in {fact} is not a number{advice}"
        words = item.words(letter)
        if words and str(value) not in words:
            yield f"invalid {letter} {to_asp(value)} in {fact}: expected one of {', '.join(words)}"


def _outside(fact: Function, item: Input, size: int) -> Iterator[str]:
    """A rectangle of H rows of W cells from R, C that leaves the grid."""
    values = item.of(fact) if item.of_kind("extent") else {}
    for first, extent, what in (("R", "H", "row"), ("C", "W", "column")):
        start, length = values.get(first), values.get(extent)
        if isinstance(start, int) and isinstance(length, int):
            last = start + length - 1
            if length < 1 or (start <= size and last > size):
                outside = f"{what}s {start} to {last} are not between 1 and {size}"
                yield f"{fact} is outside the grid: {outside}"


def gaps(rules: list[RuleFile], puzzle: Puzzle) -> Iterator[OnLine]:
    """Cells that do not touch, or have no common side, in inputs whose declarations require it."""
    for item in dict.fromkeys(item for rule in rules for item in rule.inputs if item.is_adjacent):
        for line, cells in _lines(item, puzzle):
            on = f"on {item.name} {to_asp(line)}"
            for one, other in pairwise(cells):
                if one == other:
                    yield OnLine(item.name, line, f"{_name(one)} is twice in succession {on}")
                elif max(abs(one[0] - other[0]), abs(one[1] - other[1])) > 1:
                    text = f"{_name(one)} and {_name(other)}, in succession {on}, do not touch"
                    yield OnLine(item.name, line, text)
        for fact in puzzle.facts if len(item.cells) == 2 else ():
            if fact.signature == item.signature:
                pair = tuple(item.cells_of(fact))
                distances = [abs(one - other) for one, other in zip(*pair, strict=True)]
                if len(pair) < 2 or sum(distances) != 1:
                    places = (fact.arguments[place] for cell in item.cells for place in cell)
                    names = "r{}c{} and r{}c{}".format(*places)
                    yield OnLine(item.name, None, f"{fact}: {names} have no common side", pair)


def not_within(rules: list[RuleFile], puzzle: Puzzle) -> Iterator[OnLine]:
    """Facts about cells that are not those of another input, as their declaration requires."""
    for item in dict.fromkeys(item for rule in rules for item in rule.inputs if item.within):
        others = {each.signature: each for rule in rules for each in rule.inputs}
        cells = {
            cell
            for fact in puzzle.facts
            if fact.name == item.within and fact.signature in others
            for cell in others[fact.signature].cells_of(fact)
        }
        for fact in puzzle.facts:
            if fact.signature == item.signature:
                for cell in (each for each in item.cells_of(fact) if each not in cells):
                    text = f"{fact} has no effect: {_name(cell)} is not a cell of {item.within}"
                    yield OnLine(item.name, None, text, (cell,))


def misplaced(rules: list[RuleFile], puzzle: Puzzle) -> Iterator[OnLine]:
    """Places along a line of a bundled rule, which begin at 1, without a cell or with several ones.
    Another input of the same rule can state that there is no cell.
    """
    for rule in rules if puzzle.facts else ():
        for item in (each for each in rule.inputs if rule.vetted and each.is_line):
            positions = {
                each.signature: each.positions("IK")
                for each in rule.inputs
                if each is item or not each.is_line
            }
            taken: dict[Term, Counter[Term]] = defaultdict(Counter)
            for fact in puzzle.facts:
                if len(places := positions.get(fact.signature, ())) == len("IK"):
                    line, place = (fact.arguments[index] for index in places)
                    taken[line][place] += 1
            for line, times in taken.items():
                below = [place for place in times if isinstance(place, int) and place < 1]
                if below:
                    text = f"a cell is at place {min(below)} of {item.name} {to_asp(line)}, but"
                    yield OnLine(item.name, line, f"{text} places are counted from 1")
                    continue
                lacking = next(place for place in count(1) if place not in times)
                if lacking <= len(times):
                    text = f"no cell is at place {lacking} of {item.name} {to_asp(line)}"
                    yield OnLine(item.name, line, text)
                elif (most := times.most_common(1)[0])[1] > 1:
                    where = f"place {to_asp(most[0])} of {item.name} {to_asp(line)}"
                    yield OnLine(item.name, line, f"several cells are at {where}")


def repeats(
    rules: list[RuleFile], puzzle: Puzzle
) -> Iterator[tuple[RuleFile, list[Function], OnLine]]:
    """The lines on which a cell occurs twice, each with its rule and the facts about it."""
    for rule in rules:
        for item in rule.inputs:
            for line, cells in _lines(item, puzzle):
                cell, times = Counter(cells).most_common(1)[0]
                if times > 1:
                    text = f"{_name(cell)} occurs twice on {item.name} {to_asp(line)}"
                    about = [fact for fact in puzzle.facts if _is_about(fact, rule, line)]
                    yield rule, about, OnLine(item.name, line, text)


def digits_as_text(rules: list[RuleFile], puzzle: Puzzle) -> Iterator[OnLine]:
    """The sections with texts such as "3", because no rule file names the arguments."""
    for section in puzzle.sections:
        declared = [item for rule in rules for item in rule.inputs if item.name == section.name]
        texts = (fact for fact in section.facts if str(fact.arguments[-1]).isdecimal())
        fact = next((each for each in texts if isinstance(each.arguments[-1], str)), None)
        if declared and fact and not any(item.arguments for item in declared):
            text = (
                f'{fact} contains the text "{fact.arguments[-1]}", which is no number: if a number'
                f" is meant, write % {fact.name}(R,C,V): … after #defined {declared[0]}."
            )
            yield OnLine(fact.name, None, text, (), fact)


def _is_about(fact: Function, rule: RuleFile, line: Term) -> bool:
    """Whether a fact is an exception, or an input of the rule and not about another line."""
    for item in rule.inputs:
        if item.signature == fact.signature:
            return line in (fact.arguments[place] for place in item.identity) or not item.identity
    return fact.name == EXCEPTIONS


def _lines(item: Input, puzzle: Puzzle) -> Iterator[tuple[Term, list[Cell]]]:
    """The cells of each line of an input, in order, if it consists of lines."""
    if not item.is_line:
        return
    found: dict[Term, list[tuple[tuple[int, object], Cell]]] = {}
    for fact in puzzle.facts:
        if fact.signature == item.signature:
            line, place, *_ = fact.arguments
            for cell in item.cells_of(fact):
                if puzzle.contains(*cell, puzzle.numbers[0]):
                    found.setdefault(line, []).append((sort_key(place), cell))
    for line, cells in found.items():
        yield line, [cell for _, cell in sorted(cells)]


def _name(cell: Cell) -> str:
    return "r{}c{}".format(*cell)


def unknown_exceptions(rules: list[RuleFile], facts: tuple[Function, ...]) -> Iterator[str]:
    """A warning for each exception that no rule uses, or fact about a clue that does not exist."""
    known = sorted(set().union(*(rule.retractable for rule in rules)))
    references = {
        signature: places for rule in rules for signature, places in rule.references.items()
    }
    clues = cache(partial(_clues, rules, facts))
    for fact in facts:
        places = references.get(fact.signature)
        if places is None and (fact.name != EXCEPTIONS or not fact.arguments):
            continue
        name = str(fact.arguments[places[0] if places else 0])
        if name not in known:
            yield f"no rule of this program uses {fact}.{did_you_mean(name, known)}"
        elif places and not clues(name)(clue := fact.arguments[places[1]]):
            yield f"{fact}: the rule {name} has no clue {to_asp(clue)}"


def shared_exceptions(rules: list[RuleFile], puzzle: Puzzle) -> Iterator[str]:
    """A warning for each name in exceptions that a user's file and another one share."""
    if all(rule.vetted for rule in rules):
        return
    facts = (fact for fact in puzzle.facts if fact.name == EXCEPTIONS and fact.arguments)
    names = [*(name.replace("-", "_") for name in puzzle.without)]
    for name in sorted({*names, *(str(fact.arguments[0]) for fact in facts)}):
        about = [rule for rule in rules if name in rule.retractable]
        if len(about) > 1 and not all(rule.vetted for rule in about):
            places = " and ".join(rule.place for rule in about)
            yield f"ab({name}) affects {places}: use another name in one of these files"


def _clues(rules: list[RuleFile], facts: tuple[Function, ...], name: str) -> Callable[[Term], bool]:
    """A function that says whether a rule has a clue with a name. The name of a clue is an argument
    of its facts, or the tuple of all arguments. For a rule without inputs, any name is accepted.
    """
    own = (item for rule in rules if name in rule.retractable for item in rule.inputs)
    inputs = {item.signature for item in own if item.signature != REGION}
    about = [fact.arguments for fact in facts if fact.signature in inputs]
    known = {*chain.from_iterable(about), *(Function("", arguments) for arguments in about)}
    return lambda clue: not inputs or clue in known


def box_shape_warnings(rules: list[RuleFile], puzzle: Puzzle) -> Iterator[str]:
    """A warning for each rule that uses the box shape if the puzzle draws its own regions."""
    for rule in rules if puzzle.box is None else ():
        if rule.mentions("box_rows") and not rule.mentions("box"):
            depends = f"rule {rule.name} depends on the box shape, but this puzzle draws its own"
            yield f"{depends} regions: its effect may not be the intended one"


def unused_cell_warnings(rules: list[RuleFile], puzzle: Puzzle) -> Iterator[str]:
    """A warning for each rule about whole rows, columns or the square that has unused cells."""
    for rule in rules if puzzle.unused else ():
        whole = _LINE.search(rule.code) or not (rule.declared or rule.mentions("cell"))
        if whole and not rule.mentions(UNUSED[0]):
            about = f"rule {rule.name} is about whole rows and columns of the square, with the"
            yield f"{about} unused cells: there may be no solution"


def region_size_warnings(puzzle: Puzzle) -> Iterator[str]:
    """A warning for each drawn region of the wrong size, and one for cells outside all regions; not
    with unused cells: not all boards need regions.
    """
    regions: dict[Term, set[tuple[Term, ...]]] = defaultdict(set)
    for fact in puzzle.facts:
        if fact.signature == REGION:
            regions[fact.arguments[2]].add(fact.arguments[:2])
    size = len(puzzle.numbers) if puzzle.unused else puzzle.size
    for region in sorted(regions, key=sort_key):
        if (cells := len(regions[region])) != size:
            yield f"region {region} has {cells} cells instead of {size}"
    outside = size**2 - len(set().union(*regions.values()))
    if regions and not puzzle.unused and outside > 0:
        yield f"{outside} cells are in no region"


def unused_constants(rules: list[RuleFile], constants: Iterable[str]) -> Iterator[str]:
    """A warning for each constant that was set but is used by no rule."""
    for name in constants:
        if not any(rule.mentions(name) for rule in rules):
            yield f"constant {name} is set but no rule of this program uses it"


def _defines(rule: RuleFile, predicate: Signature) -> bool:
    """Most files do not mention the predicate at all and need not be parsed."""
    from aspdoku.program.lint import defined_predicates

    return rule.mentions(predicate[0]) and predicate in defined_predicates(rule)


class _Outline(NamedTuple):
    """A rule: the predicates in its head, those without which its body is false, and whether it can
    exclude a grid, or derives what other files read or what is shown.
    """

    heads: frozenset[Signature]
    needed: frozenset[Signature]
    acts: bool
    body: Sequence[AST]


@lru_cache(maxsize=256)  # walking the syntax trees takes most of the time of all warnings
def _outlines(rule: RuleFile) -> tuple[_Outline, ...]:
    from aspdoku.program.syntax import heads, is_positive_atom, parse, restricting, signature

    statements = [each for each in parse(rule)[0] if each.ast_type.name == "Rule"]
    acting = list(restricting(statements))
    inputs = library.bundled_inputs()
    outlines = []
    for statement in statements:
        derived = frozenset(map(signature, heads(statement)))
        read = any(each in inputs or is_shared(each) or each in rule.shown for each in derived)
        atoms = (each.atom.symbol for each in statement.body if is_positive_atom(each))
        needed = frozenset(map(signature, atoms))
        outlines.append(_Outline(derived, needed, read or statement in acting, statement.body))
    return tuple(outlines)


# Statements that outlive the clingo module raise errors when Python exits.
atexit.register(_outlines.cache_clear)


def _possible(
    rule: RuleFile, missing: Set[Signature]
) -> tuple[list[_Outline], frozenset[Signature]]:
    """The rules that can apply if predicates are empty, and all empty ones: a least fixpoint."""
    statements = _outlines(rule)
    empty = frozenset(missing).union(*(statement.heads for statement in statements))
    while True:
        possible = [statement for statement in statements if not statement.needed & empty]
        rest = empty.difference(*(statement.heads for statement in possible))
        if rest == empty:
            return possible, empty
        empty = rest


@lru_cache(maxsize=1024)  # most clues of a rule, and most puzzles, are given in the same way
def _restricts(rule: RuleFile, given: frozenset[Signature], missing: frozenset[Signature]) -> bool:
    """Whether a constraint depends on numbers and a `given` input without the `missing` ones."""
    if not missing:
        return True
    possible, empty = _possible(rule, missing)
    bodies = [
        (each.heads, {predicate for part in each.body for predicate in _used(part, empty)})
        for each in possible
    ]
    about_numbers, about_given = {GIVEN}, set(given)
    for about in (about_numbers, about_given):
        while new := {
            head for found, used in bodies if used & about for head in found if head not in about
        }:
            about |= new
    return any(not found and used & about_numbers and used & about_given for found, used in bodies)


def _used(part: AST, empty: Set[Signature]) -> set[Signature]:
    """The predicates of a part of a body that are not empty, in elements that are not false."""
    from aspdoku.program.syntax import atoms, signature

    if part.ast_type.name in ("ConditionalLiteral", "BodyAggregateElement"):
        if any(
            literal.sign == 0 and {signature(atom) for atom in atoms(literal)} & empty
            for literal in part.condition
        ):
            return set()
    elif elements := getattr(getattr(part, "atom", None), "elements", None):
        return {each for element in elements for each in _used(element, empty)}
    return {signature(atom) for atom in atoms(part)} - empty


def surplus_number_warnings(puzzle: Puzzle) -> Iterator[str]:
    """A warning if each row or column needs all numbers but does not have that many cells."""
    lines = [name for name in ("row", "column") if name not in puzzle.without]
    numbers = len(puzzle.numbers)
    if lines and numbers != puzzle.size:
        needed = f"each {lines[0]} has {puzzle.size} cells but needs all {numbers} numbers;"
        yield f"{needed} --without {','.join(lines)} retracts that rule"
