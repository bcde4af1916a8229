"""Which drawn elements the sentences of a text are about, and the facts that follow.

A rule's inputs determine which kinds of elements can carry its clues. Among these, the noun of a
sentence decides on the kind, and its colour on the elements: of several names of a colour, the
nearest one that the text uses. A sentence without a colour is about the elements that the document
lists for its rule, or else about those that no sentence with a colour claims.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import count

from aspdoku.formats import shapes
from aspdoku.formats.base import UnsupportedError, by_key
from aspdoku.formats.boards import Board
from aspdoku.formats.drawn.colours import without_shade
from aspdoku.formats.drawn.elements import Element
from aspdoku.formats.shapes import STEPS, Clue, ClueShape, SquareGrid
from aspdoku.formats.stated_rules import noted_facts
from aspdoku.program import library
from aspdoku.program.library import default_values
from aspdoku.program.rulefile import EXCEPTIONS
from aspdoku.puzzle.inputs import LETTERS, Input
from aspdoku.puzzle.puzzle import REGION, Cell, Puzzle
from aspdoku.puzzle.term import Function, Term
from aspdoku.puzzlefile.lines import is_digits
from aspdoku.words import Reading, Stated, reader, same_element

_FIGURES = {"circle", "square", "diamond", "shade", "tick", "text"}  # that can illustrate a clue
_TEXTS = {"value", "values"}  # the attributes of a clue for the text of an element
_SAME_SIZE = 1.25  # how much larger one of two elements of the same size may be
SET = "a set of cells"  # how the comment of an input ends whose lines have no order
_NUMBERS = "N"  # the letter for the numbers of the grid
# The noun for a diagonal; a rule about both names them in exceptions: ab(RULE,down), ab(RULE,up).
_DIAGONAL = "diagonal"
# The kinds of elements that can carry the clues of each shape.
_CARRIERS: Mapping[type[ClueShape], frozenset[str]] = {
    shapes.SingleCells: frozenset({"circle", "square", "diamond", "shade", "text", "corner"}),
    shapes.CellSets: frozenset({"cage", "region", "shade", "line"}),
    shapes.GroupedSets: frozenset({"cage", "line", "outside"}),
    shapes.ValuedPairs: frozenset({"dot", "sign", "square", "diamond"}),
    shapes.CellPairs: frozenset({"dot", "sign", "square", "diamond"}),
    shapes.CellLines: frozenset({"line", "thermo", "arrow", "outside"}),
    shapes.Arrows: frozenset({"arrow"}),
    shapes.DiagonalSums: frozenset({"outside"}),
    shapes.EdgeClues: frozenset({"outside"}),
    shapes.RowColumnClues: frozenset({"outside"}),
    shapes.Corners: frozenset({"corner"}),
}


@dataclass(eq=False)
class Claim:
    """A rule that a sentence states, and the elements that were chosen for it.

    place: of the sentence
    colours: of the elements that carry its clues, without shades; names: of rules
    is_shade: whether a colour is written with a shade, as in "light blue"
    is_drawn: whether clues of the rule are drawn, and not found by the solver
    is_certain: whether something else than the kind of the elements selects them
    """

    place: int
    stated: Stated
    colours: frozenset[str]
    names: frozenset[str]
    kinds: tuple[str, ...]
    is_shade: bool
    is_drawn: bool
    chosen: list[Element] = field(default_factory=list)
    is_certain: bool = False

    @property
    def rule(self) -> str:
        """The rule that is stated."""
        return self.stated.rule

    @property
    def look(self) -> str:
        """The adjectives of its elements that may tell some of a colour apart."""
        return " ".join(dict.fromkeys(each.look for each in self.stated.elements if each.look))


class Claims:
    """The claims of the sentences of a text on the elements of a drawing.

    problems: why a sentence is open, by its place
    assumed: of two readings the one that was taken, in words
    taken: the rules of each element
    puzzle: the puzzle with the rules and facts that follow
    """

    def __init__(
        self, puzzle: Puzzle, elements: Sequence[Element], readings: Sequence[Reading]
    ) -> None:
        self.problems: dict[int, str] = {}
        self.assumed: dict[str, None] = {}
        self.taken: dict[Element, dict[str, None]] = {each: {} for each in elements}
        self._given, self._grid = puzzle, SquareGrid(puzzle.size)
        self._given_signatures = {fact.signature for fact in puzzle.facts}
        self._reader = reader()
        self._exceptions: list[Function] = []
        self._texts = [each.text for each in readings]
        self._noted = {s.rule for each in readings for s in each.stated if s.note}
        self._facts_of: dict[str, tuple[dict[int, set[Function]], dict[Cell | None, set[int]]]] = {}
        self._listed = {each: dict(self._listings(each)) for each in elements}
        self.claims = [
            self._claim(place, stated)
            for place, reading in enumerate(readings)
            for stated in reading.stated
            if not (reading.unread or stated.note)
        ]
        lacking = {each: what for each in self.claims if (what := self._lacking(each))}
        for claim, what in lacking.items():
            self.problems.setdefault(claim.place, what)
        self.claims = [each for each in self.claims if each not in lacking]
        self._read_sizes()
        self._drawn = [each for each in self.claims if each.is_drawn]
        self._choose()
        self._require_consistent(readings)
        self._require_unambiguous()
        self._claims_on = defaultdict[Element, list[Claim]](list)
        for claim in self._drawn:
            self._note_missing(claim)
            for each in claim.chosen:
                self.taken[each][claim.rule] = None
                self._claims_on[each].append(claim)
        for claim in self.claims:
            self._illustrate(claim)
        self._name_titles(readings)
        for element, rules in self.taken.items():
            self._choose_strongest(element, rules)
        self.puzzle = self._with_facts()

    def elements_of(self, place: int) -> tuple[Element, ...]:
        """The elements that a sentence is about."""
        chosen = [each for claim in self.claims if claim.place == place for each in claim.chosen]
        return tuple(dict.fromkeys(chosen))

    def listed(self, element: Element) -> tuple[str, ...]:
        """The rules of an element that the document states by a key, not only by its looks."""
        by_key = element.conventions or element.kind != "cage"
        return (*self._listed[element],) or element.conventions if by_key else ()

    def _claim(self, place: int, stated: Stated) -> Claim:
        elements = [each for each in stated.elements if each.kind]
        carriers = [
            each
            for each in elements
            if self._reader.lexicon.drawn_as(each.kind) & _carriers(stated.rule)
        ]
        written = frozenset(c for each in carriers for c in each.colours if without_shade(c))
        colours = frozenset(map(without_shade, written))
        names = frozenset(n for e in stated.elements for name in e.names for n in name.split("|"))
        if not colours and names and stated.rule in self._reader.colours:
            colours = frozenset({self._reader.colours[stated.rule]})
        kinds = tuple(dict.fromkeys(each.kind for each in elements))
        rule, is_shade = stated.rule, any(" " in name for name in written)
        has_look = rule in self._reader.drawn or rule in self._reader.shown
        is_drawn = bool(_shape(rule)) and (has_look or not library.find(rule).shown)
        return Claim(place, stated, colours, names, kinds, is_shade, is_drawn)

    def _lacking(self, claim: Claim) -> str:
        """What the given facts of a rule lack if its clues cannot be drawn; "" for another rule."""
        inputs = _inputs(claim.rule)
        is_general = any(each.arity == 1 or each.signature == REGION for each in inputs)
        if not inputs or is_general or claim.rule in library.default_names() or _shape(claim.rule):
            return ""
        arguments = {each.signature: each.arguments for each in inputs}
        given = [fact for fact in self._given.facts if fact.signature in arguments]
        if not given and not self._noted_facts(claim):
            return "no clue of the rule is drawn"
        for letter, number in claim.stated.numbers:
            groups = {
                name
                for fact in given
                for each, name in zip(arguments[fact.signature], fact.arguments, strict=True)
                if each == letter and LETTERS[letter].kind == "group"
            }
            if groups and len(groups) != number:
                return f"{number} instead of {len(groups)}, the number of those given"
        return ""

    def _read_sizes(self) -> None:
        """Compare the numbers in the text that are no values of clues with the size of the grid.
        Rules that retract default rules can have more numbers.
        """
        size = self._given.size
        retracted = {
            name for c in self.claims for name in self._reader.retracted.get(c.rule, "").split()
        }
        found: dict[int, set[int]] = defaultdict(set)
        for claim in self.claims:
            letters = {letter for each in _inputs(claim.rule) for letter in each.arguments}
            for letter, number in claim.stated.numbers:
                if letter not in letters and number != size:
                    found[number if letter == _NUMBERS and retracted else 0].add(claim.place)
                    self.problems[claim.place] = f"{number} instead of {size}, the size of the grid"
        numbers = found.keys() - {0}
        if len(numbers) == 1 and (most := numbers.pop()) > size:
            self.problems = {k: v for k, v in self.problems.items() if k not in found[most]}
            self._given = self._given.replace(numbers=range(1, most + 1))
        without = dict.fromkeys((*self._given.without, *sorted(retracted)))
        self._given = self._given.replace(without=tuple(without))

    # ---- Which elements ----

    def _candidates(self, claim: Claim) -> list[Element]:
        """The elements that can carry the clues of the rule, and that its nouns may mean."""
        if texts := self._reader.shown.get(claim.rule, "").split():
            carriers = _carriers(claim.rule)
            return [e for e in self.taken if e.kind in carriers and e.text in texts]
        lexicon, carriers = self._reader.lexicon, _carriers(claim.rule)
        meant = {kind for noun in claim.kinds for kind in lexicon.drawn_as(noun)} & carriers
        nouns = {*claim.kinds}
        if claim.rule in claim.names and nouns & lexicon.letters:
            nouns |= lexicon.letters
        signs = {lexicon.signs.get(noun) for noun in nouns}
        return [
            each
            for each in self.taken
            if each.kind in meant
            and (each.kind != "sign" or each.text in signs)
            and _clue(each, claim.rule)
        ]

    def _choose(self) -> None:
        candidates = {claim: self._candidates(claim) for claim in self._drawn}
        spoken: dict[str, set[str]] = defaultdict(set)
        for claim, found in candidates.items():
            for each in found:
                spoken[each.kind] |= claim.colours
        for claim, found in candidates.items():
            for each in found if claim.colours else ():
                called = next((name for name in each.colours if name in spoken[each.kind]), "")
                claim.chosen += [each] * (called in claim.colours)
            claim.is_certain = bool(claim.colours)
            if claim.is_shade and len({each.colours for each in claim.chosen}) > 1:
                self._leave_open(claim, "which shade is meant")
        claimed = {each for claim in self._drawn for each in claim.chosen}
        for claim, found in candidates.items():
            if not claim.colours:
                claim.chosen = self._without_colour(claim, found, claimed)
            if claim.look and not _are_alike(claim.chosen, bool(claim.colours)):
                self._leave_open(claim, f"which {' or '.join(claim.kinds)} is {claim.look}")

    def _without_colour(
        self, claim: Claim, found: list[Element], claimed: set[Element]
    ) -> list[Element]:
        for other in self._drawn:
            same = other.rule in (claim.rule, claim.stated.after, *claim.names)
            if same and other.colours and any(each in other.chosen for each in found):
                claim.is_certain = True
                return [each for each in found if each in other.chosen]
        if listed := [e for e in found if e.conventions and claim.rule in self._listed[e]]:
            claim.is_certain = True
            return listed
        whole = any(each.whole for each in claim.stated.elements)
        free = [each for each in found if whole or each not in claimed]
        if found and not free:
            nouns = " or ".join(claim.kinds)
            self.problems.setdefault(claim.place, f"other sentences are about each {nouns}")
        return free

    def _require_unambiguous(self) -> None:
        """List sentences without a colour that state several rules about the same lines, or about
        what is written outside the grid; they are about none then. So are several that compare
        elements with each other: their groups may be one.
        """
        claims: dict[Element, list[Claim]] = defaultdict(list)
        for claim in self._drawn:
            shape = _shape(claim.rule)
            kinds = {"line", *(["outside"] if shape and shape.parts & _TEXTS else [])}
            for each in claim.chosen if not claim.is_certain else ():
                if each.kind in kinds:
                    claims[each].append(claim)
        for element, several in claims.items():
            rules = {each.rule for each in several}
            if len(rules) > 1 and len({each.place for each in several}) > 1:
                for claim in several:
                    self._leave_open(claim, f"which {element.kind} it is about")
        grouped: dict[str, list[Claim]] = defaultdict(list)
        for claim in self._drawn:
            if claim.chosen and isinstance(_shape(claim.rule), shapes.GroupedSets):
                grouped[claim.rule].append(claim)
        for several in grouped.values():
            if len({frozenset(self.elements_of(each.place)) for each in several}) > 1:
                for claim in several:
                    self._leave_open(claim, "which elements are compared with each other")

    def _require_consistent(self, readings: Sequence[Reading]) -> None:
        """List sentences that contradict a note about the same elements, such as "not all dots are
        given", or "digits may repeat in red cages".
        """
        notes = [s for each in readings for s in each.stated if s.note and not each.unread]
        by_key = {*self._given.elaborations} - {each.rule for each in self.claims}
        for place, reading in enumerate(readings):
            noted = {each.rule for each in reading.stated if each in notes}
            for each in self._reader.statements:
                if each.rule in by_key and each.after in noted & self._reader.drawn.keys():
                    self.problems.setdefault(place, f"the document states the rule {each.rule}")
        for claim in self.claims:
            basic = {claim.stated.after, self._reader.covers.get(claim.rule)}
            for note in notes:
                own = [each for each in note.elements if each.kind]
                about = [each for each in claim.stated.elements if each.kind]
                same = not own or not about or any(same_element(a, b) for a in own for b in about)
                if same and note.rule in basic and note.rule in self._reader.drawn:
                    self.problems.setdefault(claim.place, "another sentence contradicts it")
                    claim.chosen = []

    def _leave_open(self, claim: Claim, what: str) -> None:
        self.problems.setdefault(claim.place, f"the text does not say {what}")
        claim.chosen = []

    def _note_missing(self, claim: Claim) -> None:
        """List a sentence about something that is not drawn, unless it is about dots of another
        colour, or another letter, than those drawn, or its words state another rule too.
        """
        letters = self._reader.lexicon.letters
        alike = letters if letters.issuperset(claim.kinds) else {*claim.kinds}
        others = [each for each in self._drawn if each.chosen]
        is_mark = alike <= {"dot", *letters} and any({*each.kinds} <= alike for each in others)
        about = (claim.place, claim.kinds, claim.colours)
        is_mark |= any((c.place, c.kinds, c.colours) == about for c in others)
        if is_mark or (not claim.colours and any(each.rule == claim.rule for each in others)):
            return
        if not (claim.chosen or self._has_facts(claim.rule)):
            nouns = " or ".join(" ".join((*sorted(claim.colours), kind)) for kind in claim.kinds)
            self.problems.setdefault(claim.place, f"no {nouns or 'clue of the rule'} is drawn")

    def _has_facts(self, rule: str) -> bool:
        """Whether clues of a rule are given as facts, and not drawn."""
        shape = _shape(rule)
        return bool(shape and not self.taken and shape.signatures & self._given_signatures)

    def _illustrate(self, claim: Claim) -> None:
        """Take the elements that illustrate a rule: those that it mentions besides its clues, or
        that its words list, in the cells of its clues, or at the ends of its lines if some are
        there; and the diagonals of a rule without clues.
        """
        illustrations = self._reader.illustrations.get(claim.rule, "").split()
        kinds = {*illustrations, *claim.kinds} & _FIGURES
        cells = {cell for each in claim.chosen for cell in each.cells}
        lines = [each for each in claim.chosen if each.kind == "line"]
        ends = {end for each in lines for end in (each.cells[0], each.cells[-1])}
        at_ends = any(each.kind in kinds and {*each.cells} <= ends for each in self.taken)
        cells = ends if at_ends and lines == claim.chosen else cells
        for each, rules in self.taken.items():
            if claim.is_drawn:
                shown = each.kind in kinds and bool(each.cells) and cells.issuperset(each.cells[:1])
            elif _DIAGONAL in claim.kinds:
                shown = self._is_diagonal(each)
            else:
                shown = each.kind in kinds and len(each.cells) == self._grid.size
            if shown:
                rules[claim.rule] = None
        is_of_diagonals = self._reader.drawn.get(claim.rule) == _DIAGONAL
        if is_of_diagonals and claim.rule not in self._given.elaborations:
            self._note_diagonals(claim)

    def _note_diagonals(self, claim: Claim) -> None:
        """State an exception if one diagonal is drawn; list a sentence about one if none is."""
        drawn = [each.cells for each, rules in self.taken.items() if claim.rule in rules]
        ways = {"down" if (1, 1) in cells else "up" for cells in drawn}
        if not ways and "diagonals" not in self._texts[claim.place].lower():
            self.problems.setdefault(claim.place, "no diagonal is drawn")
        for way in {"down", "up"} - ways if ways else ():
            rule = Function(claim.rule.replace("-", "_"))
            self._exceptions.append(Function(EXCEPTIONS, (rule, Function(way))))

    def _choose_strongest(self, element: Element, rules: dict[str, None]) -> None:
        """Of two rules of an element, one of which covers the other one, keep that; also if a key
        of the document states it, and the words, that do not contradict, state the other one.
        """
        for rule, covered in self._reader.covers.items():
            by_key = element.conventions and rule in self._listed[element]
            if covered in rules and by_key and covered not in self._noted:
                rules[rule] = None
            if rule in rules:
                rules.pop(covered, None)

    def _name_titles(self, readings: Sequence[Reading]) -> None:
        """List sentences that are no more than the name of a rule that no sentence states."""
        rules = {each.rule for each in self.claims}
        covers = self._reader.covers
        rules |= {covers[rule] for rule in rules if rule in covers}
        for place, reading in enumerate(readings):
            if reading.unread or reading.stated:
                continue
            for names in self._reader.named(reading.text):
                if not rules & {*names, *(covers[name] for name in names if name in covers)}:
                    self.problems.setdefault(place, f"no sentence states the rule {names[0]}")

    def _is_diagonal(self, element: Element) -> bool:
        size = self._grid.size
        diagonals = Board(1, 1, size, size).diagonals().values()
        return element.kind == "line" and {*element.cells} in map(set, diagonals)

    # ---- Facts ----

    def _listings(self, element: Element) -> Iterator[tuple[str, int]]:
        """The rules for which the document lists an element, each with the label of its clue."""
        for rule in self._given.elaborations:
            label = self._label_in_document(element, rule)
            if label is not None:
                yield rule, label

    def _label_in_document(self, element: Element, rule: str) -> int | None:
        """The label of the clue of an element; 0 if it has none, None if it is not a clue."""
        shape = _shape(rule)
        if not shape or element.kind not in _carriers(rule):
            return None
        if rule not in self._facts_of:
            self._facts_of[rule] = _by_label(self._given.facts, shape)
        known, labels = self._facts_of[rule]
        backwards = replace(element, cells=element.cells[::-1])
        for each in (element, backwards) if len(element.cells) == 2 else (element,):
            clue = _clue(each, rule)
            for label in sorted(
                {x for at in (*element.cells[:1], None) for x in labels.get(at, ())}
            ):
                made = self._made(shape, clue, label) if clue else set()
                own = set[Function]().union(*(known[used] for used in {*map(_label, made)}))
                if made and (made == own if label else made <= own):
                    return label
        return None

    def _made(self, shape: ClueShape, clue: Clue, label: int) -> set[Function]:
        """The facts of a clue that place it."""
        with suppress(UnsupportedError):
            return {f for f in shape.read(clue, count(label), self._grid) if _places(f)}
        return set()

    def _with_facts(self) -> Puzzle:
        facts = dict.fromkeys(self._given.facts)
        rules = dict.fromkeys(self._given.elaborations)
        labels = defaultdict[str, Iterator[int]](count)
        for rule in dict.fromkeys(each.rule for each in self._drawn):
            shape = _shape(rule)
            assert shape
            used = [_label(fact) for fact in facts if fact.signature in shape.signatures]
            labels[rule] = count(max(used, default=0) + 1)
        for element, taken in self.taken.items():
            for rule, label in self._listed[element].items():
                if taken and rule not in taken:
                    self._drop(facts, element, rule, label)
                    text = " and ".join(taken)
                    self.assumed[f"{element.kind}: {text}, as the text states, not {rule}"] = None
            for rule in taken:
                found = self._facts(element, rule, labels[rule]) if rule in labels else []
                if rule in self._listed[element] and any(map(_places, found)):
                    self._drop(facts, element, rule, self._listed[element][rule])
                for fact in found:
                    facts[fact] = None
                    rules[shapes.rule_of(fact.signature, rule)] = None
        for claim in self.claims:
            if self._has_facts(claim.rule):
                rules[claim.rule] = None
                facts |= dict.fromkeys(self._values_of_facts(claim))
            facts |= dict.fromkeys(self._noted_facts(claim))
            usual = claim.rule in library.default_names() or claim.place in self.problems
            values = None if claim.is_drawn or usual else self._values_in_text(claim)
            if values is not None:
                rules[claim.rule] = None
                facts |= dict.fromkeys(values)
        facts |= dict.fromkeys(self._exceptions)
        present = {fact.signature for fact in facts}
        lost = {fact.signature for fact in self._given.facts} - present
        of_clues = {rule: shape.signatures for rule in rules if (shape := _shape(rule))}
        dropped = {rule for rule, s in of_clues.items() if s & lost and not s & present}
        kept = [rule for rule in rules if rule not in dropped]
        return self._given.replace(facts=tuple(facts), elaborations=tuple(kept))

    def _drop(self, facts: dict[Function, None], element: Element, rule: str, label: int) -> None:
        """Remove the facts of an element that the document lists for a rule."""
        shape, clue = _shape(rule), _clue(element, rule)
        if shape and clue:
            made = self._made(shape, clue, label)
            used, signatures = {_label(fact) for fact in made} - {0}, shape.signatures
            for fact in list(facts):
                own = fact.signature in signatures and _label(fact) in used
                if fact in made or own:
                    del facts[fact]

    def _facts(self, element: Element, rule: str, labels: Iterator[int]) -> list[Function]:
        """The facts of an element that a rule claims, without those by which the document places
        it, unless the text states another number in them.
        """
        shape, clue = _shape(rule), _clue(element, rule)
        if not shape or not clue:
            return []
        claims = self._claims_on[element]
        claims = [each for each in claims if each.rule == rule] or claims
        letter = _value_letter(rule, shape)
        numbers = {n for each in claims for name, n in each.stated.numbers if name == letter}
        own = int(element.text) if is_digits(element.text) and len(element.text) < 10 else None
        if len(numbers | {own} - {None}) > 1:
            self._note(claims, f"{element}: two numbers")
            return []
        label = self._listed[element].get(rule)
        number, listed = next(iter(numbers), None), clue
        if number is not None and own is None:
            usual = default_values(f"{shape.predicate}_value", 2, len(self._given.numbers))
            clue = replace(clue, value=None if (number,) == usual else number)
        try:
            found = list(shape.read(clue, labels if label is None else count(label), self._grid))
        except UnsupportedError as what:
            self._note(claims, f"{element}: {what}")
            return []
        if label is None or {*filter(_places, found)} != self._made(shape, listed, label):
            return found
        return [fact for fact in found if not _places(fact)]

    def _note(self, claims: Iterable[Claim], problem: str) -> None:
        for each in claims:
            self.problems.setdefault(each.place, problem)

    def _noted_facts(self, claim: Claim) -> list[Function]:
        rule, notes = library.find(claim.rule), claim.stated.notes
        found = noted_facts(rule, notes, len(self._given.numbers))
        if found is None:
            self._note([claim], f"no facts of the rule are noted as {notes!r}")
        return found or []

    def _values_of_facts(self, claim: Claim) -> Iterator[Function]:
        """The number of a sentence as the value of the clues that are given as facts."""
        shape = _shape(claim.rule)
        number = dict(claim.stated.numbers).get(_value_letter(claim.rule, shape)) if shape else None
        if not shape or not shape.valued or number is None:
            return
        valued = f"{shape.predicate}_value"
        facts = [fact for fact in self._given.facts if fact.signature in shape.signatures]
        known = {fact.arguments[0] for fact in facts if fact.name == valued}
        inputs = {each.signature: each for each in _inputs(claim.rule)}
        for fact in (fact for fact in facts if fact.name != valued):
            label = fact.arguments[inputs[fact.signature].identity[0]]
            if label not in known:
                yield Function(valued, (label, number))

    def _values_in_text(self, claim: Claim) -> list[Function] | None:
        """The facts of a rule about the whole grid for the numbers that the text states of it, or,
        if it is about what is not marked, of the marks; None, and the sentence is open, if it is
        about one of several kinds of marks, and the text does not state their numbers.
        """
        facts = []
        for each in _inputs(claim.rule):
            if each.arity == 1 and each.arguments:
                stated = {
                    number
                    for other in self.claims
                    if other is claim
                    or (other.rule == claim.stated.after and _share_kinds(claim, other))
                    for letter, number in other.stated.numbers
                    if letter == each.arguments[0]
                }
                usual = default_values(*each.signature, len(self._given.numbers))
                if not stated and len(usual) > 1 and len(claim.kinds) == 1:
                    self._leave_open(claim, f"the numbers of each {claim.kinds[0]}")
                    return None
                several = sum(other.rule == claim.rule for other in self.claims) > 1
                numbers = stated or {*usual}
                if several or numbers != {*usual}:
                    facts += [Function(each.name, (number,)) for number in sorted(numbers)]
        return facts


@cache
def _shape(rule: str) -> ClueShape | None:
    """The shape of a rule whose clues are drawn; None for another rule."""
    if rule in library.default_names():
        return None
    with suppress(LookupError):
        found = shapes.shape_of(rule)
        return found if type(found) in _CARRIERS else None
    return None


def _carriers(rule: str) -> frozenset[str]:
    shape = _shape(rule)
    if not shape:
        return frozenset()
    is_set = isinstance(shape, shapes.CellLines) and SET in _inputs(rule)[0].meaning
    return _CARRIERS[type(shape)] | (_CARRIERS[shapes.CellSets] if is_set else set())


def _share_kinds(one: Claim, other: Claim) -> bool:
    """Whether two claims may be about the same elements by their nouns."""
    return not one.kinds or not other.kinds or bool({*one.kinds} & {*other.kinds})


def _are_alike(elements: Iterable[Element], of_several_colours: bool) -> bool:
    """Whether elements of each kind have about the same size, and the same colours if need be."""
    kinds = by_key((each.kind, each) for each in elements)
    sizes = [{each.size for each in same} for same in kinds.values()]
    colours = [{each.colours for each in same} for same in kinds.values()]
    one_colour = of_several_colours or all(len(each) == 1 for each in colours)
    return one_colour and all(max(each) <= _SAME_SIZE * min(each) for each in sizes)


@cache
def _inputs(rule: str) -> tuple[Input, ...]:
    return library.find(rule).inputs


def _value_letter(rule: str, shape: ClueShape) -> str:
    """The letter of the value of a rule's clues; empty if they have none."""
    named = (f"{shape.predicate}_value", 2) if shape.valued else (shape.predicate, 5)
    return next((each.arguments[-1] for each in _inputs(rule) if each.signature == named), "")


def _label(fact: Function) -> int:
    """The label of a clue in a fact; 0 for facts without."""
    declared = library.bundled_inputs().get(fact.signature)
    place = next(iter(declared[0].identity), None) if declared else None
    label: Term = fact.arguments[place] if place is not None else 0
    return label if isinstance(label, int) else 0


def _by_label(
    facts: Iterable[Function], shape: ClueShape
) -> tuple[dict[int, set[Function]], dict[Cell | None, set[int]]]:
    """The facts that place the clues of a shape by their labels, and the labels in each cell."""
    known, labels = defaultdict[int, set[Function]](set), defaultdict[Cell | None, set[int]](set)
    for fact in facts:
        if fact.signature in shape.signatures and _places(fact):
            known[_label(fact)].add(fact)
            places = library.bundled_inputs()[fact.signature][0].cells
            for each in places:
                labels[shapes.as_cell([fact.arguments[place] for place in each])].add(_label(fact))
            if not places:  # a clue at the edge
                labels[None].add(_label(fact))
    return known, labels


def _places(fact: Function) -> bool:
    """Whether a fact places a clue, and does not only state its value."""
    declared = library.bundled_inputs().get(fact.signature)
    return declared is not None and bool(declared[0].places)


def _clue(element: Element, rule: str) -> Clue | None:
    """The clue that an element is for a rule; None if it cannot be one."""
    cells, text = element.cells, element.text or None
    diagonal = 0 not in element.direction
    match _shape(rule):
        case shapes.SingleCells():
            if element.kind == "corner":
                return Clue(cells[:1]) if _inputs(rule)[0].is_corner else None
            return Clue(cells) if len(cells) == 1 or element.kind == "shade" else None
        case shapes.CellSets():
            return Clue(cells, value=text)
        case shapes.ValuedPairs() | shapes.CellPairs():
            return Clue(cells, value=text) if len(cells) == 2 else None
        case shapes.CellLines():
            # of an arrow with a circle, what the text calls the digits along the arrow
            shafts = element.shafts if cells else ()
            lines = shafts if element.kind == "arrow" else (_line(element, rule),)
            ways = [way for way in lines if len(way) > 1]
            return Clue(lines=ways, value=text) if ways else None
        case shapes.Arrows():
            ways = [(cells[-1], *shaft) for shaft in element.shafts] if cells else []
            has_places = any("P" in each.arguments for each in _inputs(rule))  # for a number
            return Clue(cells, lines=ways) if ways and has_places == (len(cells) > 1) else None
        case shapes.DiagonalSums():
            steps = [name for name, step in STEPS.items() if step == element.direction]
            where = element.place
            return Clue(outside=where, direction=steps[0], value=text) if steps else None
        case shapes.EdgeClues():
            return None if diagonal or not text else Clue(outside=element.place, value=text)
        case shapes.Corners():
            listed = (text or "").replace(",", " ").split()
            return Clue(cells, values=listed if len(listed) > 1 else listed and [*listed[0]])
    return None


def _line(element: Element, rule: str) -> tuple[Cell, ...]:
    """The cells of a line for a rule; none for a clue outside the grid that looks along a row or
    column, and for a closed line unless its rule is about sets of cells, or has a meaning for it.
    """
    if element.closed and SET not in _inputs(rule)[0].meaning:
        again = element.cells[: int(reader().loops.get(rule, 0))]
        return (*element.cells, *again) if again else ()
    return () if element.kind == "outside" and 0 in element.direction else element.cells


def uses_text(element: Element, rules: Iterable[str]) -> bool:
    """Whether the text of an element is part of the clues for these rules, or is the element."""
    found = [shape for rule in rules if (shape := _shape(rule))]
    parts = frozenset[str]().union(*(shape.parts for shape in found))
    shown = {text for rule in rules for text in reader().shown.get(rule, "").split()}
    return element.kind == "sign" or element.text in {"", *shown} or bool(parts & _TEXTS)
