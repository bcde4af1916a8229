"""Rules in words together with a drawing, in documents made by hand; what is expected follows from
the meaning of the words.
"""

import json
from pathlib import Path

import pytest
from drawn_documents import BOXES, GREY, WHISPERS, WHITE, arrow, circle, editor, line, pad, square
from in_one_test import in_one_test

import aspdoku
from aspdoku.formats import parse, worded
from aspdoku.puzzle.puzzle import RULES_IN_WORDS
from aspdoku.puzzle.term import to_asp

LINKS = Path(__file__).parents[3] / "shared" / "data" / "links.jsonl"
NORMAL = "Normal sudoku rules apply. "
INCREASE = "Digits on a thermometer increase from the bulb."
RENBAN = "A purple line is a set of consecutive digits in any order."
ALONG = line((1, 1), (1, 2), (2, 2))
ACROSS = line((3, 1), (3, 2), (4, 2))
GREEN, PURPLE, BLUE = "#66ff66", "#f067f0", "#2ecbff"


def document(rules, size=4, boxes=True, **drawings):
    metadata = {"metadata": {"rules": rules}}
    return pad(size, **drawings, **metadata, **({"regions": BOXES} if boxes else {}))


def read(rules, **drawings):
    return worded.read(json.dumps(document(rules, **drawings)))


def facts(found):
    return sorted(map(to_asp, found.puzzle.facts))


def path(name, label, *cells):
    return [f"{name}({label},{at},{row},{column})" for at, (row, column) in enumerate(cells, 1)]


def test_rules_and_facts_follow_from_words_and_drawing():
    found = read(
        NORMAL + WHISPERS + RENBAN, lines=[{**ALONG, "color": GREEN}, {**ACROSS, "color": PURPLE}]
    )
    assert found.puzzle.elaborations == ("whispers", "renban")
    assert facts(found) == [
        *path("renban", 1, (3, 1), (3, 2), (4, 2)),
        *path("whispers", 1, (1, 1), (1, 2), (2, 2)),
    ]
    assert (found.puzzle.unsupported, found.unread, found.assumed) == ((), (), ())
    green, purple = (element for element, _ in found.elements)
    assert [rules for _, rules in found.elements] == [("whispers",), ("renban",)]
    assert [each.rules for each in found.puzzle.wording] == [("box",), ("whispers",), ("renban",)]
    assert found.about == ((), (green,), (purple,))


def test_a_number_in_words_is_a_value_unless_it_is_the_default():
    lines = [{**ALONG, "color": GREEN}]
    assert "whispers_value" not in str(facts(read(NORMAL + WHISPERS, lines=lines)))
    found = read(NORMAL + WHISPERS.replace("2", "3"), lines=lines)
    assert "whispers_value(1,3)" in facts(found)


def test_the_nearest_name_that_the_text_uses_is_the_colour():
    text = NORMAL + WHISPERS.replace("green", "blue")
    drawn = {"lines": [{**ALONG, "color": "#2ecbff"}]}
    assert read(text, **drawn).puzzle.unsupported == ()
    turquoise = "#40e0d0"
    both = {"lines": [*drawn["lines"], {**ACROSS, "color": turquoise}]}
    found = read(text + RENBAN.replace("purple", "turquoise"), **both)
    assert [rules for _, rules in found.elements] == [("whispers",), ("renban",)]


def test_lines_without_a_colour_in_the_text_are_those_that_no_other_sentence_claims():
    lines = [{**ALONG, "color": GREEN}, {**ACROSS, "color": PURPLE}]
    found = read(NORMAL + WHISPERS + "Lines are palindromes.", lines=lines)
    assert [rules for _, rules in found.elements] == [("whispers",), ("palindrome",)]
    found = read(
        NORMAL + WHISPERS.replace("a green", "every") + "Lines are palindromes.", lines=lines
    )
    assert [rules for _, rules in found.elements] == [(), ()]
    assert [each.is_open for each in found.puzzle.wording] == [False, True, True]
    assert "does not say which line" in found.puzzle.wording[1].problem


OPEN = {
    "a line that is not drawn": (NORMAL + WHISPERS, {}, "no green line is drawn"),
    "a line of another colour": (
        NORMAL + WHISPERS,
        {"lines": [{**ALONG, "color": PURPLE}]},
        "no green line is drawn",
    ),
    "a line of the colour that a part of a sentence is about": (
        NORMAL + "Green lines are palindromes, purple lines are renbans.",
        {"lines": [{**ALONG, "color": PURPLE}]},
        "no green line is drawn",
    ),
    "a line that the text does not mention": (
        NORMAL,
        {"lines": [ALONG]},
        "drawn: grey line along r1c1…r2c2, about which nothing is said",
    ),
    "a sentence that is not understood": (NORMAL + "Be careful with blue.", {}, "Be careful"),
    "another size": ("Normal 6x6 sudoku rules apply.", {}, "6 instead of 4, the size of the grid"),
    "other numbers": (
        "Every row, column and box contains the digits 1 to 9 once.",
        {},
        "9 instead of 4, the size of the grid",
    ),
    "boxes that the text does not mention": (
        "Every row and column contains the digits 1 to 4 once.",
        {},
        "the boxes, about which nothing is said",
    ),
    "pencil marks, which a document of this kind does not give": (
        NORMAL + "Some cells have been pencilmarked with their candidates.",
        {},
        "no clue of the rule is drawn",
    ),
    "boards that are not given": (
        "Normal sudoku rules apply in each of the two grids.",
        {},
        "no clue of the rule is drawn",
    ),
    "boxes that are not drawn": (NORMAL, {"boxes": False}, "the boxes, which are not drawn"),
    "a title without a sentence": (
        NORMAL + "\nWhispers\n",
        {},
        "no sentence states the rule whispers",
    ),
    "a diagonal that is not drawn": (
        NORMAL + "Digits may not repeat on the diagonal.",
        {},
        "no diagonal is drawn",
    ),
    "two shades of a colour": (
        NORMAL + WHISPERS.replace("green", "light green"),
        {"lines": [{**ALONG, "color": "#66ff66"}, {**ACROSS, "color": "#006600"}]},
        "the text does not say which shade is meant",
    ),
    "a text that no rule uses": (
        NORMAL + "Grey circles contain odd digits.",
        {"underlays": [circle(1, 1, **GREY, text="3")]},
        "whose text no rule uses",
    ),
    "a clue that is no number": (
        NORMAL + "Digits in a cage sum to the small number in its corner.",
        {"cages": [{"cells": [[0, 0], [0, 1]], "value": "<5"}]},
        "the value '<5'",
    ),
    "a closed line of a rule about its ends": (
        NORMAL + "Grey lines are palindromes.",
        {"lines": [line((1, 1), (1, 2), (2, 2), (2, 1), (1, 1))]},
        "no grey line is drawn",
    ),
    "adjectives that tell elements apart": (
        NORMAL + "Small circles contain odd digits.",
        {"underlays": [circle(1, 1, 0.8, **GREY), circle(2, 2, 0.4, **GREY)]},
        "the text does not say which circle is small",
    ),
    "an adjective for one of two colours": (
        NORMAL + "Filled circles contain even digits.",
        {"underlays": [circle(1, 1, **GREY), circle(2, 2, **WHITE)]},
        "the text does not say which circle is filled",
    ),
    "two sentences that compare elements": (
        NORMAL + "Cages have the same sum. Lines have the same sum.",
        {"lines": [ALONG, ACROSS], "cages": [{"cells": [[0, 2]]}, {"cells": [[0, 3]]}]},
        "which elements are compared with each other",
    ),
    "one of two letters without a number": (
        NORMAL + "X and V sum to 10 and 5. All Xs are given.",
        {"overlays": [square(1, 1.5, 0.3, text="X"), square(2, 1.5, 0.3, text="V")]},
        "the text does not say the numbers of each x",
    ),
    "a note that contradicts a sentence": (
        NORMAL + "Digits cannot repeat in cages. Digits in cages sum to the small clue. "
        "Digits may repeat in red cages.",
        {"cages": [{"cells": [[0, 0], [0, 1]], "value": "5", "outlineC": "#f00"}]},
        "'Digits cannot repeat in cages.' (another sentence contradicts it)",
    ),
    "a circle between those at the ends of a line": (
        NORMAL + "Digits on a line are strictly between the digits in the circles at its ends.",
        {"lines": [line((1, 1), (1, 4))], "overlays": [circle(1, at, **WHITE) for at in (1, 3, 4)]},
        "drawn: white circle in r1c3, about which nothing is said",
    ),
    "marks that are all given and not": (
        NORMAL + "White dots join consecutive digits. Not all dots are given. All dots are given.",
        {"overlays": [circle(1, 1.5, 0.3, **WHITE)]},
        "'All dots are given.' (another sentence contradicts it)",
    ),
}


@in_one_test("name", OPEN)
def test_what_is_open_is_unsupported(name):
    text, drawings, part = OPEN[name]
    found = read(text, **drawings).puzzle
    assert any(part in each for each in found.unsupported), found.unsupported


def test_nothing_is_taken_from_a_sentence_that_is_not_understood():
    found = read(NORMAL + INCREASE[:-1] + " if the moon is full.", lines=[ALONG])
    assert (found.puzzle.elaborations, found.puzzle.facts) == ((), ())


def test_a_text_of_which_nothing_is_understood_is_as_before():
    found = read("It gets warmer on lines.", lines=[ALONG])
    assert found.puzzle.unsupported == (
        "drawings that may represent a rule: lines",
        RULES_IN_WORDS,
    )
    assert [each.is_open for each in found.puzzle.wording] == [True]


DOTS = (
    "Digits joined by a white dot are consecutive. Digits joined by a black dot have a 1:2 ratio."
)
V = "Digits separated by a V sum to 5. "


def dot(row, column, **more):
    return circle(row, column, 0.3, **more)


def test_dots_of_one_colour_and_one_letter_are_enough():
    found = read(NORMAL + DOTS, overlays=[dot(1, 1.5, **WHITE)])
    assert (facts(found), found.puzzle.unsupported) == (["white_dot(1,1,1,2,1)"], ())
    letters = V + "Digits separated by an X sum to 10."
    found = read(NORMAL + letters, overlays=[square(1, 1.5, 0.3, text="V")])
    assert (facts(found), found.puzzle.unsupported) == (["xv(1,1,1,2,5)"], ())


def test_marks_that_are_all_given_forbid_only_what_the_text_states():
    marks = [square(1, 1.5, 0.3, text="V")]
    found = read(NORMAL + V + "All possible Vs are given.", overlays=marks)
    assert found.puzzle.elaborations == ("xv", "negative-xv")
    assert facts(found) == ["negative_xv(5)", "xv(1,1,1,2,5)"]
    marks.append(square(2, 1.5, 0.3, text="X"))
    letters = V + "Digits separated by an X sum to 10. "
    found = read(NORMAL + letters + "All Vs are given.", overlays=marks)
    assert (facts(found)[0], found.puzzle.unsupported) == ("negative_xv(5)", ())
    found = read(NORMAL + V + "Not all Vs are given.", overlays=marks[:1])
    assert (found.puzzle.elaborations, found.puzzle.unsupported) == (("xv",), ())


def test_a_sum_that_no_cells_have_is_one_more_than_those_of_marks():
    text = NORMAL + V + "Digits separated by an X sum to 10. All Xs and Vs are given. "
    marks = [square(1, 1.5, 0.3, text="V"), square(2, 1.5, 0.3, text="X")]
    found = read(text + "No two adjacent cells sum to 7.", overlays=marks)
    assert [f"negative_xv({each})" for each in (10, 5, 7)] == facts(found)[:3]
    text = NORMAL + "XV rules apply. All Xs and Vs are given. No two adjacent cells sum to 7."
    found = read(text, overlays=marks)
    assert [f"negative_xv({each})" for each in (10, 5, 7)] == facts(found)[:3]


@pytest.mark.parametrize(("number", "problem"), [("two", ""), ("three", "3 instead of 2")])
def test_boards_are_as_many_as_the_text_states(number, problem):
    rules = f"rules: Normal sudoku rules apply in each of the {number} grids."
    grid = "\n".join(["." * 6] * 6)
    puzzle = parse(f"{rules}\n\n{grid}\n\n[facts]\nboard(a,1,1,4,4).\nboard(b,3,3,4,4).\n")
    assert puzzle.elaborations == (() if problem else ("boards",))
    assert [problem in each for each in puzzle.unsupported] == [True] * bool(problem)


DOWN, UP = ((1, 1), (2, 2), (3, 3), (4, 4)), ((4, 1), (3, 2), (2, 3), (1, 4))
ON_DIAGONALS = "Digits may not repeat on the marked diagonals."


@pytest.mark.parametrize(
    ("text", "ways", "expected"),
    [
        (ON_DIAGONALS, (DOWN, UP), []),
        (ON_DIAGONALS, (), []),
        (ON_DIAGONALS.replace("diagonals", "diagonal"), (UP,), ["ab(diagonal,down)"]),
    ],
)
def test_diagonals_of_the_grid(text, ways, expected):
    found = read(NORMAL + text, lines=[line(*way) for way in ways])
    assert (found.puzzle.elaborations, found.puzzle.unsupported) == (("diagonal",), ())
    assert facts(found) == expected


def test_a_name_of_two_rules_is_about_the_dots_of_each_colour():
    dots = [dot(1, 1.5, **WHITE), dot(2, 1.5, backgroundColor="#000")]
    found = read(NORMAL + "Kropki rules apply.", overlays=dots)
    assert facts(found) == ["black_dot(2,1,2,2,2)", "white_dot(1,1,1,2,1)"]
    assert found.puzzle.unsupported == ()


def test_adjectives_are_without_a_meaning_where_elements_are_alike():
    drawn = [circle(1, 1, **GREY), circle(2, 2, **GREY)]
    found = read(NORMAL + "Large grey circles contain odd digits.", underlays=drawn)
    assert (facts(found), found.puzzle.unsupported) == (["odd(1,1)", "odd(2,2)"], ())


def test_a_line_that_is_drawn_twice_is_one():
    for again in (ALONG, line((2, 2), (1, 2), (1, 1))):
        found = read(NORMAL + "Lines are palindromes.", lines=[ALONG, again])
        assert facts(found) == path("palindrome", 1, (1, 1), (1, 2), (2, 2))


def test_several_kinds_of_elements_have_the_same_sum_in_one_sentence():
    cages = [{"cells": [[3, 2]]}]
    found = read(NORMAL + "Cages and lines have the same sum.", lines=[ALONG], cages=cages)
    assert {fact.arguments[2] for fact in found.puzzle.facts} == {1}
    assert found.puzzle.unsupported == ()


SUM = "Digits in a cage sum to the small number in its corner. "
REPEATS = "Digits cannot repeat in a cage. "
CAGE = {"cells": [[0, 0], [0, 1]], "value": "5", "unique": True}
CAGES = {
    "a sum": (NORMAL + SUM, CAGE, "sum-cage", 1),
    "a sum without repetition": (NORMAL + SUM + REPEATS, CAGE, "killer", 0),
    "a sum and a document that says nothing about repetition": (
        NORMAL + SUM + REPEATS,
        CAGE | {"unique": None},
        "killer",
        1,
    ),
    "without a sum": (NORMAL + REPEATS, {"cells": CAGE["cells"]}, "killer", 0),
}


@pytest.mark.parametrize("name", CAGES)
def test_cages(name):
    text, cage, rule, assumed = CAGES[name]
    found = read(text, cages=[cage])
    assert (found.puzzle.elaborations, found.puzzle.unsupported) == ((rule,), ())
    assert len(found.assumed) == assumed
    predicate = {"killer": "cage", "sum-cage": "sum_cage"}[rule]
    value = [f"{predicate}_value(1,5)"] if "value" in cage else []
    assert facts(found) == [f"{predicate}(1,1,1)", f"{predicate}(1,2,1)", *value]


def test_rows_and_columns_without_boxes_are_a_latin_square():
    found = read("Every row and column contains the digits 1 to 4 once.", boxes=False)
    assert (found.puzzle.without, found.puzzle.unsupported) == (("box",), ())


def test_normal_rules_are_assumed_where_the_text_states_none():
    found = read("Lines are palindromes.", lines=[ALONG])
    assert (found.puzzle.elaborations, found.puzzle.unsupported) == (("palindrome",), ())
    assert len(found.assumed) == 1


ELEMENTS = {
    "an arrow": (
        "Digits along an arrow sum to the digit in its circle.",
        {
            "overlays": [circle(1, 1, **WHITE)],
            "arrows": [arrow((0.9, 0.9), (1.5, 1.5), (1.5, 2.5))],
        },
        path("arrow", 1, (1, 1), (2, 2), (2, 3)),
    ),
    "what is along an arrow": (
        "Digits along an arrow sum to the digit in its circle and increase from the tip.",
        {
            "overlays": [circle(1, 1, **WHITE)],
            "arrows": [arrow((0.9, 0.9), (1.5, 1.5), (1.5, 2.5))],
        },
        [*path("arrow", 1, (1, 1), (2, 2), (2, 3)), *path("rising_arrow", 1, (2, 2), (2, 3))],
    ),
    "a diagonal": (
        "Numbers outside the grid give the sum of the digits along the indicated diagonal.",
        {
            "arrows": [arrow((-0.3, 1.7), (-0.1, 1.9))],
            "overlays": [square(0, 2, 0.5, text="9")],
        },
        [*path("little_killer", 1, (1, 3), (2, 4)), "little_killer_value(1,9)"],
    ),
    "a corner": (
        "Digits in a circle appear at least once in the four surrounding cells.",
        {"overlays": [circle(1.5, 2.5, 0.5, **WHITE, text="1 3 3")]},
        ["quadruple(1,2,1,1)", "quadruple(1,2,3,2)"],
    ),
    "a sign": (
        "Inequality signs point to the smaller digit.",
        {"overlays": [square(1, 1.5, 0.3, text="<")]},
        ["gt(1,2,1,1)"],
    ),
    "a symbol": (
        "A digit on a sun indicates how many surrounding cells contain smaller digits.",
        {"overlays": [square(2, 2, 0.5, text="☀️"), square(3, 3, 0.5, text="☀️")]},
        ["sun(2,2)", "sun(3,3)"],
    ),
    "a closed line": (
        "Along a grey line, adjacent digits differ by at least 2.",
        {"lines": [line((1, 1), (1, 2), (2, 2), (2, 1), (1, 1))]},
        path("whispers", 1, (1, 1), (1, 2), (2, 2), (2, 1), (1, 1)),
    ),
    "a closed line that is a set": (
        "A grey line is a set of consecutive digits in any order.",
        {"lines": [line((1, 1), (1, 2), (2, 2), (2, 1), (1, 1))]},
        path("renban", 1, (1, 1), (1, 2), (2, 2), (2, 1)),
    ),
    "circles at the ends of a line": (
        "Digits on a line are strictly between the digits in the circles at its ends.",
        {"lines": [ALONG], "overlays": [circle(1, 1, **WHITE), circle(2, 2, **WHITE)]},
        path("between", 1, (1, 1), (1, 2), (2, 2)),
    ),
}


@pytest.mark.parametrize("name", ELEMENTS)
def test_elements_become_facts(name):
    text, drawings, expected = ELEMENTS[name]
    found = read(NORMAL + text, **drawings)
    assert (facts(found), found.puzzle.unsupported) == (sorted(expected), ())


THERMOMETER = {"thermometer": [{"lines": [["R1C1", "R1C2", "R2C2"]]}]}


def read_editor(ruleset, **keys):
    return worded.read(json.dumps(editor(ruleset=ruleset, **keys)))


def test_words_confirm_the_keys_of_an_editor_or_win():
    found = read_editor(NORMAL + INCREASE, **THERMOMETER)
    assert (found.puzzle.elaborations, found.puzzle.unsupported) == (("thermo",), ())
    assert facts(found) == path("thermo", 1, (1, 1), (1, 2), (2, 2))
    slow = "Digits on a thermometer increase or stay the same from the bulb."
    found = read_editor(NORMAL + slow, **THERMOMETER)
    assert (found.puzzle.elaborations, found.puzzle.unsupported) == (("slow-thermo",), ())
    assert facts(found) == path("slow_thermo", 1, (1, 1), (1, 2), (2, 2))
    assert found.assumed


def test_a_number_in_words_replaces_the_usual_one_of_a_key():
    dots = {"difference": [{"cells": ["R1C1", "R1C2"]}]}
    found = read_editor(NORMAL + "White dots join digits with a difference of 2.", **dots)
    assert (facts(found), found.puzzle.unsupported) == (["white_dot(1,1,1,2,2)"], ())


def test_a_note_that_contradicts_a_key_is_open():
    letter = {"xv": [{"cells": ["R1C1", "R1C2"], "value": "X"}], "negative": ["xv"]}
    found = read_editor(NORMAL + "X sums to 10. Not all Xs are given.", **letter)
    assert "the document states the rule negative-xv" in found.puzzle.unsupported[0]


def test_a_key_for_cages_without_repetition_is_kept_unless_the_words_contradict():
    cages = {"killercage": [{"cells": ["R1C1", "R1C2"], "value": "5"}]}
    found = read_editor(NORMAL + SUM, **cages)
    assert (found.puzzle.elaborations, found.puzzle.unsupported) == (("killer",), ())
    found = read_editor(NORMAL + SUM + "Digits may repeat in cages.", **cages)
    assert (found.puzzle.elaborations, found.puzzle.unsupported) == (("sum-cage",), ())


def test_the_name_of_a_rule_is_about_the_lines_of_its_colour():
    both = "Green lines are both German whispers and palindromes. "
    more = "On German whispers, adjacent digits differ by at least 3."
    found = read(NORMAL + both + more, lines=[{**ALONG, "color": GREEN}, ACROSS])
    assert [rules for _, rules in found.elements] == [("whispers", "palindrome"), ()]
    assert "whispers_value(1,3)" in facts(found)


def test_clues_outside_the_grid_with_one_meaning():
    sandwich = "Clues outside the grid give the sum of the digits sandwiched between 1 and 9. "
    seen = "Clues outside the grid indicate the number of skyscrapers that can be seen from there."
    clue = [square(1, 0, 0.5, text="2")]
    assert read(NORMAL + seen, overlays=clue).puzzle.elaborations == ("skyscraper",)
    found = read(NORMAL + sandwich + seen, overlays=clue)
    assert found.puzzle.elaborations == ()
    assert [bool(each.problem) for each in found.puzzle.wording] == [False, True, True]


def test_words_about_clues_at_the_edge_win_over_a_key():
    sums = {"sandwichsum": [{"cell": "R0C1", "value": "2"}]}
    seen = "Clues outside the grid indicate the number of skyscrapers that can be seen from there."
    found = read_editor(NORMAL + seen, **sums)
    assert (found.puzzle.elaborations, facts(found)) == (("skyscraper",), ["skyscraper(top,1,2)"])


@pytest.mark.parametrize("text", ["", NORMAL])
def test_a_key_of_an_editor_that_no_sentence_mentions_is_read_as_without_a_text(text):
    found = read_editor(text, **THERMOMETER)
    assert (found.puzzle.elaborations, found.puzzle.unsupported) == (("thermo",), ())


def test_cells_of_a_pair_in_either_order_are_one_clue():
    dots = [{"cells": ["R2C2", "R2C1"], "value": ""}]
    found = read_editor(NORMAL + DOTS, difference=dots)
    assert facts(found) == ["white_dot(2,2,2,1,1)"]


FILE = "rules: {}\n\n....\n....\n....\n....\n\n{}"
GREATER = "[whispers]\nr1c1 r1c2\n"


def test_a_puzzle_file_without_rules_is_read_through_its_words():
    found = parse(FILE.format(NORMAL + WHISPERS.replace("2", "3"), GREATER))
    assert (found.elaborations, found.unsupported) == (("whispers",), ())
    assert "whispers_value(1,3)" in map(to_asp, found.facts)
    found = parse(FILE.format(NORMAL + RENBAN, ""))
    assert any("no purple line is drawn" in each for each in found.unsupported)


@pytest.mark.parametrize("header", ["with: renban", "unsupported: something"])
def test_a_puzzle_file_that_states_its_rules_is_not_read_through_its_words(header):
    text = f"{header}\n{FILE.format(WHISPERS, GREATER)}"
    assert "whispers" not in parse(text).elaborations


@pytest.mark.slow
@pytest.mark.skipif(not LINKS.is_file(), reason=f"the shared puzzles are not in {LINKS}")
@pytest.mark.filterwarnings("ignore:assumed:aspdoku.errors.AspdokuWarning")
def test_shared_puzzles():
    right = 0
    for entry in map(json.loads, LINKS.read_text("utf-8").splitlines()):
        puzzle = worded.read(entry["url"]).puzzle
        if puzzle.unsupported:
            continue
        found = aspdoku.solve(puzzle, time_limit=100)
        if found.status == "unique":
            numbers = "".join(map(str, found.solution.numbers().values()))
            assert numbers == entry["solution"], entry["title"]
            right += 1
    assert right >= 32


MINE = """% The numbers of a mine add up to its value.

#defined mine/3.  % mine(R,C,I): cell (R,C) lies in mine I
#defined mine_value/2.  % mine_value(I,S): the numbers of mine I add up to S

% No mine has another sum.
%@ mine {I} adds up to {S}
:- mine_value(I,S), #sum { N,R,C : a(R,C,N), mine(R,C,I) } != S.
"""


def test_rules_of_ones_own_have_facts_and_titles(tmp_path, monkeypatch):
    (tmp_path / "mine.lp").write_text(MINE, "utf-8")
    (tmp_path / "mine.words").write_text("draw: cage\nnames: mine\nsays: name sum S\n", "utf-8")
    monkeypatch.setenv("ASPDOKU_PATH", str(tmp_path))
    text = f"{NORMAL}Mines sum to 5."
    grid = "\n".join([". . . ."] * 4)
    found = aspdoku.interpret(f"rules: {text}\n\n{grid}\n\n[facts]\nmine(1,1,1). mine(1,2,1).\n")
    expected = ["mine(1,1,1)", "mine(1,2,1)", "mine_value(1,5)"]
    assert sorted(map(to_asp, found.puzzle.facts)) == expected
    assert "mine: The numbers of a mine add up to its value." in str(found)
    assert facts(read(text, cages=[{"cells": [[0, 0], [0, 1]]}]))[-3:] == expected
