"""Take the screenshots in docs/pictures, or some of them: `python docs/screenshots.py [NAME...]`.

Needs the extras `aspdoku[browser,pictures]` and Chromium.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

PICTURES = Path(__file__).with_name("pictures")
# A third of the size of a file with all colours; MAXCOVERAGE keeps those of few pixels, too.
_COLOURS = 256
_MOVING = 1000  # milliseconds until digits and tags are in their places


class Screenshot(NamedTuple):
    """A screenshot of the page that a command writes or serves, in a window of this size.

    press: buttons, switches and cells that are pressed first, by their names
    shown: a selector of what is waited for then
    """

    name: str
    command: str
    width: int = 1280
    height: int = 760
    scheme: str = "light"
    fragment: str = ""
    press: tuple[str, ...] = ()
    shown: str = "body"


EXPLANATION = "explain --format html example:killer"
CONFLICT = f"conflict --format html {PICTURES}/conflict.txt"
HANDOUT = "handout example:anti-knight"
SERVED = "serve example:anti-knight"
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
)


def main() -> None:
    """Take all screenshots."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for each in SCREENSHOTS:
            if len(sys.argv) > 1 and each.name not in sys.argv:
                continue
            take(each, browser, Path(folder) / f"{each.name}.html")
        browser.close()


def take(screenshot: Screenshot, browser: Browser, page_file: Path) -> None:
    """Take a picture of the page of a command to docs/pictures; it is written to a file first, or
    served.
    """
    command = [sys.executable, "-m", "aspdoku", *screenshot.command.split()]
    with ExitStack() as stack:
        if screenshot.command.startswith("serve"):
            server = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE))
            stack.callback(server.kill)
            assert server.stdout is not None
            address = server.stdout.readline().decode().strip()
        else:
            page_file.write_bytes(subprocess.run(command, capture_output=True, check=False).stdout)
            address = page_file.as_uri()
        take_of(screenshot, browser, address)


def take_of(screenshot: Screenshot, browser: Browser, address: str) -> None:
    """Take a picture of the page at an address."""
    page = browser.new_page(
        viewport={"width": screenshot.width, "height": screenshot.height},
        color_scheme="dark" if screenshot.scheme == "dark" else "light",
    )
    page.goto(address + screenshot.fragment)
    if screenshot.press:
        page.wait_for_selector(SOLVED)
    for name in screenshot.press:
        button, switch, cell = (
            page.get_by_role(role, name=name, exact=True)
            for role in ("button", "switch", "gridcell")
        )
        button.or_(switch).or_(cell).click()
    page.wait_for_selector(screenshot.shown)
    page.wait_for_timeout(_MOVING)
    picture = PICTURES / f"{screenshot.name}.png"
    page.screenshot(path=picture)
    page.close()
    Image.open(picture).convert("RGB").quantize(_COLOURS, Image.Quantize.MAXCOVERAGE).save(
        picture, optimize=True
    )


if __name__ == "__main__":
    main()
