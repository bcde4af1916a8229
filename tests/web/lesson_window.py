"""Windows of Chromium with a lesson, for tests: from a host that they answer, or in one file."""

from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from live_window import HOST, LONG, POLICY, TYPES

from aspdoku.web import page as pages
from aspdoku.web.lesson_page import lesson_page

sync_api = pytest.importorskip("playwright.sync_api", reason="needs aspdoku[browser]")
JOIN = {
    "address": "192.168.1.20:8000",
    "code": "4K7M",
    "qr": {"d": "M0 0h1v1h-1zM2 2h1v1h-1z", "size": 3},
    "wall": "/wall",
}


def opening(browser, tmp_path):
    """A function that opens a lesson in a context of its own. Afterwards, no page has had an error.

    file: makes one file of the data, which is opened from the disk
    script: to run before those of the page
    """
    contexts, errors = [], []

    def opened(data, address="", *, file=None, width=1280, height=720, script="", **more):
        size = {"width": width, "height": height}
        context = browser.new_context(viewport=size, **{"reduced_motion": "reduce"} | more)
        contexts.append(context)
        context.set_default_timeout(LONG)
        sync_api.expect.set_options(timeout=LONG)
        context.on("weberror", lambda error: errors.append(str(error.error)))
        context.on("console", lambda said: said.type == "error" and errors.append(said.text))
        context.add_init_script(script)
        page = context.new_page()
        if file:
            context.route("http*://**", lambda route: pytest.fail(f"loads {route.request.url}"))
            place = tmp_path / "lesson.html"
            place.write_text(file(data), "utf-8")
            page.goto(place.as_uri() + address)
            return page
        text = lesson_page(data, token="secret", join=JOIN)

        def answer(route):
            path = urlsplit(route.request.url).path
            headers = {"Content-Security-Policy": POLICY}
            if path.startswith("/static/"):
                name = path.removeprefix("/static/")
                kind = TYPES[name.rpartition(".")[2]]
                route.fulfill(body=pages.static(name), content_type=kind, headers=headers)
            elif path == "/wall":
                route.fulfill(body="<title>wall</title>", content_type="text/html")
            else:
                route.fulfill(body=text, content_type="text/html; charset=utf-8", headers=headers)

        context.route(f"{HOST}/**", answer)
        page.goto(f"{HOST}/{address}")
        return page

    yield opened
    assert not errors, errors
    for context in contexts:
        with suppress(sync_api.Error):
            context.close()
