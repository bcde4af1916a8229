"""The live page in a browser: from opening it to the verdict, and from a switch to the verdict.

Handouts are opened from their files in Chromium. The peers answer the same question without a
browser: the command `aspdoku solve` as a whole process, and clingo in this process on the same
text. Needs the extra `aspdoku[browser]` and Chromium.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import clingo
import measure
from playwright.sync_api import Page, sync_playwright
from start_up import ASPDOKU

import aspdoku

ROUNDS, WARM_UP = 21, 3
OPEN_GOAL, SWITCH_GOAL = 3, 4  # times `aspdoku solve`, times clingo
EXAMPLES = ("anti-knight", "killer")  # bundled 9x9 puzzles, and the rule that is switched
ON, OFF = "1 solution", "more than 1,000 solutions"
UNIQUE = "unique solution"  # in the words of the command
# Whether the number of ground rules is that of another program.
GROUNDED = "before => document.querySelector('.ground-rules').textContent !== before"
# Clicks on a switch. Milliseconds to the verdict, and to the candidates in the grid.
SWITCH = """name => new Promise(resolve => {
  const [verdict, digits] = [".verdict", ".digits"].map(each => document.querySelector(each));
  const began = performance.now();
  const answered = element => new Promise(done => {
    const observer = new MutationObserver(() => {
      if (verdict.dataset.state === "busy") return;
      observer.disconnect();
      done(performance.now() - began);
    });
    observer.observe(element, {attributes: true, childList: true});
  });
  document.querySelector(`[role=switch][aria-label="Rule ${name}"]`).click();
  answered(verdict).then(first => answered(digits).then(second => resolve([first, second])));
})"""


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        contenders: dict[str, Callable[[], list[float]]] = {}
        for name in EXAMPLES:
            file = Path(folder) / f"{name}.html"
            file.write_text(aspdoku.handout(f"example:{name}"), "utf-8")
            page = browser.new_page()
            contenders |= {
                f"{name}: page open to verdict": partial(opened, page, file.as_uri()),
                f"{name}: switch": partial(switched, page, name),
                f"{name}: `aspdoku solve`": partial(solved, name),
                f"{name}: clingo": partial(native, str(aspdoku.compose(f"example:{name}"))),
            }
        times: dict[str, list[list[float]]] = {name: [] for name in contenders}
        for number in range(-WARM_UP, ROUNDS):
            for name, run in contenders.items():
                seconds = run()
                if number >= 0:
                    times[name].append(seconds)
        version = browser.version
        browser.close()
    report(times, version)


def opened(page: Page, address: str) -> list[float]:
    """Seconds to the verdict of a page that is loaded anew."""
    began = time.perf_counter()
    page.goto(address)
    page.wait_for_selector(".verdict[data-state=unique]")
    return [time.perf_counter() - began]


def switched(page: Page, rule: str) -> list[float]:
    """Seconds from a switch that adds a rule to the verdict, and to the candidates."""
    ground = page.locator(".ground-rules").text_content()
    page.get_by_role("switch", name=f"Rule {rule}", exact=True).click()
    page.locator(".verdict", has_text=OFF).wait_for()
    page.wait_for_function(GROUNDED, arg=ground)  # the last answer: clingo is idle then
    found = page.evaluate(SWITCH, rule)
    page.locator(".verdict", has_text=ON).wait_for()
    return [milliseconds / 1e3 for milliseconds in found]


def solved(name: str) -> list[float]:
    """Seconds of the whole command."""
    began = time.perf_counter()
    done = subprocess.run(
        [ASPDOKU, "solve", f"example:{name}"],
        env=measure.ENVIRONMENT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    seconds = time.perf_counter() - began
    if UNIQUE not in done.stdout:
        sys.exit(f"expected '{UNIQUE}' in:\n{done.stdout}")
    return [seconds]


def native(program: str) -> list[float]:
    """Seconds to ground the program, find a solution, and prove that there is no other."""
    began = time.perf_counter()
    control = clingo.Control(["--eq=0", "--project=project", "2"], logger=lambda *_: None)
    control.add(program)
    control.ground()
    models = 0

    def count(_: clingo.Model) -> None:
        nonlocal models
        models += 1

    control.solve(on_model=count)
    seconds = time.perf_counter() - began
    if models != 1:
        sys.exit(f"expected one solution and not {models}")
    return [seconds]


def report(times: dict[str, list[list[float]]], version: str) -> None:
    medians = {}
    spread = {}
    for name, found in times.items():
        for place, seconds in enumerate(zip(*found, strict=True)):
            end = f" to {('verdict', 'candidates')[place]}" if name.endswith("switch") else ""
            medians[name + end] = measure.medians({"": list(seconds)})[""]
            spread[name + end] = measure.middle_half(seconds)
    rows = []
    for name, median in medians.items():
        example = name.partition(":")[0]
        lower, upper = spread[name]
        rows.append(
            [
                name,
                f"{median * 1e3:.0f}",
                f"{lower * 1e3:.0f} to {upper * 1e3:.0f}",
                f"{median / medians[f'{example}: clingo']:.2f}",
                f"{median / medians[f'{example}: `aspdoku solve`']:.2f}",
            ]
        )
    measure.publish(
        "live_page",
        "The live page in a browser",
        measure.table(
            ["9x9 puzzle", "median ms", "half of the runs, ms", "to clingo", "to aspdoku solve"],
            rows,
        ),
        f"{ROUNDS} rounds, interleaved, in Chromium {version}. The switch adds the rule to the"
        " program, whose solution is unique with it; clingo is idle before. The page contains"
        " clingo for browsers; the peers are native.",
        *(
            measure.goal(f"{name}: {what}, to {peer}", ratio, goal)
            for name in EXAMPLES
            for what, peer, goal in (
                ("page open to verdict", "`aspdoku solve`", OPEN_GOAL),
                ("switch to verdict", "clingo", SWITCH_GOAL),
            )
            for ratio in [medians[f"{name}: {what}"] / medians[f"{name}: {peer}"]]
        ),
    )


if __name__ == "__main__":
    main()
