"""How many texts of rules are understood: `python bench/words.py FILE.jsonl [--score] [--read]`.

Each line of the file is an object with `rulestext` or `rules`. A text is fully understood if each
of its sentences is. Prints the rates, how often each rule is stated, and the sentences that are not
understood with the words that nothing accounts for; with `--score` only the rates.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path

from aspdoku.words import reader


def main() -> None:
    """Read all texts of a file, and print how much of them is understood."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--score", action="store_true", help="only the rates")
    parser.add_argument(
        "--read", action="store_true", help="also the sentences that are understood"
    )
    options = parser.parse_args()
    entries = [json.loads(line) for line in options.file.read_text("utf-8").splitlines()]
    texts = [each.get("rulestext") or each["rules"] for each in entries]
    begin = time.perf_counter()
    words = reader()
    load = time.perf_counter() - begin
    begin = time.perf_counter()
    found = [words.read(text) for text in texts]
    seconds = time.perf_counter() - begin
    full = sum(all(not each.unread for each in readings) for readings in found)
    sentences = [each for readings in found for each in readings]
    read = [each for each in sentences if not each.unread]
    print(f"{full} of {len(texts)} texts fully understood ({100 * full / len(texts):.1f} %)")
    print(f"{len(read)} of {len(sentences)} sentences ({100 * len(read) / len(sentences):.1f} %)")
    print(f"{1000 * seconds / len(texts):.1f} ms for a text, {1000 * load:.0f} ms to begin")
    if options.score:
        return
    rules = Counter(stated.rule for each in read for stated in each.stated)
    print(", ".join(f"{rule or '-'} {count}" for rule, count in rules.most_common()))
    if options.read:
        for each in sorted(set(read)):
            print(f"  {each.text}\n      {each.stated}")
    alone = Counter[str]()
    for readings in found:
        unread = [each for each in readings if each.unread]
        for each in unread:
            alone[f"{len(unread)} {each.text}\n      {' '.join(each.unread)}"] += 1
    for text, count in sorted(alone.items(), key=lambda each: (each[0][0], -each[1], each[0])):
        print(f"{count:4} {text}")


if __name__ == "__main__":
    main()
