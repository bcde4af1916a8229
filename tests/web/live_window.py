"""A window of Chromium with the live page or a handout, for tests."""

from contextlib import suppress
from urllib.parse import urlsplit

import pytest

import aspdoku
from aspdoku.web import page as pages
from aspdoku.web.handout import handout

sync_api = pytest.importorskip("playwright.sync_api", reason="needs aspdoku[browser]")
LONG = 120_000  # milliseconds: these tests run on busy machines, too
HOST = "http://127.0.0.1:9"  # answered by the tests; nothing listens there
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; style-src 'self';"
    " img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'"
)
TYPES = {"js": "text/javascript", "css": "text/css", "gz": "application/gzip"}
KNIGHT = "example:anti-knight"
SMALL = "1... ..3. .4.. 2..."


class Window:
    """A window with a page, and what it is about."""

    def __init__(self, page):
        self.page = page
        page.set_default_timeout(LONG)
        sync_api.expect.set_options(timeout=LONG)
        self.errors = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: said.type == "error" and self.errors.append(said.text))

    def expect(self, selector, text):
        sync_api.expect(self.page.locator(selector)).to_contain_text(text)

    def verdict(self, text):
        self.expect(".verdict", text)

    def switch(self, name):
        self.page.get_by_role("switch", name=name, exact=True).click()

    def press(self, name, **more):
        self.page.get_by_role("button", name=name, **more).click()

    def more(self, name, role="button"):
        """Press a button or a switch of the drawer."""
        self.press("More", exact=True)
        self.page.get_by_role(role, name=name).click()
        if role == "switch":
            self.page.get_by_role("dialog").get_by_role("button", name="Close").click()

    def hook(self, brick, atom):
        """Take a hook in the text of a brick."""
        self.page.locator(f"[data-name={brick}] .name").click()
        self.page.locator("aspdoku-slide .slide-hook", has_text=f"not {atom}").first.click()

    def write(self, text):
        """Write a rule in the editor, which is opened."""
        editor = self.page.get_by_role("textbox", name="Text of your rule")
        if not editor.is_visible():
            self.more("Write a brick")
        editor.fill(text)
        return editor

    def guess(self):
        self.more("Guess the rule")
        return self.page.get_by_role("dialog", name="Guess the rule")

    def load(self, name):
        self.page.get_by_title("Open another puzzle").click()
        self.page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()

    def tag(self, atom):
        sync_api.expect(self.page.locator(f".tag[data-atom='{atom}']")).to_be_visible()

    def cell(self, row, column):
        return self.page.get_by_role("gridcell", name=f"row {row}, column {column}:")

    def ground(self):
        return self.page.locator(".ground-rules").inner_text()


def opening(browser, tmp_path):
    """A function that opens a page: a handout from its file, the live page from a host that these
    tests answer. Afterwards, no page has had an error.
    """
    windows = []

    def opened(
        source,
        *,
        live=False,
        answers=None,
        width=1280,
        height=800,
        scheme="light",
        touch=False,
        **state,
    ):
        program = aspdoku.compose(source, **state)
        size = {"width": width, "height": height}
        context = browser.new_context(viewport=size, color_scheme=scheme, has_touch=touch)
        window = Window(context.new_page())
        windows.append((context, window))
        if not live:
            file = tmp_path / "handout.html"
            file.write_text(handout(program), "utf-8")
            window.page.route("http*://**", lambda route: pytest.fail(f"loads {route.request.url}"))
            window.page.goto(file.as_uri())
            return window
        html = pages.live_page(program, server=answers is not None, token="secret")
        known = {"check": lambda _: {"findings": []}} | (answers or {})

        def answer(route):
            path = urlsplit(route.request.url).path
            headers = {"Content-Security-Policy": POLICY}
            if path == "/ask":
                assert route.request.headers["x-aspdoku-token"] == "secret"
                question = route.request.post_data_json
                route.fulfill(json=known[question["kind"]](question))
            elif path.startswith("/static/"):
                name = path.removeprefix("/static/")
                kind = TYPES[name.rpartition(".")[2]]
                route.fulfill(body=pages.static(name), content_type=kind, headers=headers)
            else:
                route.fulfill(body=html, content_type="text/html; charset=utf-8", headers=headers)

        context.route(f"{HOST}/**", answer)
        window.page.goto(HOST)
        return window

    yield opened
    for context, window in windows:
        assert window.errors == []
        with suppress(sync_api.Error):
            context.close()
