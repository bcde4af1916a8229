"""The files next to rules that say in which words the rules are stated."""

from __future__ import annotations

from pathlib import Path

import pytest

from aspdoku.errors import RuleError
from aspdoku.formats.drawn.elements import KINDS
from aspdoku.program import RuleFile
from aspdoku.program.library import base, data_dir, rule_names
from aspdoku.words import Reader, lexicon_path, reader
from aspdoku.words.findings import check_words
from aspdoku.words.statements import WordsFile

RULE = """% Neighbouring numbers on a mirror line add up to its value or more.
#defined mirror/4.        % mirror(I,K,R,C): cell (R,C) is at place K of line I; a path
#defined mirror_value/2.  % mirror_value(I,S): neighbours on line I add up to S at least
:- mirror(I,K,R,C), mirror(I,K+1,R1,C1), a(R,C,N), a(R1,C1,N1), mirror_value(I,S), N+N1 < S,
   not ab(mirror).
"""
WORDS = "draw: line\nnames: mirror line\nsays: line sum least:S (adjacent|name) [given]\n"
SENTENCE = "Adjacent digits on a line sum to at least 9."


def read(folder: Path, words: str, text: str) -> list[str]:
    """The rules that a text states with one more file."""
    (folder / "mirror.words").write_text(words, "utf-8")
    file = WordsFile.read(folder / "mirror.words")
    return [s.rule for each in Reader([file], lexicon_path(), dict).read(text) for s in each.stated]


def check(folder: Path, words: str) -> list[str]:
    """The findings in a file next to a rule, without the name of its folder."""
    rule = folder / "mirror.lp"
    rule.write_text(RULE, "utf-8")
    rule.with_suffix(".words").write_text(words, "utf-8")
    return [str(each).removeprefix(f"{folder}/") for each in check_words(rule, KINDS)]


def test_a_new_file_is_enough_for_a_new_rule(tmp_path: Path) -> None:
    assert read(tmp_path, WORDS, SENTENCE) == ["mirror"]
    assert read(tmp_path, WORDS, "Digits on mirror lines sum to at least 9.") == ["mirror"]
    assert read(tmp_path, WORDS, "Digits on lines sum to at least 9.") == []
    assert read(tmp_path, WORDS, "Adjacent digits on a line sum to 9.") == []


@pytest.mark.parametrize(
    "word", ["not", "may", "only", "all", "odd", "exactly", "least", "not-all"]
)
def test_words_that_change_a_meaning_are_never_optional(tmp_path: Path, word: str) -> None:
    with pytest.raises(RuleError, match=f"mirror.words:2:23: '{word}' changes a meaning"):
        read(tmp_path, f"draw: line\nsays: line sum [given {word}]\n", "")


INVALID = [
    ("says: line zebra\n", "1:12: the lexicon has no feature 'zebra'."),
    ("says: line increas\n", "1:12: the lexicon has no feature 'increas'. Did you mean 'increase'"),
    ("says: line\n", "1:7: a statement needs a feature besides the elements"),
    ("says: line" + 30 * " (sum|least)" + "\n", "1:7: more than 1000 variants in 'line "),
    ("names: " + 999 * "(" + 999 * ")" + "\n", "1:8: brackets nested more than 9 deep in '(("),
    ("says: line (sum|least:S\n", "1:7: a bracket is not closed in 'line (sum|least:S'"),
    ("says: line sum) least:S\n", "1:7: ) closes no bracket in 'line sum) least:S'"),
    ("says: line sum [given (all)]\n", "1:7: [ ] lists features, without other brackets"),
    ("sings: line sum\n", "1:1: 'sings: line sum' does not begin with draw, also, colour"),
    ("say: line sum\n", "1:1: 'say: line sum' does not begin with draw, also, colour"),
    ("loop: a\n", "1:7: loop needs the number of cells, such as 1"),
    ("draw: line\n\ndraw: cage\n", "3:7: line 1 already has draw: join the two"),
]


@pytest.mark.parametrize(("words", "message"), INVALID)
def test_invalid_files(tmp_path: Path, words: str, message: str) -> None:
    (found,) = check(tmp_path, words)
    assert found.startswith(f"mirror.words:{message}")
    with pytest.raises(RuleError) as error:
        read(tmp_path, words, "")
    assert str(error.value) == found


FINDINGS = [
    ("draw: lines\n", "1:7: no drawn element is called 'lines'. Did you mean 'line'?"),
    ("draw: zebra\n", "1:7: no drawn element is called 'zebra'. The kinds are arrow, border,"),
    ("also: ticks\n", "1:7: no drawn element is called 'ticks'. Did you mean 'tick'?"),
    ("covers: thrmo\n", "1:9: no rule 'thrmo' is stated in words"),
    ("after: thrmo\nsays: line odd even sum\n", "1:8: no rule 'thrmo' is stated in words"),
    ("names: Mirror-Line\n", "1:8: 'Mirror-Line' is never read as a name: write 'mirror line'"),
    ("names: killer cage\n", "1:8: 'killer cage' is never read as a name: the lexicon reads it as"),
    ("says: line ascend odd\n", "1:12: 'ascend' is a word, not a feature; the lexicon replaces it"),
    ("says: line odd digit\n", "1:16: 'digit' is a word, not a feature; the lexicon drops it"),
    (
        "says: line sum least:X odd\n",
        "1:16: no input of the rule has the letter X: they have C, I, K, R and S",
    ),
    ("says: line sum D=1 odd\n", "1:16: no input of the rule has the letter D"),
    (
        "says: line sum\nsays: thermo increase\n",
        "2:7: a sentence with the features thermo, increase also states thermo (thermo.words:4)",
    ),
    ("says: line palindrome-read set\n", "1:7: a sentence with the features line, palindrome-read"),
    (
        f"{WORDS}text: Digits on a line wobble.\n",
        "4:7: nothing accounts for 'line' and 'wobble'; the features",
    ),
    (
        f"{WORDS}text: Digits on lines sum to at least 9.\n",
        "4:7: nothing accounts for 'lines', 'sum', 'to', 'at', 'least' and '9'; "
        "the features are line sum least:9: write says: with these",
    ),
    (
        f"{WORDS}text: Digits on a thermometer increase from the bulb.\n",
        "4:7: the example is read as thermo, and not as mirror",
    ),
]


@pytest.mark.parametrize(("words", "message"), FINDINGS)
def test_findings(tmp_path: Path, words: str, message: str) -> None:
    (found,) = check(tmp_path, words)
    assert found.startswith(f"mirror.words:{message}")


def test_a_file_without_findings(tmp_path: Path) -> None:
    assert check(tmp_path, f"# A comment.\n{WORDS}text: {SENTENCE}\n") == []
    assert check_words(tmp_path / "other.lp", KINDS) == []


@pytest.mark.parametrize(
    "path",
    [
        path
        for path in (base().path, *sorted((data_dir() / "elaborations").glob("*.lp")))
        if path and path.with_suffix(".words").exists()
    ],
    ids=lambda path: path.stem,
)
@pytest.mark.slow
def test_bundled_files_have_no_findings(path: Path) -> None:
    assert check_words(path, KINDS) == []


def test_rules_of_ones_own_are_read_with_the_bundled_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rules(*own: RuleFile) -> list[str]:
        return [s.rule for each in reader(own).read(SENTENCE) for s in each.stated]

    assert check(tmp_path, WORDS) == rules() == []
    assert rules(RuleFile.read(tmp_path / "mirror.lp")) == ["mirror"]
    assert rules() == []
    monkeypatch.setenv("ASPDOKU_PATH", str(tmp_path))
    assert rules() == ["mirror"]
    check(tmp_path, "says: line zebra\n")
    with pytest.raises(RuleError, match=f"{tmp_path}/mirror.words:1:12: the lexicon has no"):
        rules()


def test_a_rule_of_ones_own_with_the_name_of_a_bundled_one(tmp_path: Path) -> None:
    (tmp_path / "thermo.lp").write_text(RULE, "utf-8")
    (tmp_path / "thermo.words").write_text("says: thermo decrease from-bulb\n", "utf-8")
    read = reader([RuleFile.read(tmp_path / "thermo.lp")]).read
    (more,) = read("Digits on a thermometer increase from the bulb.")
    (less,) = read("Digits on a thermometer decrease from the bulb.")
    assert (more.stated, [each.rule for each in less.stated]) == ((), ["thermo"])


def test_every_file_is_next_to_its_rule() -> None:
    names = {file.stem for file in (data_dir() / "elaborations").glob("*.words")}
    assert names <= set(rule_names())
