"""Windows of Chromium with a lesson, for tests: from a host that the tests answer, or from one file."""

import base64
import hashlib
import html
import json
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from live_window import HOST, LONG, POLICY, TYPES

from aspdoku.web import page as pages

sync_api = pytest.importorskip("playwright.sync_api", reason="needs aspdoku[browser]")
STYLES = {"lesson": ("aspdoku.css", "slide.css", "lesson.css"), "sheet": ("aspdoku.css", "sheet.css")}
HEAD = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'


def body(kind, data):
    text = json.dumps(data).replace("<", "\\u003c")
    script = f'<script type="application/json">{text}</script>'
    return f"<main><aspdoku-{kind}>{script}</aspdoku-{kind}></main>"


def page_of_host(kind, data):
    links = "".join(f'<link rel="stylesheet" href="/static/{name}">' for name in STYLES[kind])
    script = f'<script type="module" src="/static/{kind}.js"></script>'
    head = f"{HEAD}<title>{html.escape(data['title'])}</title>{links}"
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body(kind, data)}{script}</body></html>'


def page_of_file(kind, data):
    """The page with its style and scripts, and with a Content-Security-Policy as handouts have it."""
    style = "".join(pages.static(name).decode() for name in STYLES[kind])
    script = pages.script_in_page(f"{kind}.js")

    def digest(text):
        return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    def embedded(name):
        content = pages.static(name)
        text = base64.b64encode(content).decode() if name.endswith(".gz") else content.decode()
        return f'<script type="text/plain" id="{name}">{text}</script>'

    policy = (
        f"default-src 'none'; style-src 'sha256-{digest(style)}'; script-src"
        f" 'sha256-{digest(script)}' 'wasm-unsafe-eval' blob:; worker-src blob:"
    )
    head = (
        f'{HEAD}<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>{html.escape(data['title'])}</title><style>{style}</style>"
    )
    engine = "".join(map(embedded, pages.ENGINE)) if kind == "lesson" else ""
    return (
        f'<!doctype html><html lang="en"><head>{head}</head><body>{body(kind, data)}{engine}'
        f'<script type="module">{script}</script></body></html>'
    )


def opening(browser, tmp_path):
    """A function that opens a page in a context of its own. Afterwards, no page has had an error."""
    contexts, errors = [], []

    def opened(data, address="", *, kind="lesson", is_file=False, width=1280, height=720, **more):
        size = {"width": width, "height": height}
        context = browser.new_context(viewport=size, reduced_motion="reduce", **more)
        contexts.append(context)
        context.set_default_timeout(LONG)
        sync_api.expect.set_options(timeout=LONG)
        context.on("weberror", lambda error: errors.append(str(error.error)))
        context.on("console", lambda said: said.type == "error" and errors.append(said.text))
        page = context.new_page()
        if is_file:
            context.route("http*://**", lambda route: pytest.fail(f"loads {route.request.url}"))
            file = tmp_path / f"{kind}.html"
            file.write_text(page_of_file(kind, data), "utf-8")
            page.goto(file.as_uri() + address)
            return page
        text = page_of_host(kind, data)

        def answer(route):
            path = urlsplit(route.request.url).path
            headers = {"Content-Security-Policy": POLICY}
            if path.startswith("/static/"):
                name = path.removeprefix("/static/")
                of_type = TYPES[name.rpartition(".")[2]]
                route.fulfill(body=pages.static(name), content_type=of_type, headers=headers)
            else:
                route.fulfill(body=text, content_type="text/html; charset=utf-8", headers=headers)

        context.route(f"{HOST}/**", answer)
        page.goto(f"{HOST}/{address}")
        return page

    yield opened
    assert errors == []
    for context in contexts:
        with suppress(sync_api.Error):
            context.close()
