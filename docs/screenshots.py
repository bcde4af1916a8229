"""Take the screenshots in docs/pictures: `python docs/screenshots.py`.

Needs the extras `aspdoku[browser,pictures]` and Chromium.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

PICTURES = Path(__file__).with_name("pictures")
# A third of the size of a file with all colours; MAXCOVERAGE keeps those of few pixels, too.
_COLOURS = 256


class Screenshot(NamedTuple):
    """A screenshot of the page that a command writes, in a window of this size."""

    name: str
    command: str
    width: int = 1280
    height: int = 760
    scheme: str = "light"
    fragment: str = ""


SCREENSHOTS = (
    Screenshot("explanation", "explain example:killer", fragment="#step-5"),
    Screenshot("explanation-phone", "explain example:killer", 390, 760, "dark", "#step-5"),
    Screenshot("explanation-slide", "explain example:killer", 1920, 1080, "dark", "#step-5"),
    Screenshot("conflict", f"conflict {PICTURES}/conflict.txt"),
    Screenshot("conflict-phone", f"conflict {PICTURES}/conflict.txt", 390, 760, "dark"),
    Screenshot("equal", "equal anti-knight anti-king --size 6", height=560),
    Screenshot("elaboration", "elaborate --brief --with killer example:cages-four"),
)


def main() -> None:
    """Take all screenshots."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for each in SCREENSHOTS:
            take(each, browser, Path(folder) / f"{each.name}.html")
        browser.close()


def take(screenshot: Screenshot, browser: Browser, page_file: Path) -> None:
    """Write the page of a command to a file, and a picture of it to docs/pictures."""
    command = [sys.executable, "-m", "aspdoku", *screenshot.command.split(), "--format", "html"]
    page_file.write_bytes(subprocess.run(command, capture_output=True, check=False).stdout)
    page = browser.new_page(
        viewport={"width": screenshot.width, "height": screenshot.height},
        color_scheme="dark" if screenshot.scheme == "dark" else "light",
    )
    page.goto(page_file.as_uri() + screenshot.fragment)
    picture = PICTURES / f"{screenshot.name}.png"
    page.screenshot(path=picture)
    page.close()
    Image.open(picture).convert("RGB").quantize(_COLOURS, Image.Quantize.MAXCOVERAGE).save(
        picture, optimize=True
    )


if __name__ == "__main__":
    main()
