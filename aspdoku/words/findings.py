"""Findings in a `.words` file: what keeps a sentence from being read as its rule."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from aspdoku.errors import RuleError, StatementError, did_you_mean
from aspdoku.program import RuleFile
from aspdoku.program.messages import Message
from aspdoku.puzzlefile.lines import enumerated
from aspdoku.words import lexicon_path, reader, words_files
from aspdoku.words.lexicon import Lexicon, variants
from aspdoku.words.reading import Reader, lexicon_with
from aspdoku.words.sentences import words
from aspdoku.words.statements import Statement, WordsFile

_MARKS = frozenset({"and", "talk", ",", ".", ";", ":", "(", ")"})  # between parts of a sentence
_OF_THE_GRID = {"N", "Q"}  # letters for its numbers and its rows, which no rule needs as inputs


def check_words(path: Path, drawn: Collection[str]) -> list[Message]:
    """The errors of the `.words` file next to the rule file at `path`, if there is such a file.

    If the rule file cannot be read, there are none: `program.lint` reports that.
    drawn: the kinds of elements that are recognized in drawings
    """
    try:
        rule = RuleFile.read(path, str(path))
    except RuleError:
        return []
    try:
        if file := WordsFile.next_to(rule):
            found = sorted(_errors(file, rule, drawn), key=lambda error: error.position)
            return [_message(each, file) for each in found]
    except RuleError as error:  # the file is no text, or the file of another rule is invalid
        return [Message("", 0, 0, "error", str(error))]
    return []


def _message(error: StatementError, file: WordsFile) -> Message:
    number, column = error.position
    line = next((each.written for each in file.lines if each.number == number), "")
    column = len(line[: column - 1].encode()) + 1  # an excerpt counts bytes
    message = Message(file.place, number, column, "error", error.problem)
    return message.with_excerpt("\n" * (number - 1) + line)


def _errors(file: WordsFile, rule: RuleFile, drawn: Collection[str]) -> list[StatementError]:
    """The errors of a file; those of features only if its lines are valid, and so on."""
    found = [*file.invalid_lines()]
    if found:
        return found
    others = [each for each in words_files() if each.rule != file.rule]
    lexicon = lexicon_with([*others, file], lexicon_path())
    found = [
        *file.invalid_features(lexicon),
        *_unknown_kinds(file, {"draw": {*lexicon.kinds, *drawn}, "also": drawn}),
        *_unknown_names(file, lexicon, {each.rule for each in others}),
        *_never_read(file, lexicon),
        *_unknown_letters(file, rule),
    ]
    if found:
        return found
    read = reader([rule])
    return [*_ambiguous(file, others, read), *_unread_examples(file, read)]


def _unknown_kinds(
    file: WordsFile, kinds: Mapping[str, Collection[str]]
) -> Iterator[StatementError]:
    for line in file.lines:
        known = sorted(kinds.get(line.key, ()))
        for kind in line.value.split() if known else ():
            if kind not in known:
                near = did_you_mean(kind, known) or f" The kinds are {enumerated(known)}."
                yield file.error(line, f"no drawn element is called {kind!r}.{near}", kind)


def _unknown_names(
    file: WordsFile, lexicon: Lexicon, rules: Iterable[str]
) -> Iterator[StatementError]:
    """Rules that do not exist, and names that no sentence can have."""
    for line in file.lines:
        if line.key in ("after", "covers") and line.value not in rules:
            near = did_you_mean(line.value, sorted(rules))
            problem = f"no rule {line.value!r} is stated in words: name a rule with a .words file."
            yield file.error(line, problem + near, line.value)
        names = variants(line.value) if line.key == "names" else []
        for name in map(" ".join, names):
            tokens = lexicon.features(words(name), {})
            called = [each for token in tokens for e in token.elements for each in e.names]
            if not any(file.rule in each.split("|") for each in called):
                usual = " ".join(words(name))
                reason = (
                    f"write {usual!r}, as the lexicon divides it"
                    if usual != name
                    else f"the lexicon reads it as {_shown(lexicon, name)}; add a word to it"
                )
                yield file.error(line, f"{name!r} is never read as a name: {reason}", name)


def _never_read(file: WordsFile, lexicon: Lexicon) -> Iterator[StatementError]:
    """Words in the place of features, which the lexicon replaces by others or drops."""
    for line in file.sentences:
        for word in sorted(line.optional.union(*line.alternatives)):
            feature = word.partition(":")[0]
            is_feature = feature in {*lexicon.meanings, *lexicon.kinds, "name"}
            if is_feature or feature[0].isupper() or not lexicon.known(feature):
                continue
            found = _shown(lexicon, feature)
            if found != feature:
                instead = f"replaces it by {found}: write that" if found else "drops it: remove it"
                problem = f"{feature!r} is a word, not a feature; the lexicon {instead}"
                yield file.error(line, problem, word)


def _unknown_letters(file: WordsFile, rule: RuleFile) -> Iterator[StatementError]:
    letters = {letter for item in rule.inputs for letter in item.arguments}
    for line in file.sentences:
        for word in sorted(set().union(*line.alternatives)):
            feature, colon, value = word.partition(":")
            letter = value if colon else feature.partition("=")[0]
            if letter[0].isupper() and letter not in letters | _OF_THE_GRID:
                have = f"they have {enumerated(sorted(letters))}" if letters else "it has none"
                problem = f"no input of the rule has the letter {letter}: {have}"
                of_grid = "N is the largest number of the grid, and Q the number of its rows"
                yield file.error(line, f"{problem}; {of_grid}", word)


def _ambiguous(
    file: WordsFile, others: Iterable[WordsFile], read: Reader
) -> Iterator[StatementError]:
    """Lines whose features also state another rule, so that such a sentence is read as neither."""
    files = {each.rule: each for each in others}
    seen: set[int] = set()
    for one in (each for each in read.statements if each.rule == file.rule):
        for each in read.statements:
            other = files.get(each.rule)
            if not other or one.line in seen or (one.joint and each.joint):
                continue
            if _also_states(one, each, read.lexicon) and _share_a_name(one, file, other):
                seen.add(one.line)
                features = ", ".join(one.needs)
                problem = f"a sentence with the features {features} also states {each.rule}"
                advice = (
                    f"({other.place}:{each.line}) and is read as neither rule: add a feature that"
                    " only this rule needs, or write joint: in both files if it states both"
                )
                line = next(line for line in file.lines if line.number == one.line)
                yield file.error(line, f"{problem} {advice}")


def _also_states(one: Statement, other: Statement, lexicon: Lexicon) -> bool:
    """Whether the features that one statement needs are also enough for the other one."""
    if not other.features <= one.features:
        return False
    left = [each for each in one.needs if "=" not in each]
    for need in (each for each in other.needs if "=" not in each):
        fitting = [each for each in left if _same(need, each)]
        if not fitting:
            return False
        left.remove(fitting[0])
    again = set(other.needs) - lexicon.strict | other.may
    return all(each in again for each in left)


def _same(one: str, other: str) -> bool:
    """Whether a word can be both of these features: those with a letter fit any number."""
    (a, _, x), (b, _, y) = one.partition(":"), other.partition(":")
    numbers = [each for each in (a, b) if each[0].isupper() or each.isdigit()]
    if len(numbers) == 2:
        return a == b or any(each[0].isupper() for each in numbers)
    return a == b and bool(x) == bool(y) and (x == y or any(map(str.isupper, (x, y))))


def _share_a_name(one: Statement, file: WordsFile, other: WordsFile) -> bool:
    names = (set(each.value("names").split(" | ")) for each in (file, other))
    return "name" not in one.needs or bool(set.intersection(*names) - {""})


def _unread_examples(file: WordsFile, read: Reader) -> Iterator[StatementError]:
    for line in (each for each in file.lines if each.key == "text"):
        readings = read.read(line.value)
        stated = dict.fromkeys(s.rule for each in readings for s in each.stated)
        if unread := [each for each in readings if each.unread]:
            listed = enumerated(map(repr, dict.fromkeys(unread[0].unread)))
            features = _shown(read.lexicon, unread[0].text)
            problem = f"nothing accounts for {listed}; the features are {features}"
            yield file.error(line, f"{problem}: write says: with these, or another sentence")
        elif file.rule not in stated:
            others = f"as {enumerated(stated)}, and " if stated else ""
            yield file.error(line, f"the example is read {others}not as {file.rule}")


def _shown(lexicon: Lexicon, text: str) -> str:
    """The features of a text, as a `.words` file has them."""
    found = [
        each.word if each.number is None or each.word.isdigit() else f"{each.word}:{each.number}"
        for each in lexicon.features(words(text), {})
        if each.word not in _MARKS
    ]
    return " ".join(found)
