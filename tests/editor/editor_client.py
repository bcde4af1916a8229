"""An editor that speaks the Language Server Protocol with `aspdoku lsp` over its pipes."""

import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from queue import Empty, Queue

LONGEST = 60  # seconds until an answer


class Editor:
    """A started server, the answers by their numbers, and what it has published."""

    def __init__(self, process):
        self.process, self.number = process, 0
        self.messages = Queue()
        self.published, self.shown = [], []
        self.answers, self.versions = {}, {}
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        while header := self.process.stdout.readline():
            while (line := self.process.stdout.readline()).strip():
                header += line
            length = int(header.lower().partition(b"content-length:")[2].split()[0])
            self.messages.put(json.loads(self.process.stdout.read(length)))

    def _send(self, message):
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))
        self.process.stdin.flush()

    def notify(self, method, params):
        self._send({"method": method, "params": params})

    def send(self, method, params):
        """Ask without waiting; the number of the question."""
        self.number += 1
        self._send({"id": self.number, "method": method, "params": params})
        return self.number

    def _take(self):
        message = self.messages.get(timeout=LONGEST)
        if message.get("method") == "textDocument/publishDiagnostics":
            self.published.append(message["params"])
        elif message.get("method") == "window/showMessage":
            self.shown.append(message["params"]["message"])
        elif "method" not in message:
            self.answers[message["id"]] = message

    def wait_for(self, is_there):
        """Read messages until a condition holds."""
        while not (found := is_there()):
            try:
                self._take()
            except Empty:
                raise AssertionError(f"no answer within {LONGEST} s") from None
        return found

    def answer(self, number):
        """The answer to a question, with its error, if it is one."""
        return self.wait_for(lambda: self.answers.get(number))

    def ask(self, method, params):
        message = self.answer(self.send(method, params))
        assert "error" not in message, message
        return message["result"]

    def open(self, uri, text, language="asp"):
        self.published = [each for each in self.published if each["uri"] != uri]
        self.versions[uri] = 1
        document = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def type(self, uri, text):
        """Replace the whole text."""
        self.versions[uri] += 1
        document = {"uri": uri, "version": self.versions[uri]}
        change = {"textDocument": document, "contentChanges": [{"text": text}]}
        self.notify("textDocument/didChange", change)

    def findings(self, uri, times=2):
        """The findings of this version: the second ones are complete."""

        def published():
            known = [each for each in self.published if each["uri"] == uri]
            known = [each for each in known if each.get("version") == self.versions[uri]]
            return known if len(known) >= times else None

        return self.wait_for(published)[times - 1]["diagnostics"]

    def at(self, method, uri, line, character, **more):
        """Ask about a place."""
        place = {"line": line, "character": character}
        params = {"textDocument": {"uri": uri}, "position": place, **more}
        return self.ask(f"textDocument/{method}", params)


def started(*arguments, stderr=None):
    """The process of a server."""
    command = [sys.executable, "-m", "aspdoku", "lsp", *arguments]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        # A background job ignores it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


@contextmanager
def editor(*arguments, pictures=False, encodings=("utf-16",)):
    """A server that is ended as the protocol says."""
    with started(*arguments) as process:
        client = Editor(process)
        general = {"positionEncodings": list(encodings)}
        options = {"pictures": pictures}
        client.capabilities = client.ask(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": None,
                "capabilities": {"general": general},
                "initializationOptions": options,
            },
        )["capabilities"]
        client.notify("initialized", {})
        try:
            yield client
            client.ask("shutdown", None)
            client.notify("exit", None)
            client.status = process.wait(LONGEST)
        finally:
            # A pipe is not closed while a thread reads it: after a failure, to leave would wait.
            process.kill()
