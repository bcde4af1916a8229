"""Firefox and WebKitGTK, each driven by what comes with it.

Playwright drives no Firefox and no WebKit of a Linux distribution. Firefox speaks Marionette,
commands as JSON over a socket, and WebKitGTK has a WebDriver, the same commands over HTTP.
"""

import json
import os
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest

SECONDS = 120  # for an answer: these tests run on busy machines, too
FIREFOX = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)
WEBKIT = shutil.which("WebKitWebDriver")
DISPLAY = shutil.which("Xvfb")  # WebKitGTK has no mode without a window
ENTER = "\ue007"
# The path of each command of WebDriver in a session; Marionette has the same names.
PATHS = {
    "Navigate": "url",
    "ExecuteScript": "execute/sync",
    "FindElement": "element",
    "SwitchToFrame": "frame",
    "ElementClick": "element/{id}/click",
    "ElementClear": "element/{id}/clear",
    "ElementSendKeys": "element/{id}/value",
}


class Window:
    """A window of a browser.

    command: sends a command of WebDriver with its parameters, and returns its value
    """

    def __init__(self, command):
        self._command = command

    def open(self, address):
        self._command("Navigate", url=address)

    def evaluate(self, expression):
        return self._command("ExecuteScript", script=f"return {expression}", args=[])

    def element(self, selector, using="css selector"):
        return next(iter(self._found(selector, using).values()))

    def _found(self, selector, using="css selector"):
        return self._command("FindElement", using=using, value=selector)

    def enter(self, selector):
        """Go into a frame, also of another origin, as all files of a disk are."""
        self._command("SwitchToFrame", id=self._found(selector))

    def leave(self):
        """Go back to the page around the frames."""
        self._command("SwitchToFrame", id=None)

    def click(self, selector):
        self._command("ElementClick", id=self.element(selector))

    def press(self, button):
        self._command("ElementClick", id=self.element(f"//button[.='{button}']", "xpath"))

    def type(self, selector, text):
        keys = text.replace("\n", ENTER)
        self._command("ElementSendKeys", id=self.element(selector), text=keys)

    def clear(self, selector):
        self._command("ElementClear", id=self.element(selector))

    def text(self, selector):
        return self.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText") or ""

    def wait(self, condition):
        """Wait until an expression is true."""
        wait(lambda: self.evaluate(condition), lambda: condition)

    def expect(self, selector, text):
        """Wait until an element contains a text."""
        wait(lambda: text in self.text(selector), lambda: f"{text!r} in {self.text(selector)!r}")


def wait(condition, description):
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, f"expected {description()}"
        time.sleep(0.05)


@contextmanager
def firefox(folder):
    """A window of Firefox, with a profile in this folder."""
    (folder / "user.js").write_text('user_pref("marionette.port", 0);\n')
    port = folder / "MarionetteActivePort"
    command = [FIREFOX, "--headless", "--marionette", "--no-remote", "--profile", str(folder)]
    with running(command):
        wait(lambda: port.exists() and port.read_text(), lambda: "a port of Firefox")
        with socket.create_connection(("127.0.0.1", int(port.read_text())), SECONDS) as connection:
            channel = connection.makefile("rwb")
            received(channel)  # a greeting

            def command(name, **parameters):
                message = json.dumps([0, 1, f"WebDriver:{name}", parameters]).encode()
                channel.write(b"%d:%b" % (len(message), message))
                channel.flush()
                _, _, error, found = received(channel)
                assert not error, error
                return found.get("value")

            command("NewSession")
            yield Window(command)


def received(channel):
    """A message of Marionette: its length in bytes, a colon, JSON."""
    length = b"".join(iter(lambda: channel.read(1), b":"))
    return json.loads(channel.read(int(length)))


@contextmanager
def webkit(_):
    """A window of WebKitGTK."""
    with running([DISPLAY, "-displayfd", "1", "-nolisten", "tcp"], stdout=subprocess.PIPE) as shown:
        display = f":{shown.stdout.readline().decode().strip()}"
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        # Its sandbox needs rights that a container does not have.
        more = {"DISPLAY": display, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
        with running([WEBKIT, f"--port={port}"], env=os.environ | more):
            address = f"http://127.0.0.1:{port}"
            wait(lambda: is_ready(address), lambda: "an answer of WebKitWebDriver")
            session = f"{address}/session"
            identity = asked("POST", session, {"capabilities": {}})["sessionId"]
            session = f"{session}/{identity}"

            def command(name, **parameters):
                path = PATHS[name].format(**parameters)
                return asked("POST", f"{session}/{path}", parameters)

            try:
                yield Window(command)
            finally:
                asked("DELETE", session)


def is_ready(address):
    try:
        return asked("GET", f"{address}/status")["ready"]
    except (URLError, ConnectionError):
        return False


def asked(method, address, content=None):
    body = None if content is None else json.dumps(content).encode()
    request = Request(address, body, {"Content-Type": "application/json"}, method=method)
    try:
        with urlopen(request, timeout=SECONDS) as answer:
            return json.load(answer)["value"]
    except HTTPError as error:
        raise AssertionError(error.read().decode()) from None


@contextmanager
def running(command, stdout=subprocess.DEVNULL, env=None):
    """A process that is ended with the block."""
    with subprocess.Popen(command, stdout=stdout, stderr=subprocess.DEVNULL, env=env) as process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def needs(name, found):
    return pytest.mark.skipif(not found, reason=f"{name} is not installed")


# Each starts a browser, and is skipped where that is not installed.
BROWSERS = [
    pytest.param(firefox, marks=needs("Firefox", FIREFOX), id="Firefox"),
    pytest.param(
        webkit, marks=needs("WebKitWebDriver or Xvfb", WEBKIT and DISPLAY), id="WebKitGTK"
    ),
]
