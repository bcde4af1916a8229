"""What an editor shows about words: completions, meanings, definitions, and their renaming.

Each function is called in a child process, and takes a `Document` and an offset. Without a file of
the user's own that can be parsed, only the words of the library are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import shorten

from aspdoku.editor import puzzles
from aspdoku.editor.document import (
    RULE_FILES,
    VARIABLE,
    Completion,
    Document,
    Place,
    place_in,
    variables_in,
)
from aspdoku.errors import AspdokuError
from aspdoku.program import Input, RuleFile, library, syntax
from aspdoku.program.formatting import formatted
from aspdoku.program.lint import defined_predicates, definitions, place_of_inputs
from aspdoku.program.rulefile import (
    EXCEPTIONS,
    SIZES,
    comments,
    is_shared,
    line_and_column,
    message_templates,
)
from aspdoku.puzzle.term import PREDICATE, Signature
from aspdoku.words import lexicon_path, reader
from aspdoku.words.lexicon import Lexicon
from aspdoku.words.statements import LINES, SENTENCES

_BEGUN_KEY, _BEGUN_SET = re.compile(r"\s*[a-z]*\Z"), re.compile(r"\{[\w-]*\Z")
_KEY = re.compile(r"\s*(\w+)\s*:")
# The keys of lines of a `.words` file whose values are rules, and kinds of drawn elements.
_OF_RULES, _OF_KINDS = ("covers", "without", "after"), ("draw", "also")
_LONGEST_DETAIL = 80
_EXCEPTION = re.compile(r"\bab\(\s*\w*\Z")
_IN_TEMPLATE = re.compile(r"%@.*[{(,]\s*\w*\Z")
_DECLARING = re.compile(r"#defined\s+\w*\Z")
_NEGATED = re.compile(r"\bnot\s+[\w']*\Z")


def completions(document: Document, offset: int) -> tuple[Place, list[Completion]]:
    """The words that can be written at an offset, and the place of the word that is begun there."""
    # A hyphen is a part of the name of a rule, and a minus in code.
    in_code = document.suffix == ".gen" or (
        document.suffix == ".lp" and "against:" not in document.comment_at(offset)
    )
    place = document.begun_word(offset, in_code)
    if document.suffix == ".words":
        found = _in_statement(document, offset)
    elif document.suffix == ".draw":
        found = _in_style(document)
    elif document.suffix in RULE_FILES:
        found = _in_rule(document, offset)
    else:
        found = puzzles.completions(document, offset)
    following = document.text[place.end : place.end + 1]
    return place, [
        each._replace(written=_without_following(each.written, following)) for each in found
    ]


def _without_following(written: str, following: str) -> str:
    """A word without the part that stands behind its place already."""
    return written.partition(following)[0] if following in ("(", "/", ".", ":") else written


def _in_statement(document: Document, offset: int) -> Iterator[Completion]:
    line, lexicon = document.line_of(offset), reader().lexicon
    key = _KEY.match(line)
    if _BEGUN_KEY.match(line):
        yield from (Completion(key, "key", says, f"{key}: ") for key, says in LINES.items())
    elif key and key[1] in _OF_RULES:
        for rule in library.available_rules():
            yield Completion(rule.name, "rule", rule.title, rule.name)
    elif key and key[1] in (*_OF_KINDS, *SENTENCES):
        begun = "{" * bool(_BEGUN_SET.search(line))  # as in {123}
        known = lexicon.meanings.keys() | lexicon.kinds if key[1] in SENTENCES else lexicon.kinds
        for feature in sorted(known):
            detail = shorten(_worded(lexicon, feature), _LONGEST_DETAIL, placeholder=" …")
            if feature.startswith(begun):
                yield Completion(feature, "constant", detail, feature.removeprefix(begun))


def _worded(lexicon: Lexicon, feature: str) -> str:
    """What has a feature of the lexicon, as patterns of words."""
    return " | ".join(lexicon.meanings.get(feature, ()))


def _in_style(document: Document) -> Iterator[Completion]:
    for item in document.own_rule.inputs:
        yield Completion(item.name, "predicate", item.meaning, item.text)


def _inputs_drawn(document: Document) -> set[Signature]:
    return {item.signature for item in document.own_rule.inputs}


def _in_rule(document: Document, offset: int) -> Iterator[Completion]:
    line, rule = document.line_of(offset), document.rule
    if comment := document.comment_at(offset):
        if _IN_TEMPLATE.search(line):
            for name in variables_in(document.below(offset)):
                yield Completion(name, "variable", "of the statement below", name)
        elif "against:" in comment:
            for each in library.available_rules():
                yield Completion(each.name, "rule", each.title, each.name)
    elif line.replace('\\"', "").count('"') % 2:
        return  # in a string
    elif _DECLARING.search(line):
        known = {each: file.title for each, file in library.vocabulary().items()}
        known |= {each: item.meaning for each, (item, _) in library.bundled_inputs().items()}
        for (name, arity), meaning in known.items():
            yield Completion(f"{name}/{arity}", "predicate", meaning, f"{name}/{arity}.")
    elif _EXCEPTION.search(line):
        yield from _exceptions(rule)
    else:
        yield from _predicates(document)
        for name in variables_in(document.begun_at(offset)):
            yield Completion(name, "variable", "of this statement", name)
        for name in SIZES:
            yield Completion(name, "constant", "a size of the grid", name)
        unless = f"ab({rule.name.replace('-', '_')})"
        if not _NEGATED.search(line):
            unless = f"not {unless}"
        yield Completion(unless, "predicate", "unless this rule is retracted", unless)


def _exceptions(rule: RuleFile) -> Iterator[Completion]:
    own = rule.name.replace("-", "_")
    names = {own: "this rule"}
    for other in (library.base(), *library.defaults()):
        names |= dict.fromkeys(sorted(other.retractable), other.title)
    for name, detail in names.items():
        yield Completion(name, "constant", detail, name)


def _predicates(document: Document) -> Iterator[Completion]:
    """The base, the vocabulary, the inputs that the file declares, and its own predicates."""
    rule, base = document.rule, library.base()
    declared = {item.signature for item in rule.declared}
    if document.suffix == ".gen":
        declared |= {item.signature for item in document.own_rule.declared}
    known: dict[Signature, RuleFile] = {
        **dict.fromkeys(sorted(defined_predicates(base)), base),
        **dict.fromkeys(sorted(_heads(rule)), rule),
        **dict.fromkeys(declared, rule),
        **library.vocabulary(),
    }
    if document.suffix == ".gen":
        known |= {item.signature: document.own_rule for item in document.own_rule.inputs}
    speed = library.speed()
    for (name, arity), file in known.items():
        if (name, arity) in speed:
            continue
        word = (name, arity) in library.vocabulary() and (name, arity) not in declared
        if word and document.suffix != ".lp":
            continue  # only a rule can declare it
        needed = (place_of_inputs(rule), f"#defined {name}/{arity}.\n") if word else None
        detail = _meaning(file, (name, arity))
        yield Completion(name, "predicate", detail, _written(file, (name, arity)), needed)


def _heads(rule: RuleFile) -> set[Signature]:
    """The predicates that a file defines, also while it is being written."""
    found = set()
    for head in re.finditer(r"(?:^|\.\s)\s*(_*[a-z]\w*)\(([^()]*)\)\s*:-", rule.code):
        found.add((head[1], head[2].count(",") + 1))
    return found | defined_predicates(rule)


def _written(rule: RuleFile, predicate: Signature) -> str:
    """A predicate with variables: those of its declaration, or with which the file reads it."""
    name, arity = predicate
    for item in rule.declared:
        if item.signature == predicate and item.arguments:
            return item.text
    for found in re.finditer(rf"(?<![\w']){re.escape(name)}\(([^()]*)\)", rule.text):
        arguments = [each.strip() for each in found[1].split(",")]
        if len(arguments) == arity and all(map(VARIABLE.fullmatch, arguments)):
            return f"{name}({','.join(arguments)})"
    return name


def _meaning(rule: RuleFile, predicate: Signature) -> str:
    """What a file says about a predicate that it declares or defines."""
    for item in rule.declared:
        if item.signature == predicate and item.meaning:
            return item.meaning
    if predicate[0] == EXCEPTIONS:
        return "a fact ab(NAME) retracts the rule NAME, and ab(NAME,X) its instances for X"
    if library.vocabulary().get(predicate) == rule:
        return rule.title
    name = re.escape(predicate[0])
    for _, _, comment in comments(rule.text):
        if re.match(rf"%+\s*{name}\([A-Z]", comment):
            return comment.lstrip("% ")
    if place := definitions(rule).get(predicate):
        above = rule.text.split("\n")[: place[0] - 1]
        said: list[str] = []
        while above and above[-1].startswith("%") and not above[-1].startswith("%@"):
            said.insert(0, above.pop().lstrip("% "))
        return " ".join(said)
    return ""


# ---- Meanings and definitions ----


def _sources(document: Document, predicate: Signature) -> Iterator[RuleFile]:
    """The files that say what a predicate is, that with the meaning first."""
    rule = document.rule
    if predicate in library.vocabulary():
        yield library.vocabulary()[predicate]
    elif any(item.signature == predicate for item in rule.declared):
        yield rule
        if predicate in library.bundled_inputs():
            yield library.find(library.bundled_inputs()[predicate][1])
    elif predicate in defined_predicates(rule):
        yield rule
    elif document.suffix == ".gen" and predicate in _inputs_drawn(document):
        yield document.own_rule
    elif predicate in defined_predicates(library.base()) or predicate[0] == EXCEPTIONS:
        yield library.base()
    elif predicate in library.bundled_inputs():
        yield library.find(library.bundled_inputs()[predicate][1])


def hover(document: Document, offset: int) -> tuple[Place, str] | None:
    """What is known about the word at an offset, as Markdown."""
    if document.suffix not in RULE_FILES:
        return puzzles.hover(document, offset)
    if document.suffix == ".draw":
        return _hover_of_drawn(document, offset)
    if document.suffix == ".words":
        return _hover_of_words(document, offset)
    if comment := document.comment_at(offset):
        return _hover_of_template(document, offset) if comment.startswith("%@") else None
    if not (found := document.predicate_at(offset)):
        return None
    place, predicate = found
    for rule in _sources(document, predicate):
        name = f"{predicate[0]}/{predicate[1]}"
        meaning = _meaning(rule, predicate)
        where = "this file" if rule == document.rule else rule.place
        code = _definition_text(rule, predicate)
        shown = f"\n```prolog\n{code}\n```" if code else ""
        said = f"\n\n{meaning}" if meaning else ""
        return place, f"**{name}** in {where}{said}\n{shown}"
    return None


def _drawn(document: Document, offset: int) -> tuple[Place, Input] | None:
    """The input of the rule that a `.draw` file names at an offset."""
    place = document.word_at(offset)
    name = document.text[place.start : place.end]
    found = (item for item in document.own_rule.inputs if item.name == name)
    return next(((place, item) for item in found), None)


def _hover_of_drawn(document: Document, offset: int) -> tuple[Place, str] | None:
    if not (found := _drawn(document, offset)):
        return None
    place, item = found
    return place, f"**{item}** {item.meaning}"


def _hover_of_words(document: Document, offset: int) -> tuple[Place, str] | None:
    place = document.word_at(offset)
    word, key = document.text[place.start : place.end], _KEY.match(document.line_of(place.start))
    if not key:
        is_key = document.text.startswith(":", place.end)
        value, _, says = LINES.get(word if is_key else "", "").partition(": ")
        return (place, f"**{word}: {value}**\n\n{says}") if says else None
    if key[1] in _OF_RULES:
        rule = puzzles.rule_called(document, word)
        return (place, puzzles.about_rule(rule)) if rule else None
    for feature in (word, f"{{{word}}}"):
        said = _worded(reader().lexicon, feature)
        if said and key[1] in (*_OF_KINDS, *SENTENCES):
            return place, f"**{feature}** stands for: {said}"
    return None


def _defining_words(document: Document, offset: int) -> list[Place]:
    """The file of the rule, or the first line of the lexicon with the feature, at an offset."""
    place = document.word_at(offset)
    word, key = document.text[place.start : place.end], _KEY.match(document.line_of(place.start))
    if key and key[1] in _OF_RULES:
        rule = puzzles.rule_called(document, word)
        return _in_rule_of((rule, None) if rule else None)
    if key and key[1] in (*_OF_KINDS, *SENTENCES):
        text = lexicon_path().read_text("utf-8")
        if line := re.search(rf"^({re.escape(word)})(?:=\d+)?: ", text, re.MULTILINE):
            return [Place(*line.span(1), str(lexicon_path()))]
    return []


def _definition_text(rule: RuleFile, predicate: Signature) -> str:
    for statement in syntax.parse(rule)[0]:
        if predicate in map(syntax.signature, syntax.heads(statement)):
            return syntax.source_of(rule, statement)
    return ""


def _hover_of_template(document: Document, offset: int) -> tuple[Place, str] | None:
    line = line_and_column(document.text, offset)[0]
    for below, template in message_templates(document.rule).items():
        if template.line == line:
            names = template.variables or sorted(template.placeholders)
            text = f"The message of the statement in line {below}: “{' | '.join(template.parts)}”."
            if template.is_silent:
                text = (
                    f"The statement in line {below} only speeds up the search: it has no message."
                )
            elif names:
                text += (
                    f" Each value of {', '.join(names)} is an instance with a message of its own."
                )
            return document.word_at(offset), text
    return None


def definition(document: Document, offset: int) -> list[Place]:
    """Where the word at an offset is defined or declared, elsewhere than there."""
    if document.suffix not in RULE_FILES:
        return _in_rule_of(puzzles.defining(document, offset))
    if document.suffix == ".draw":
        drawn = _drawn(document, offset)
        return _in_rule_of((document.own_rule, drawn[1]) if drawn else None)
    if document.suffix == ".words":
        return _defining_words(document, offset)
    found = document.predicate_at(offset)
    if not found or document.comment_at(offset):
        return []
    places = (_place_in(rule, found[1]) for rule in _sources(document, found[1]))
    return [each for each in places if each and (each.path or each.start != found[0].start)]


def _in_rule_of(found: tuple[RuleFile, Input | None] | None) -> list[Place]:
    """The place of the declaration of an input in a rule file, or the beginning of the file."""
    if not found:
        return []
    rule, item = found
    declared = _place_in(rule, item.signature) if item else Place(0, 0, str(rule.path))
    return [declared] if declared else []


def _place_in(rule: RuleFile, predicate: Signature) -> Place | None:
    path = str(rule.path) if rule.path else ""
    if position := definitions(rule).get(predicate):
        return place_in(rule.text, *position, path)
    declared = re.search(rf"#defined\s+({predicate[0]})\s*/\s*{predicate[1]}\b", rule.code)
    return Place(*declared.span(1), path) if declared else None


# ---- Renaming ----


def rename(document: Document, offset: int, new: str) -> list[Place]:
    """The places of a variable of a statement, or of a predicate that the file defines, at which
    the new name is written. Raises AspdokuError with the reason if it cannot be renamed.
    """
    if document.suffix != ".lp":
        raise AspdokuError("only names in a rule file can be renamed")
    if errors := syntax.parse(document.rule)[1]:
        raise AspdokuError(f"correct the error in line {errors[0].line} first")
    word = document.word_at(offset)
    name = document.text[word.start : word.end]
    if VARIABLE.fullmatch(name):
        return _variable(document, word.start, name, new)
    found = document.predicate_at(offset)
    if not found or document.comment_at(offset):
        raise AspdokuError("this is neither a variable nor a predicate")
    return _predicate(document, found[1], new)


def _variable(document: Document, offset: int, name: str, new: str) -> list[Place]:
    if not VARIABLE.fullmatch(new):
        raise AspdokuError(f"{new} is not a variable: variables begin with a capital letter")
    lines = {
        line_and_column(document.text, place.start)[0]: place for place, _ in document.statements
    }
    templates = {
        lines[below]: template.line
        for below, template in message_templates(document.rule).items()
        if below in lines
    }
    at_line = line_and_column(document.text, offset)[0]
    statement = document.statement_at(offset)
    place = statement[0] if statement else None
    if document.comment_at(offset):
        place = next((each for each, line in templates.items() if line == at_line), None)
    if not place:
        raise AspdokuError("this is neither a variable nor a predicate")
    found = list(_words(document.rule.code, place, name))
    if new in variables_in(document.rule.code[place.start : place.end]):
        raise AspdokuError(f"this statement already has a variable {new}")
    if line := templates.get(place):
        start = place_in(document.text, line, 1).start
        end = document.text.index("\n", start)
        inside = document.text[start:end]
        listed = re.match(r"%@\([^)]*\)", inside)
        for each in _words(document.text, Place(start, end), name):
            braced = document.text[each.start - 1 : each.end + 1] == f"{{{name}}}"
            if braced or (listed and each.end - start <= listed.end()):
                found.append(each)
    return sorted(found)


def _words(text: str, place: Place, name: str) -> Iterator[Place]:
    pattern = re.compile(rf"(?<![\w']){re.escape(name)}(?![\w'])")
    return (Place(*each.span()) for each in pattern.finditer(text, place.start, place.end))


def _predicate(document: Document, predicate: Signature, new: str) -> list[Place]:
    rule, (name, arity) = document.rule, predicate
    declared = {item.signature for item in rule.declared}
    own = {(each.removeprefix("-"), number) for each, number in defined_predicates(rule)}
    if predicate in declared:
        text = f"{name}/{arity} is declared as an input, which other files state: it is not renamed"
        raise AspdokuError(text)
    if predicate not in own or is_shared(predicate):
        raise AspdokuError(f"{name}/{arity} is not a predicate that only this file defines")
    known = defined_predicates(library.base()) | library.vocabulary().keys() | declared
    known |= own | syntax.predicates(rule) | library.bundled_inputs().keys()
    if not PREDICATE.fullmatch(new) or (new, arity) in known:
        raise AspdokuError(f"{new} is not a name for a predicate, or is already used")
    for suffix in RULE_FILES[1:]:
        text = document.next_to(suffix) or ""
        if next(_words(text, Place(0, len(text)), name), None):
            file = Path(document.path).with_suffix(suffix).name
            raise AspdokuError(f"{file} also contains {name}: rename it by hand in both files")
    shown = re.finditer(rf"#show\s+-?({re.escape(name)})\s*/\s*{arity}\s*\.", rule.code)
    return sorted({*document.atoms(predicate), *(Place(*each.span(1)) for each in shown)})


def formatting(document: Document) -> str | None:
    """The text of a rule file, formatted; None if it does not parse, which a finding states."""
    if document.suffix not in (".lp", ".gen") or syntax.parse(document.rule)[1]:
        return None
    return formatted(document.rule)
