"""The server of `aspdoku lsp`, in the Language Server Protocol.

Each answer is computed in a child process with limits, as calls of `aspdoku mcp` are; the next
change of the file cancels it. Nothing is written but copies of open files in a temporary folder.
https://microsoft.github.io/language-server-protocol/
"""

from __future__ import annotations

import asyncio
import logging
import threading
from base64 import b64encode
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument

from aspdoku import __version__
from aspdoku.editor import searches, words
from aspdoku.editor.document import CHECKED, Document, Place
from aspdoku.errors import AspdokuError
from aspdoku.program import library
from aspdoku.runtime.child import Aborted, Limits
from aspdoku.web.questions import answered, seconds_within

SHOW = "aspdoku.show"
"""The command of a lens, which shows the text that is its argument."""

# Searches, and answers without one, at the same time: a slow search delays no completion.
_SEARCHING, _READING = 3, 2
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "unreadable": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
_KINDS = {
    "predicate": types.CompletionItemKind.Function,
    "variable": types.CompletionItemKind.Variable,
    "constant": types.CompletionItemKind.Constant,
    "rule": types.CompletionItemKind.Module,
    "key": types.CompletionItemKind.Keyword,
}


class _Files:
    """The open files, what is computed about them, and their latest findings."""

    def __init__(
        self, server: LanguageServer, run: Callable[..., Any], limits: Limits, folder: str
    ) -> None:
        self._server, self._run, self._limits, self._folder = server, run, limits, folder
        self._searching = asyncio.Semaphore(_SEARCHING)
        self._reading = asyncio.Semaphore(_READING)
        self._working: dict[str, set[threading.Event]] = defaultdict(set)
        self._checks: set[asyncio.Task[None]] = set()
        self._opened: dict[str, str] = {}  # the addresses as the client writes them, by path
        self.found: dict[str, list[searches.Finding]] = {}
        self.pictures = False

    def text(self, uri: str) -> TextDocument:
        """An open file, or one on the disk. Raises JsonRpcException if it cannot be read."""
        text = self._server.workspace.get_text_document(uri)
        try:
            text.source  # noqa: B018 - it is read now
        except (OSError, UnicodeDecodeError) as error:
            raise _failed(f"{text.filename} is not open and cannot be read: {error}") from None
        return text

    def document(self, uri: str) -> Document:
        """A file, with those next to it that are open."""
        opened, path = self.text(uri), self._path(uri)
        suffix = path.suffix or (".lp" if opened.language_id in ("asp", "clingo", "lp") else ".txt")
        near = self._next_to(path, suffix)
        texts = {each: self.text(other).source for each, other in near.items()}
        return Document(str(path), suffix, texts | {suffix: opened.source})

    def _path(self, uri: str) -> Path:
        text = self._server.workspace.get_text_document(uri)
        return Path(to_fs_path(uri) or text.filename or "untitled.lp")

    def _next_to(self, path: Path, suffix: str) -> dict[str, str]:
        """The open files that are checked with a file, by suffix."""
        if suffix not in CHECKED:
            return {}
        near = {each: str(path.with_suffix(each)) for each in CHECKED if each != suffix}
        return {each: self._opened[file] for each, file in near.items() if file in self._opened}

    async def read(self, uri: str, question: Callable[..., Any], *arguments: object) -> Any:
        """The answer to a question about a file that needs no search. Raises JsonRpcException, or
        CancelledError if the file changes first.
        """
        return await self._asked(uri, self._reading, question, *arguments)

    async def search(self, uri: str, question: Callable[..., Any], *arguments: object) -> Any:
        """As `read`, with seconds as the last argument."""
        return await self._asked(uri, self._searching, question, *arguments, self._seconds)

    async def _asked(self, uri: str, *asked: Any) -> Any:
        try:
            return await self._answer(uri, self.document(uri), *asked)
        except AspdokuError as error:
            raise _failed(error.on_command_line) from None

    async def _answer(
        self,
        key: str,
        document: Document,
        places: asyncio.Semaphore,
        question: Callable[..., Any],
        *arguments: object,
    ) -> Any:
        gone = threading.Event()
        self._working[key].add(gone)
        try:
            async with places:
                if gone.is_set():
                    raise asyncio.CancelledError
                asked = partial(self._run, self._limits, question, document, *arguments)
                value = await asyncio.to_thread(asked, is_cancelled=gone.is_set)
        finally:
            gone.set()
            self._working[key].discard(gone)
        if isinstance(value, Aborted) and value.limit == "cancelled":
            raise asyncio.CancelledError
        return answered(value)

    @property
    def _seconds(self) -> float:
        """The seconds for a search."""
        return seconds_within(self._limits)

    def end(self) -> None:
        """End all that is computed."""
        for key in [*self._working]:
            self._cancel(key)

    def _cancel(self, key: str) -> None:
        for gone in self._working.pop(key, ()):
            gone.set()

    def changed(self, uri: str) -> None:
        """Check a file that has another text than before, with those next to it."""
        self._opened[str(self._path(uri))] = uri
        self._cancel(uri)
        self._start(uri)

    def closed(self, uri: str) -> None:
        """Forget a file. Those next to it are checked with the one that is saved."""
        path = self._path(uri)
        self._cancel(uri)
        self._cancel(_checked_as(path))
        self._opened.pop(str(path), None)
        self.found.pop(uri, None)
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))
        for near in [*self._next_to(path, path.suffix).values()][:1]:
            self._start(near)

    def _start(self, uri: str) -> None:
        if not _is_of_program(uri):
            task = asyncio.get_running_loop().create_task(self._check(uri))
            self._checks.add(task)
            task.add_done_callback(self._checks.discard)

    async def _check(self, uri: str) -> None:
        """Publish the findings, first those that are found at once."""
        if not self._is_open(uri):
            return
        document = self.document(uri)
        path = Path(document.path)
        self._cancel(_checked_as(path))
        opened = {**self._next_to(path, document.suffix), document.suffix: uri}
        for each in opened.values():
            self.found.pop(each, None)
        parts = [
            asyncio.create_task(self._findings(document, places, seconds))
            for places, seconds in ((self._reading, 0.0), (self._searching, self._seconds))
        ]
        for part in parts:
            found = await part
            if all(map(self._is_open, opened.values())) and self.document(uri) == document:
                for suffix, each in opened.items():
                    self._publish(each, [one for one in found if one.suffix == suffix])

    def _is_open(self, uri: str) -> bool:
        return uri in self._opened.values()

    async def _findings(
        self, document: Document, places: asyncio.Semaphore, seconds: float
    ) -> list[searches.Finding]:
        key = _checked_as(Path(document.path))
        with TemporaryDirectory(dir=self._folder) as folder:
            try:
                found = await self._answer(
                    key, document, places, searches.findings, folder, seconds
                )
            except AspdokuError as error:
                text = f"not checked: {error}"
                return [searches.Finding(document.suffix, Place(0, 0), "warning", text, ())]
        return found  # type: ignore[no-any-return]

    def _publish(self, uri: str, found: list[searches.Finding]) -> None:
        text = self.text(uri)
        self.found[uri] = found
        shown = [
            types.Diagnostic(
                _range(text, each.place),
                each.text,
                severity=_SEVERITIES[each.severity],
                source="aspdoku",
            )
            for each in found
        ]
        self._server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, shown, text.version)
        )


def _checked_as(path: Path) -> str:
    """The name under which a file is checked, the same for those next to it."""
    return str(path.with_suffix("") if path.suffix in CHECKED else path)


def _failed(reason: str) -> JsonRpcException:
    return JsonRpcException(reason, types.LSPErrorCodes.RequestFailed)


def _is_of_program(uri: str) -> bool:
    """Whether a file is one of the program that are no rules, such as the base."""
    path, root = Path(to_fs_path(uri) or ""), library.data_dir()
    return path.is_relative_to(root) and path.parent.name not in ("elaborations", "slides")


def _lines(text: TextDocument) -> list[str]:
    """The lines as clients count them: other signs that end a line in Unicode do not."""
    return text.source.split("\n")


def _position(text: TextDocument, offset: int) -> types.Position:
    line = text.source.count("\n", 0, offset)
    begin = text.source.rfind("\n", 0, offset) + 1
    position = types.Position(line, offset - begin)
    return text.position_codec.position_to_client_units(_lines(text), position)


def _range(text: TextDocument, place: Place) -> types.Range:
    return types.Range(_position(text, place.start), _position(text, place.end))


def _edit(text: TextDocument, offset: int, old: str, new: str) -> types.TextEdit:
    return types.TextEdit(_range(text, Place(offset, offset + len(old))), new)


def _offset(text: TextDocument, position: types.Position) -> int:
    lines = _lines(text)
    line = min(position.line, len(lines) - 1)
    # A character behind the end of its line is that end.
    last = text.position_codec.client_num_units(lines[line])
    within = types.Position(line, min(position.character, last))
    at = text.position_codec.position_from_client_units(lines, within)
    return sum(len(each) + 1 for each in lines[:line]) + at.character


def _markdown(shown: searches.Shown, pictures: bool) -> str:
    text = f"```text\n{shown.text}\n```"
    if shown.svg and pictures:
        data = b64encode(shown.svg.encode()).decode()
        text += f"\n\n![the grid](data:image/svg+xml;base64,{data})"
    return text


class _Server(LanguageServer):
    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log an error: to send a client that has gone a message is another error."""
        logging.getLogger(__name__).error("%s", error)


def server(run: Callable[..., Any], limits: Limits, folder: str) -> LanguageServer:
    """The server.

    run: starts the child process of an answer, `run_limited` or that of a `fork_server`
    limits: of each answer
    folder: for copies of open files
    """
    # pygls ends lines at more signs than clients do, which matters in changes of a part.
    served = _Server("aspdoku", __version__, types.TextDocumentSyncKind.Full)
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_unexpected)
    files = _Files(served, run, limits, folder)

    @served.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        options = params.initialization_options
        files.pictures = isinstance(options, dict) and options.get("pictures") is True

    @served.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        files.changed(params.text_document.uri)

    @served.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        files.changed(params.text_document.uri)

    @served.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: types.DidCloseTextDocumentParams) -> None:
        files.closed(params.text_document.uri)

    @served.feature(types.EXIT)
    def ended(*_: object) -> None:
        files.end()
        served.protocol.writer = None  # what is still asked has no answer

    @served.feature(
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionOptions(trigger_characters=["(", "{", "[", ":"]),
    )
    async def complete(params: types.CompletionParams) -> list[types.CompletionItem]:
        uri = params.text_document.uri
        text = files.text(uri)
        place, found = await files.read(uri, words.completions, _offset(text, params.position))
        where = _range(text, place)
        return [
            types.CompletionItem(
                each.label,
                kind=_KINDS[each.kind],
                detail=each.detail or None,
                text_edit=types.TextEdit(where, each.written),
                additional_text_edits=[
                    _edit(text, offset, "", new) for offset, new in [each.declaration]
                ]
                if each.declaration
                else None,
            )
            for each in found
        ]

    @served.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        uri = params.text_document.uri
        text = files.text(uri)
        offset = _offset(text, params.position)
        # One process, whose start takes as long as a part of the search.
        searching = searches.may_search(text.source, offset)
        try:
            if searching:
                found = await files.search(uri, searches.hover, offset)
            else:
                found = await files.read(uri, words.hover, offset)
        except JsonRpcException as error:
            found = searches.Shown(error.message)
        if not found:
            return None
        if isinstance(found, searches.Shown):
            markdown, where = _markdown(found, files.pictures), None
        else:
            markdown, where = found[1], _range(text, found[0])
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, markdown), where)

    @served.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def define(params: types.DefinitionParams) -> list[types.Location]:
        uri = params.text_document.uri
        text = files.text(uri)
        places = await files.read(uri, words.definition, _offset(text, params.position))
        found = []
        for each in places:
            other = from_fs_path(each.path) if each.path else uri
            if other:
                found.append(types.Location(other, _range(files.text(other), each)))
        return found

    @served.feature(types.TEXT_DOCUMENT_RENAME)
    async def rename(params: types.RenameParams) -> types.WorkspaceEdit:
        uri, new = params.text_document.uri, params.new_name
        text = files.text(uri)
        places = await files.read(uri, words.rename, _offset(text, params.position), new)
        return types.WorkspaceEdit(
            {uri: [types.TextEdit(_range(text, each), new) for each in places]}
        )

    @served.feature(types.TEXT_DOCUMENT_FORMATTING)
    async def format_(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        uri = params.text_document.uri
        text = files.text(uri)
        new = await files.read(uri, words.formatting)
        old = text.source
        return [_edit(text, 0, old, new)] if new not in (None, old) else []

    @served.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    )
    def act(params: types.CodeActionParams) -> list[types.CodeAction]:
        uri = params.text_document.uri
        text = files.text(uri)
        begin, end = (_offset(text, each) for each in (params.range.start, params.range.end))
        return [
            types.CodeAction(
                _title(old, new),
                kind=types.CodeActionKind.QuickFix,
                edit=types.WorkspaceEdit({uri: [_edit(text, offset, old, new)]}),
            )
            for each in files.found.get(uri, ())
            if each.place.start <= end and each.place.end >= begin
            for offset, old, new in each.remedies
        ]

    @served.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions())
    async def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        uri = params.text_document.uri
        text = files.text(uri)
        found = await files.search(uri, searches.lenses)
        return [
            types.CodeLens(
                _range(text, each.place),
                types.Command(each.title, SHOW if each.shown else "", arguments=[each.shown]),
            )
            for each in found
        ]

    @served.command(SHOW)
    def show(text: str) -> str:
        served.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))
        return text

    return served


def _is_unexpected(record: logging.LogRecord) -> bool:
    """Whether a record is about anything but an error that is the answer."""
    return not (record.exc_info and type(record.exc_info[1]) is JsonRpcException)


def _title(old: str, new: str) -> str:
    new = new.strip()
    if not old:
        return f"Insert {new}"
    return f"Replace {old} by {new}" if new else f"Remove {old}"
