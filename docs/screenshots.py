"""Take the screenshots in docs/pictures, or some of them: `python docs/screenshots.py [NAME...]`.

Needs the extras `aspdoku[browser,pictures]` and Chromium.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

PICTURES = Path(__file__).with_name("pictures")
# A third of the size of a file with all colours; MAXCOVERAGE keeps those of few pixels, too.
_COLOURS = 256
_MOVING = 1000  # milliseconds until digits and tags are in their places


class Screenshot(NamedTuple):
    """A screenshot of the page that a command writes or serves, in a window of this size.

    command: with `{page}` for the file that it writes, if it does not print the page
    press: buttons, switches and cells that are pressed first, by their names
    shown: a selector of what is waited for then
    window: a key that opens another window, of which the picture is
    """

    name: str
    command: str
    width: int = 1280
    height: int = 760
    scheme: str = "light"
    fragment: str = ""
    press: tuple[str, ...] = ()
    shown: str = "body"
    window: str = ""


EXPLANATION = "explain --format html example:killer"
CONFLICT = f"conflict --format html {PICTURES}/conflict.txt"
HANDOUT = "handout example:anti-knight"
SERVED = "serve example:anti-knight"
LESSON = "lesson --handout {page} hour"
SHEET = "lesson --sheet {page} hour"
SOLVED = ".verdict:is([data-state=unique], [data-state=several])"
SCREENSHOTS = (
    Screenshot("explanation", EXPLANATION, fragment="#step-5"),
    Screenshot("explanation-phone", EXPLANATION, 390, 760, "dark", "#step-5"),
    Screenshot("explanation-slide", EXPLANATION, 1920, 1080, "dark", "#step-5"),
    Screenshot("conflict", CONFLICT),
    Screenshot("conflict-phone", CONFLICT, 390, 760, "dark"),
    Screenshot("equal", "equal --format html anti-knight anti-king --size 6", height=560),
    Screenshot("elaboration", "elaborate --format html --brief --with killer example:cages-four"),
    Screenshot("live", HANDOUT, height=720, press=("Rule box",), shown="text=14 solutions"),
    Screenshot(
        "live-phone", HANDOUT, 390, 844, "dark", press=("Rule box",), shown="text=14 solutions"
    ),
    Screenshot(
        "live-slide",
        HANDOUT,
        1920,
        1080,
        "dark",
        press=("what it forbids",),
        shown=".verdict >> text=Forbidden",
    ),
    Screenshot(
        "live-game",
        SERVED,
        height=720,
        press=("More", "Guess the rule", "Start"),
        shown="text=Question 1",
    ),
    Screenshot("lesson-box", LESSON, height=720, fragment="#3.1", shown=".gridwall .dead"),
    Screenshot("lesson-reach", LESSON, 1024, 768, fragment="#5.1", shown=".tint-reach"),
    Screenshot(
        "lesson-exception", LESSON, height=720, scheme="dark", fragment="#9.1", shown=".tag"
    ),
    Screenshot("lesson-formalisms", LESSON, 1920, 1080, "dark", "#11.2", shown=".costs"),
    Screenshot("lesson-liar", LESSON, height=720, fragment="#12.1", shown=".tag"),
    Screenshot("lesson-phone", LESSON, 390, 844, "dark", "#10.1", shown=".tag"),
    Screenshot("lesson-notes", LESSON, 760, 640, fragment="#3", window="n", shown=".notes"),
    Screenshot("sheet", SHEET, 900, 1115),
)
# Pictures of a class: the page, the window, what is done first, and what is waited for.
WALL, PHONE = (1280, 720), (390, 844)
OF_CLASS = {
    "wall": ("wall", WALL, "light", (), ".group-error"),
    "wall-dark": ("wall", (1024, 768), "dark", (), ".group-error"),
    "wall-answer": ("wall", WALL, "light", (".group-too-lax",), ".large .ring"),
    "wall-right": ("wall", WALL, "dark", (".group-right",), ".large .ring"),
    "exercise": ("student", WALL, "light", ("#hint", "#hand-in"), "#outcome .ring"),
    "exercise-phone": ("student", PHONE, "dark", ("#hand-in",), "#outcome.right"),
    "guess": ("wall", WALL, "light", (), ".before .forbidden, .before .allowed:nth-child(4)"),
    "guess-phone": ("student", PHONE, "dark", (), ".vote-buttons"),
}
TASK = "Cells a knight's move apart contain different numbers."
HINTS = (
    "Name two cells, R,C and R1,C1, that hold the same N. When are they a knight's move apart?",
    "A knight goes two one way and one the other: what is the sum of the distances?",
)
RIGHT = ":- a(R,C,N), a(R1,C1,N),\n   |R1-R| * |C1-C| == 2.\n"
LAX = "% a(R,C,N): row R, column C holds N\n:- a(R,C,N), a(R+1,C+2,N).\n"
HAND_INS = {
    RIGHT: 8,
    ":- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| == 3.\n": 11,
    LAX: 4,
    ":- a(R,C,N), a(R1,C1,N),\n   |R1-R| + |C1-C| <= 3, R1 != R.\n": 3,
    ":- a(R,C,N), a(R+1,C+2,N)\n": 2,
    ":- a(R,C,N), a(R1,C1,N), |R1-R| < D.\n": 1,
}


def main() -> None:
    """Take all screenshots."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    wanted = sys.argv[1:] or [*(each.name for each in SCREENSHOTS), *OF_CLASS]
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for each in SCREENSHOTS:
            if each.name in wanted:
                take(each, browser, Path(folder) / f"{each.name}.html")
        if any(name in wanted for name in OF_CLASS):
            take_class(browser, Path(folder) / "reference.lp", wanted)
        browser.close()


def take(screenshot: Screenshot, browser: Browser, page_file: Path) -> None:
    """Take a picture of the page of a command to docs/pictures; it is written to a file first, or
    served.
    """
    arguments = screenshot.command.replace("{page}", str(page_file)).split()
    with ExitStack() as stack:
        if screenshot.command.startswith("serve"):
            address = stack.enter_context(served(arguments))[0]
        else:
            command = [sys.executable, "-m", "aspdoku", *arguments]
            printed = subprocess.run(command, capture_output=True, check=False).stdout
            if "{page}" not in screenshot.command:
                page_file.write_bytes(printed)
            address = page_file.as_uri()
        take_of(screenshot, browser, address)


@contextmanager
def served(arguments: list[str], lines: int = 1) -> Iterator[list[str]]:
    """The first lines that a server prints."""
    command = [sys.executable, "-m", "aspdoku", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield [server.stdout.readline().strip() for _ in range(lines)]
        finally:
            server.terminate()


def take_class(browser: Browser, reference: Path, wanted: list[str]) -> None:
    """Take the pictures of a class in which thirty have joined and most have handed in."""
    hints = "".join(f"% hint: {hint}\n" for hint in HINTS)
    reference.write_text(f"{hints}:- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| == 3.\n", "utf-8")
    arguments = ["serve", "--class", "--exercise", str(reference), "--task", TASK]
    with served([*arguments, "--time-limit-each", "60"], lines=2) as (joining, of_lecturer):
        found = re.match(r"(\S+)  join code: (\S+)", joining)
        assert found
        address, code = found.groups()
        token = of_lecturer.partition("token=")[2].split()[0]
        rules = [rule for rule, count in HAND_INS.items() for _ in range(count)]
        for number in range(30):
            client = {"client": f"c{number}"}
            asked(address, code, kind="join", **client)
            if number < len(rules):
                rule = {"exercise": 0, "name": "mine", "text": rules[number]}
                asked(address, code, kind="mark", **rule, **client)
        asked(address, token, kind="time", minutes=6)
        for name, (of_page, (width, height), scheme, press, shown) in OF_CLASS.items():
            if name not in wanted:
                continue
            if name.startswith("guess"):
                asked(address, token, kind="guess", action="start", size=6, rule="anti-king")
                vote(address, code, 1)
                asked(address, token, kind="guess", action="next", round=1)
                vote(address, code, 2)
            page = new_page(browser, width, height, scheme)
            is_wall = of_page == "wall"
            page.goto(f"{address}wall?token={token}" if is_wall else f"{address}?token={code}")
            if press and not is_wall:
                page.get_by_role("textbox").fill(LAX if name == "exercise" else RIGHT)
            for selector in press:
                page.click(selector)
            page.wait_for_selector(shown)
            save(page, name)


def asked(address: str, token: str, **question: Any) -> None:
    """Ask the server of a class a question."""
    headers = {"Content-Type": "application/json", "X-Aspdoku-Token": token}
    urlopen(Request(f"{address}ask", json.dumps(question).encode(), headers)).close()


def vote(address: str, code: str, round_: int) -> None:
    """Vote on a grid as two thirds of a class do."""
    for number in range(21):
        allowed = number % 3 == 0
        asked(address, code, kind="vote", client=f"c{number}", round=round_, allowed=allowed)


def new_page(browser: Browser, width: int, height: int, scheme: str) -> Page:
    """A page in a window of its own."""
    return browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
    ).new_page()


def take_of(screenshot: Screenshot, browser: Browser, address: str) -> None:
    """Take a picture of the page at an address."""
    page = new_page(browser, screenshot.width, screenshot.height, screenshot.scheme)
    page.goto(address + screenshot.fragment)
    if screenshot.press:
        page.wait_for_selector(SOLVED)
    for name in screenshot.press:
        button, switch, cell = (
            page.get_by_role(role, name=name, exact=True)
            for role in ("button", "switch", "gridcell")
        )
        button.or_(switch).or_(cell).click()
    if screenshot.window:
        with page.expect_popup() as opened:
            page.keyboard.press(screenshot.window)
        page = opened.value
        page.set_viewport_size({"width": screenshot.width, "height": screenshot.height})
    page.wait_for_selector(screenshot.shown)
    save(page, screenshot.name)


def save(page: Page, name: str) -> None:
    """Save a picture of a page, and close the page."""
    page.wait_for_timeout(_MOVING)
    picture = PICTURES / f"{name}.png"
    page.screenshot(path=picture)
    page.context.close()
    Image.open(picture).convert("RGB").quantize(_COLOURS, Image.Quantize.MAXCOVERAGE).save(
        picture, optimize=True
    )


if __name__ == "__main__":
    main()
