"""Texts of rules in words, as setters write them."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

import pytest
from in_one_test import in_one_test

from aspdoku.words import reader
from aspdoku.words.reading import Reading
from aspdoku.words.sentences import marked

HERE = Path(__file__).parent
LINKS = HERE.parents[2] / "shared" / "data" / "links.jsonl"
STATED: dict[str, list[str]] = defaultdict(list)  # by the names of the rules
for line in (HERE / "stated.txt").read_text("utf-8").splitlines():
    stated_rules, stated_text = map(str.strip, line.split("|"))
    STATED[stated_rules].append(stated_text)
OPEN = (HERE / "open.txt").read_text("utf-8").splitlines()
PUZZLE = """Standard sudoku rules. Digits cannot repeat in cages and sum to the small clue.
Thermometers increase from the bulb. White dots mean consecutive digits. Black dots mean that one
digit is double the other. Neighbouring cells on green lines differ by 5 or more. Numbers outside
the grid are the sum of the indicated diagonal. X's sum to 10. V's sum to 5. Grey lines must be
palindromes. Numbers in circles must appear in the 4 surrounding cells. Arrows sum to circles."""


def rules(readings: list[Reading]) -> list[str]:
    """The names of the rules that sentences state, in order."""
    return [s.rule for each in readings for s in each.stated if not s.note]


def unread(readings: list[Reading]) -> list[str]:
    """The words that nothing accounts for."""
    return [word for each in readings for word in each.unread]


@in_one_test("names", STATED)
def test_every_word_of_a_rule_is_accounted_for(names: str) -> None:
    found = {text: reader().read(text) for text in STATED[names]}
    assert [text for text, readings in found.items() if unread(readings)] == []
    expected = set(names.split())
    assert [text for text, readings in found.items() if set(rules(readings)) != expected] == []


@pytest.mark.slow_cases("after other rules")
@pytest.mark.parametrize("before", ["", PUZZLE], ids=["alone", "after other rules"])
def test_what_no_rule_says_is_listed(before: str) -> None:
    assert [text for text in OPEN if not unread(reader().read(f"{before}\n{text}"))] == []


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("Adjacent digits on a green line differ by at least 5.", [("line", ("green",))]),
        ("Adjacent digits on light blue lines differ by at least 5.", [("line", ("light blue",))]),
        ("Digits on lines marked in red read the same both ways.", [("line", ("red",))]),
        ("Digits along thermometers (grey or red) increase.", [("thermo", ("grey", "red"))]),
        ("Digits on pink and purple lines are consecutive in any order.",
         [("line", ("pink", "purple"))]),
        ("Digits cannot repeat in cages or on the blue diagonal.",
         [("cage", ()), ("diagonal", ("blue",))]),
        ("Digits do not repeat on the long (red) diagonal.", [("diagonal", ("red",))]),
        ("The shaded cells are even.", [("shade", ("shaded",))]),
        ("Grey palindromes read the same forwards and backwards.", [("line", ("grey",))]),
    ],
)  # fmt: skip
def test_elements_have_a_kind_and_colours(text: str, elements: list[tuple[str, ...]]) -> None:
    (reading,) = reader().read(text)
    assert [(e.kind, e.colours) for s in reading.stated for e in s.elements] == elements
    assert not reading.unread


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Adjacent digits on orange lines differ by at least four.", {"D": 4}),
        ("Place the digits 1 to 6 in every row, column and box.", {"N": 6}),
        ("Standard 4x4 sudoku rules.", {"N": 4}),
        ("Cells with a V between them add up to 5.", {"S": 5}),
        ("Digits in the red cells sum to 30.", {"S": 30}),
    ],
)
def test_numbers_are_bound_to_letters(text: str, numbers: dict[str, int]) -> None:
    (reading,) = reader().read(text)
    assert [dict(each.numbers) for each in reading.stated] == [numbers]


def test_a_part_without_elements_is_about_those_before_it() -> None:
    (reading,) = reader().read("Digits in cages do not repeat, and sum to the small clue.")
    assert [(s.rule, [e.kind for e in s.elements]) for s in reading.stated] == [
        ("killer", ["cage"]),
        ("sum-cage", ["cage"]),
    ]


def test_pronouns_are_about_the_sentence_before() -> None:
    readings = reader().read("Blue lines are palindromes. They read the same in both directions.")
    assert [e.colours for s in readings[1].stated for e in s.elements] == [("blue",)]


def test_without_a_pronoun_a_sentence_is_not_about_the_one_before() -> None:
    text = "Blue lines are palindromes. {} differ by at least 2."
    assert unread(reader().read(text.format("Adjacent digits")))
    assert unread(reader().read(text.format("Their adjacent digits"))) == []
    text = (
        "Blue lines are palindromes. Red lines are zebras. They read the same in both directions."
    )
    assert [each.stated for each in reader().read(text)][2] == ()


def test_a_title_tells_what_a_sentence_is_about() -> None:
    (reading,) = reader().read("Renban: digits are consecutive, in any order.")
    assert [(s.rule, [e.kind for e in s.elements]) for s in reading.stated] == [
        ("renban", ["line"])
    ]


@pytest.mark.parametrize("end", [": palindromes.", " - palindromes", " are palindromes"])
def test_a_name_is_about_the_elements_of_the_title(end: str) -> None:
    (reading,) = reader().read(f"Blue lines{end}")
    assert [(s.rule, [e.colours for e in s.elements]) for s in reading.stated] == [
        ("palindrome", [("blue",)])
    ]


def test_a_stop_that_was_forgotten_ends_a_sentence_and_a_name_does_not() -> None:
    readings = reader().read("Digits increase along thermosDigits do not repeat in cages.")
    assert rules(readings) == ["thermo", "killer"]
    (name,) = reader().read("Normal KenKen rules apply.")
    assert name.rules == ("kenken",)


def test_no_feature_is_a_word_without_a_meaning() -> None:
    lexicon = reader().lexicon
    assert lexicon.meanings.keys() & lexicon.lists["noise"] == set()


def test_a_text_gives_names_to_elements() -> None:
    for text in (
        "Rivers (green lines) are palindromes. Adjacent digits on a river differ by at least 3.",
        "Rivers: Green lines are palindromes. Adjacent digits on a river differ by at least 3.",
    ):
        readings = reader().read(text)
        assert rules(readings) == ["palindrome", "whispers"]
        assert [e.colours for s in readings[1].stated for e in s.elements] == [("green",)]
        assert unread(readings) == []


def test_titles_state_nothing() -> None:
    readings = reader().read(
        "KILLER\n[Thermometers] Digits increase from the bulb.\nXV: V sums to 5."
    )
    assert rules(readings) == ["thermo", "xv"]
    assert unread(readings) == []
    assert unread(reader().read("In box 5 only: digits in cages do not repeat."))


def test_examples_are_skipped_and_explanations_are_not() -> None:
    read = reader().read
    text = "Grey lines are palindromes ({}), which read the same in both directions."
    assert unread(read(text.format("e.g. 1234321"))) == []
    assert unread(read(text.format("i.e. 1234321")))
    assert unread(read("For example, a line may have the digits 1 and 2.")) == []
    assert unread(read("(E.g. a line may have the digits 1 and 2.)")) == []
    assert unread(read("Grey lines are palindromes (e.g. 121 unless they are prime."))
    assert unread(read("Grey lines are palindromes, e.g. 121, unless they are prime."))


@pytest.mark.parametrize("text", ["a: " * 1500, "9" * 9000, "(e.g. a) " * 1100])
def test_long_texts_are_read(text: str) -> None:
    assert unread(reader().read(text))


def test_whether_all_marks_are_given() -> None:
    text = "Black dots mean that one digit is double the other. {} dots are given."
    some, every = (reader().read(text.format(each)) for each in ("Not all", "All possible"))
    assert [(s.rule, s.note) for s in some[1].stated] == [("black-dots", True)]
    assert [(s.rule, s.note) for s in every[1].stated] == [("negative-black-dots", False)]
    assert unread(reader().read("Not all of the dots are shown."))
    assert unread(
        reader().read("White dots mean consecutive digits. Not all black dots are given.")
    )


def test_no_part_is_left_out_beside_one_that_counts() -> None:
    text = "White dots are consecutive. All dots are shown, and digits on arrows may repeat."
    assert unread(reader().read(text))
    assert unread(reader().read(f"{PUZZLE} {text}")) == []


def test_all_of_two_kinds_of_marks_are_given() -> None:
    text = "White dots mean consecutive digits. V's sum to 5. All white dots and V's are shown."
    assert rules(reader().read(text))[2:] == ["negative-white-dots", "negative-xv"]


def test_line_ends_that_are_written_out() -> None:
    assert rules(reader().read(r"Grey squares are even.\n\nGrey circles are odd.")) == [
        "even",
        "odd",
    ]


def test_such_pairs_are_those_of_the_sentence_before() -> None:
    readings = reader().read(
        "White dots mean consecutive digits. An X joins digits that sum to 10. "
        "All such pairs are shown."
    )
    assert [s.rule for s in readings[2].stated] == ["negative-xv"]


@pytest.mark.parametrize("text", ["Have fun!", "KILLER CAGES", "The puzzle has a unique solution."])
def test_small_talk_is_listed_by_name(text: str) -> None:
    assert unread(reader().read(text)) == []


# Changes of a sentence that change its meaning: a pattern, and what its first match becomes.
NEVER = r"\b(cannot|can't|can not|do not|don't|may not|must not|never)\b"
THINGS = "lines|cages|dots|circles|arrows|thermometers"
MUTATIONS = [
    (r"\b(must|may|can|are|is|increase|differ|join|sum)\b", r"not \1"),
    (NEVER, "may"),
    (NEVER, ""),
    (NEVER + " repeat", "must repeat"),
    (r"\bmay repeat\b", "may not repeat"),
    (r"\bno\b", "some"),
    (r"\b(4|5|10|five|ten|four)\b", "7"),
    (r"\b(10|ten)\b(.*)\b(5|five)\b", r"\3\2\1"),
    (r"\b(two|2)\b", "3"),
    (r"\b(three|3)\b", "5"),
    (r"1:2", "1:3"),
    (r"\b(double|twice)\b", "triple"),
    (r"1([- ]to[ -]|-)[69]", "1-5"),
    (r"\b(green|purple|pink|blue|grey|gray|white|black|orange|red)\b", "yellow"),
    (r"\W*$", ", unless they are prime."),
    (r"\W*$", " if odd."),
    (r"\W*$", " in even rows."),
    (r"\W*$", " if the row is odd."),
    (r"\W*$", " until the first 9."),
    (r"\W*$", " before the bulb."),
    (r"\W*$", " by at least 2."),
    (r"\W*$", " or vice versa."),
    (r"\W*$", ", but not in box 5."),
    (r"\W*$", " except one."),
    (r"^", "In box 5 only, "),
    (r"^", "Exactly one of the following is true: "),
    (r"^", "It is not true that "),
    (r"^", "Some "),
    (r"^", "Sometimes "),
    (r"^", "In even rows, "),
    (r"\bat least\b", "at most"),
    (r"\bat least\b", "less than"),
    (r"\bat least (4|5|four|five)\b", r"exactly \1"),
    (r"\b(\d|five|four) or more\b", r"\1 or less"),
    (r"\bsum\b", "product"),
    (r"\bsum\b", "difference"),
    (r"\bsum\b", "average"),
    (r"\bsum\b", "sum minus 1"),
    (r"\bsum\b", "even sum"),
    (r"\b(digits|cells)\b", r"first \1"),
    (r"\b(digits|cells)\b", r"even \1"),
    (r"\b(digits|cells)\b", r"other \1"),
    (r"(?<!even )(?<!odd )\b(digits|cells|lines|cages)\b", r"only \1"),
    (rf"\b({THINGS})\b", r"no \1"),
    (rf"\b({THINGS})\b", r"adjacent \1"),
    (rf"^({THINGS})\b", r"Two of the \1"),
    (r"\b(line|cage|circle|arrow|thermometer)\b(?!:)", r"\1 and adjacent cells"),
    (r"\bincrease\b", "decrease"),
    (r"\bincrease\b", "increase by 2"),
    (r"\bincrease\b", "increase or stay the same"),
    (r"\bstrictly increas", "never increas"),
    (r"\bor stay the same\b", ""),
    (r"\bodd\b", "even"),
    (r"\beven\b", "prime"),
    (r"\bfrom the bulb\b", "to the bulb"),
    (r"\bfirst\b", "last"),
    (r"\badjacent\b", "diagonally adjacent"),
    (r"\badjacent\b", "non-adjacent"),
    (r"\bconsecutive\b", "non-consecutive"),
    (r"\bconsecutive\b", "equal"),
    (r"\b(all|every|each)\b", "not all"),
    (r"\b(all|every|each)\b", "exactly one"),
    (r"\bnot all\b", "all"),
    (r"\b(same|identical) digit", "different digit"),
    (r"\bdifferent digits\b", "the same digit"),
    (r"\bknight\b", "camel"),
    (r"\brow\b", "diagonal"),
]


def readings_of(text: str) -> set[object]:
    """What the sentences of a text state; nothing in their place if words are unread."""
    readings = reader().read(text)
    found = {(s.rule, s.elements, s.numbers, s.note) for each in readings for s in each.stated}
    return set() if unread(readings) else found


def unnoticed(sentence: str) -> list[str]:
    """Changes of a sentence that is understood which are read as it is."""
    before = readings_of(sentence)
    changed = {re.sub(old, new, sentence, count=1, flags=re.I) for old, new in MUTATIONS}
    return [each for each in changed - {sentence} if before and readings_of(each) == before]


@pytest.mark.slow
def test_no_changed_meaning_goes_unnoticed() -> None:
    texts = [text for names, texts in STATED.items() if names for text in texts]
    assert [each for text in texts for each in unnoticed(text)] == []


@pytest.mark.slow
@pytest.mark.skipif(not LINKS.is_file(), reason="the texts of puzzles are not part of aspdoku")
def test_no_changed_meaning_of_a_published_text_goes_unnoticed() -> None:
    texts = [json.loads(line)["rules"] for line in LINKS.read_text("utf-8").splitlines()]
    sentences = {each.text for text in texts for each in reader().read(text) if each.stated}
    whole = sorted(each for each in sentences if " eg " not in each)  # an example may be skipped
    assert len(whole) > 50
    assert [each for sentence in whole for each in unnoticed(sentence)] == []


@pytest.mark.parametrize(
    "text",
    [
        "x " + "(eg a) " * 2500,
        "a: " * 6600,
        "a " * 9999,
        "red lines, " * 1000,
        "." * 19_000 + "a",
        "(" * 9999 + "a",
        "Digits (" + "the " * 4000 + ") are odd.",
    ],
)
def test_a_text_of_any_form_is_read_or_listed(text: str) -> None:
    readings = reader().read(text)
    assert [bool(each.unread) for each in readings] == [True]
    assert "".join(part for part, _ in marked(readings[0].text, readings[0].unread)) in text


@pytest.mark.parametrize("number", ["9" * 10, "9" * 5000, "፩", "𐩀"])
def test_a_number_that_no_rule_can_have_is_listed(number: str) -> None:
    (reading,) = reader().read(f"Digits on a red line differ by at least {number}.")
    assert reading.stated == ()
    assert number in reading.unread


def test_what_follows_a_text_that_is_too_long_is_listed() -> None:
    *read, last = reader().read("Normal sudoku rules apply.\n" * 1000)
    assert not any(each.unread for each in read)
    assert last.unread
