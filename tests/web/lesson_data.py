"""A small lesson as the data of its page, for tests: each kind of scene once."""

from functools import cache
from itertools import combinations, permutations, product

import aspdoku
from aspdoku.web import page as pages

EMPTY = ".... .... .... ...."
KNIGHT = "example:anti-knight"
LIAR = "example:liar"
FIVES = "example:except-the-fives"
SIXTEEN = "example:sixteen"
QUOTE = (
    "“A formalism is elaboration tolerant to the extent that it is convenient to modify a set of"
    " facts expressed in the formalism to take into account new phenomena or changed"
    " circumstances.”"
)
SHORT = """% No two equal numbers are three steps apart.
:- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| == 3.
"""
OLD = (
    "1 { a(X,Y,N) : X=1..9, Y=1..9,",
    "    X1<=X, X<=X1+2, Y1<=Y, Y<=Y1+2 } 1",
    "  :- N=1..9, X1=3*(0..2)+1, Y1=3*(0..2)+1.",
)
KEPT = (
    ":- a(X,Y,N), a(X,Y,N1), N!=N1.",
    ":- a(X,Y,N), a(X,Y1,N), Y!=Y1.",
    ":- a(X,Y,N), a(X1,Y,N), X!=X1.",
)
NEW = "1 { a(X,Y,N) : N=1..9 } 1 :- X=1..9, Y=1..9."
COSTS = {
    "Strimko: no boxes": (4, 0, 3, 1, 2, 2, 2, 1, 2, 2, 16, 16),
    "anti-knight": (6, 0, 1, 0, 4, 1, 2, 1, 152, 0, 2016, 0),
    "6 × 6": (0, 0, 1, 1, 0, 0, 1, 1, 14, 704, 216, 8766),
}
FORMALISMS = (
    ("ASP, this tower", "its chains, and ab(box)."),
    ("ASP, the slides’ base", "the rule also placed the numbers"),
    ("Prolog, any size", ""),
    ("CP-SAT, Python", ""),
    ("OWL, cells that see each other", "ground"),
    ("Clauses for a SAT solver", "ground"),
)


def words(text):
    """A text whose parts between backticks are code."""
    return [["code" if n % 2 else "", part] for n, part in enumerate(text.split("`")) if part]


def latin():
    rows = list(permutations("1234"))
    grids = product(rows, repeat=4)
    return [
        "".join(sum(grid, ()))
        for grid in grids
        if all(len({*each}) == 4 for each in zip(*grid, strict=True))
    ]


def has_boxes(grid):
    return all(len({grid[i], grid[i + 1], grid[i + 4], grid[i + 5]}) == 4 for i in (0, 2, 8, 10))


@cache
def lesson():
    """Ten steps with all kinds of scenes, as a lesson file describes them."""
    base = aspdoku.compose(EMPTY).parts[0].rule
    programs = [
        aspdoku.compose("example:classic"),
        aspdoku.compose(EMPTY).changed([base]),
        aspdoku.compose(SIXTEEN),
        aspdoku.compose(KNIGHT),
        aspdoku.compose(aspdoku.compose(FIVES).puzzle.replace(facts=())),
        aspdoku.compose(" ".join(["." * 9] * 9)).changed([base]),
        aspdoku.compose(LIAR),
        aspdoku.compose(LIAR).changed(
            [part.rule for part in aspdoku.compose(LIAR).parts if part.rule.name != "liar"]
        ),
    ]
    data = [pages.parts(pages.for_clients(program)) for program in programs]
    texts = {rule["name"]: rule["text"] for rule in pages.rules_to_add()}
    texts["base"] = base.text
    grids = latin()
    alive = [index for index, grid in enumerate(grids) if has_boxes(grid)]
    fives = aspdoku.solve(FIVES).solution
    cells = [
        (r + 1, c + 1) for r, row in enumerate(fives.rows) for c, n in enumerate(row) if n == 5
    ]
    licences = [
        [list(one), list(two)]
        for one, two in combinations(cells, 2)
        if abs(one[0] - two[0]) * abs(one[1] - two[1]) == 2
    ]

    def flat(solution):
        return [number for row in solution.rows for number in row]

    def scene(puzzle=None, **more):
        board = {"show": "puzzle", "marks": [], "pairs": [], "grid": None, "all": None}
        board |= {"formalisms": None} | more.pop("board", {})
        return (
            {
                "puzzle": puzzle,
                "tower": "all",
                "board": board,
                "code": None,
                "verdict": None,
                "base": None,
                "fresh": {"bricks": [], "facts": []},
            }
            | more
            | {
                "state": {
                    "added": more.get("added", []),
                    "retracted": more.get(
                        "retracted", data[puzzle]["retracted"] if puzzle is not None else []
                    ),
                },
                "answer": words(more["answer"]) if more.get("answer") else None,
            }
        )

    def brick(name, statements=None, text=None):
        return {"brick": name, "text": text or texts[name], "statements": statements}

    def count(number, was=None):
        return {"count": number, "was": was, "most": 1000}

    def wall(left):
        return {"show": "all-solutions", "all": {"size": 4, "grids": grids, "alive": left}}

    everything = list(range(len(grids)))
    straight = [(2, 5), (8, 5), (5, 2), (5, 8)]
    jumps = [(5 + r, 5 + c) for r in (-2, -1, 1, 2) for c in (-2, -1, 1, 2) if abs(r) != abs(c)]
    knight = [[r, c, "reach"] for r, c in jumps] + [[5, 5, "from", "♞"]]
    quotation = {"quote": QUOTE, "by": "John McCarthy, 2003"}
    opened = {"name": "the slides’ base", "hash": "ec83831", "was": None, "added": 0, "removed": 0}
    cut = opened | {"hash": "465f02d", "was": "ec83831", "added": 1, "removed": 1}
    diff = [["-", line] for line in OLD] + [["+", NEW]] + [[" ", line] for line in KEPT]
    formalisms = [
        {
            "change": change,
            "rows": [
                {
                    "name": name,
                    "note": note,
                    "added": added,
                    "removed": removed,
                    "statements": {
                        "added": [f":- new_rule({n})." for n in range(min(added, 40))],
                        "removed": [f":- old_rule({n})." for n in range(min(removed, 40))],
                    },
                }
                for (name, note), added, removed in zip(
                    FORMALISMS, numbers[::2], numbers[1::2], strict=True
                )
            ],
        }
        for change, numbers in COSTS.items()
    ]
    half = "Half of them: 288. Nothing in the base was touched, as before."
    steps = [
        (
            "The idea",
            5,
            "A changed rule should cost one addition, and nothing else.",
            "Your sudoku program works. Tonight the rules change. How many of its lines "
            "will you touch?",
            ["all", "some", "*none"],
            [
                scene(0, tower="none", code=quotation),
                scene(
                    0,
                    code=quotation,
                    fresh={"bricks": ["base"], "facts": []},
                    answer="None: you add lines. To that extent, your formalism is "
                    "elaboration tolerant.",
                ),
            ],
        ),
        (
            "The base",
            5,
            "Three rules are the whole base: one number in each cell, once in every row, "
            "once in every column.",
            "How many 4 × 4 grids obey them?",
            ["24", "288", "*576", "4,294,967,296"],
            [
                scene(1, code=brick("base")),
                scene(
                    1,
                    code=brick("base"),
                    verdict=count(576),
                    board=wall(everything),
                    answer="576 Latin squares. Here they are, all of them.",
                ),
            ],
        ),
        (
            "The box",
            5,
            "Sudoku is an addition: one file on top, and the base keeps every byte.",
            "How many of the 576 survive the boxes?",
            ["24", "144", "*288"],
            [
                scene(1, code=brick("base"), verdict=count(576), board=wall(everything)),
                scene(
                    1,
                    code=brick("box"),
                    added=["box"],
                    verdict=count(288, 576),
                    board=wall(alive),
                    answer=half,
                    fresh={"bricks": ["box"], "facts": []},
                ),
            ],
        ),
        (
            "Any size",
            4,
            "The same base plays every size.",
            "Which of the three rules must be edited for 16 × 16?",
            ["`cell`", "`row`", "`column`", "*none"],
            [
                scene(2, code=brick("base"), verdict=count(1)),
                scene(
                    2,
                    code=brick("base"),
                    verdict=count(1),
                    board={"show": "solution", "grid": flat(aspdoku.solve(SIXTEEN).solution)},
                    answer="None. The instance says n = 16. On the slides’ base one rule is "
                    "rewritten.",
                ),
            ],
        ),
        (
            "Anti-knight",
            10,
            "Anti-knight: equal numbers are never a chess knight’s move apart.",
            "The slides say it in eight rules, then in one: `|R1-R| + |C1-C| == 3`. Why "
            "does the short one suffice?",
            ["3 is a knight’s move", "*rows and columns help", "it is stricter"],
            [
                scene(3, code=brick("anti-knight"), board={"marks": knight}),
                scene(
                    3,
                    code=brick("slides/anti-knight-distance", text=SHORT),
                    verdict={"text": "The same", "against": "as it, here", "isGood": True},
                    board={"marks": [[r, c, "extra"] for r, c in straight] + knight},
                    answer="Four cells more are at distance 3, but they share a row or a "
                    "column, where"
                    " equal numbers are forbidden already.",
                ),
                scene(
                    1,
                    added=["box", "anti-knight"],
                    retracted=["row", "column"],
                    code=brick("slides/anti-knight-distance", text=SHORT),
                    verdict={"text": "Different", "against": "from it", "isGood": False},
                    board={
                        "grid": [4, 3, 4, 2, 2, 1, 3, 1, 2, 3, 1, 3, 4, 1, 4, 2],
                        "pairs": [[[1, 1], [4, 1]]],
                        "marks": [[1, 1, "bad"], [4, 1, "bad"]],
                    },
                    fresh={"bricks": [], "facts": ["ab(row)", "ab(column)"]},
                    answer="Take rows and columns back, and the short rule forbids this "
                    "grid, which the"
                    " eight rules allow: r1c1 and r4c1 are 3 apart.",
                ),
            ],
        ),
        (
            "The exception",
            6,
            "An exception is one more fact.",
            "No grid satisfies this puzzle. The setter meant: anti-knight, except for the "
            "fives. What do"
            " you write?",
            ["`ab(anti_knight).`", "*`ab(anti_knight,5).`", "N != 5 into the rule"],
            [
                scene(4, code=brick("anti-knight"), verdict=count(0)),
                scene(
                    4,
                    code=brick("anti-knight"),
                    retracted=["anti_knight,5"],
                    verdict=count(1, 0),
                    fresh={"bricks": [], "facts": ["ab(anti_knight,5)"]},
                    answer="The rule left a hook for it, `not ab(anti_knight,N)`. The fact "
                    "hangs on the hook.",
                ),
                scene(
                    4,
                    code=brick("anti-knight"),
                    retracted=["anti_knight,5"],
                    verdict=count(1),
                    board={
                        "show": "solution",
                        "grid": flat(fives),
                        "pairs": licences,
                        "marks": [[*cell, "exception"] for pair in licences for cell in pair],
                    },
                    answer="The rule left a hook for it, `not ab(anti_knight,N)`. The fact "
                    "hangs on the hook.",
                ),
            ],
        ),
        (
            "Taking back",
            5,
            "Taking a rule back is one more fact, too.",
            "What must be erased so that the boxes no longer count?",
            ["`box.lp`", "its two constraints", "*nothing"],
            [
                scene(3, code=brick("box"), verdict=count(1)),
                scene(
                    3,
                    code=brick("box"),
                    retracted=["box"],
                    verdict=count(14, 1),
                    board={"show": "candidates-changed"},
                    fresh={"bricks": [], "facts": ["ab(box)"]},
                    answer="Nothing. The fact `ab(box).` is added; the file stays where it "
                    "is, and has no effect.",
                ),
            ],
        ),
        (
            "Surgery",
            7,
            "Without a hook it takes surgery.",
            "On the slides’ base, delete the box rule. What does the solver answer?",
            ["more grids", "no solution", "*one empty grid"],
            [
                scene(5, base=opened, code={"diff": [[" ", line] for line in (*OLD, *KEPT)]}),
                scene(
                    5,
                    base=cut,
                    code={"diff": diff},
                    verdict={"text": "Not decided", "against": "", "isGood": False},
                    answer="One empty grid: the box rule was also the rule that places the "
                    "numbers.",
                ),
                scene(
                    5,
                    base=cut,
                    code={"diff": diff},
                    board={"show": "formalisms", "formalisms": formalisms},
                    answer="Only this tower removes nothing in all three. OWL and clauses "
                    "are monotone: there,"
                    " no addition can take a rule back.",
                ),
            ],
        ),
        ("Questions", 6, "What would you change?", None, [], [scene(None, tower="none")]),
        (
            "The liar",
            7,
            "One of eight sums is wrong, and an added rule finds out which.",
            "The sums contradict each other. Can adding a rule bring a solution back?",
            ["no: more rules, fewer solutions", "*yes"],
            [
                scene(7, code=brick("killer"), verdict=count(0)),
                scene(
                    6,
                    code=brick("liar", [1, 2]),
                    verdict=count(1, 0),
                    board={"show": "solution", "grid": flat(aspdoku.solve(LIAR).solution)},
                    fresh={"bricks": ["liar"], "facts": []},
                    answer="Yes: the new rule derives its own tag. What followed before "
                    "need not follow any"
                    " more; that is non-monotonic.",
                ),
            ],
        ),
    ]
    return {
        "title": "Elaboration tolerance in one hour",
        "minutes": 60,
        "exercises": ["anti-knight"],
        "puzzles": data,
        "library": pages.rules_to_add(),
        "steps": [
            {
                "title": title,
                "minutes": minutes,
                "say": words(say),
                "question": asked
                and {
                    "text": words(asked),
                    "options": [
                        {"text": words(each.removeprefix("*")), "right": each.startswith("*")}
                        for each in options
                    ],
                },
                "notes": [words(f"Say `this` in step {title}."), words("Ask for a show of hands.")],
                "scenes": scenes,
            }
            for title, minutes, say, asked, options, scenes in steps
        ],
    }
