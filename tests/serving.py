"""`aspdoku serve` as a process, and requests to it."""

import http.client
import json
import re
import signal
import subprocess
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec

import pytest
from cli.cli_runner import COMMAND, SOON, environment

WITHOUT_FLASK = not (find_spec("flask") and find_spec("waitress"))
needs_flask = pytest.mark.skipif(WITHOUT_FLASK, reason="Flask or waitress is not installed")


@contextmanager
def served(*arguments):
    """A running server: its process, its port and its token."""
    process = subprocess.Popen(
        [*COMMAND, "serve", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        text=True,
        # A shell that runs the tests in the background ignores it, and its processes inherit that.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    try:
        line = process.stdout.readline()
        port, token = re.search(r":(\d+)/(?:\?token=|  join code: )(\S+)$", line.strip()).groups()
        yield process, int(port), token
    finally:
        process.kill()
        process.communicate()


def request(port, method, path, body=None, **headers):
    """The status and the body of the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=3 * SOON)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def ask(port, token, **question):
    """The status and the content of the answer to a question."""
    body = json.dumps(question)
    headers = {"Content-Type": "application/json", "X-Aspdoku-Token": token}
    status, text = request(port, "POST", "/ask", body, **headers)
    return status, json.loads(text)
