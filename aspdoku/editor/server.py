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
from collections.abc import Callable, Iterable
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
from aspdoku.editor.document import RULE_FILES, Document, Place
from aspdoku.errors import AspdokuError
from aspdoku.program import library
from aspdoku.runtime.child import Aborted, Limits
from aspdoku.web.questions import answered, seconds_within

SHOW = "aspdoku.show"
"""The command of a lens, which shows the text that is its argument."""

# Answers that are computed at the same time.
_RUNNING = 3
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
        self._places = asyncio.Semaphore(_RUNNING)
        self._working: dict[str, set[threading.Event]] = defaultdict(set)
        self._checks: set[asyncio.Task[None]] = set()
        self.found: dict[str, list[searches.Finding]] = {}
        self.pictures = False

    def text(self, uri: str) -> TextDocument:
        """An open file, or one on the disk."""
        return self._server.workspace.get_text_document(uri)

    def document(self, uri: str) -> Document:
        """An open file, with those next to it that are open."""
        opened = self.text(uri)
        path = Path(to_fs_path(uri) or opened.filename or "untitled.lp")
        suffix = path.suffix or (".lp" if opened.language_id in ("asp", "clingo", "lp") else ".txt")
        texts = {suffix: opened.source}
        for other in RULE_FILES if suffix in RULE_FILES else ():
            near = from_fs_path(str(path.with_suffix(other)))
            if near in self._server.workspace.text_documents:
                texts.setdefault(other, self.text(near).source)
        return Document(str(path), suffix, texts)

    async def ask(self, uri: str, question: Callable[..., Any], *arguments: object) -> Any:
        """The answer to a question about a file. Raises JsonRpcException, or CancelledError if the
        file changes first.
        """
        try:
            return await self._answer(uri, question, *arguments)
        except AspdokuError as error:
            raise JsonRpcException(str(error), types.LSPErrorCodes.RequestFailed) from None

    async def _answer(self, uri: str, question: Callable[..., Any], *arguments: object) -> Any:
        gone = threading.Event()
        self._working[uri].add(gone)
        try:
            async with self._places:
                if gone.is_set():
                    raise asyncio.CancelledError
                asked = partial(self._run, self._limits, question, self.document(uri), *arguments)
                value = await asyncio.to_thread(asked, is_cancelled=gone.is_set)
        finally:
            gone.set()
            self._working[uri].discard(gone)
        if isinstance(value, Aborted) and value.limit == "cancelled":
            raise asyncio.CancelledError
        return answered(value)

    @property
    def seconds(self) -> float:
        """The seconds for a search."""
        return seconds_within(self._limits)

    def cancel(self, uri: str) -> None:
        """End what is computed about a file."""
        for gone in self._working.pop(uri, ()):
            gone.set()

    def changed(self, uri: str) -> None:
        """Check a file that has another text than before."""
        self.cancel(uri)
        self.found.pop(uri, None)
        if not _is_of_program(uri):
            task = asyncio.get_running_loop().create_task(self._check(uri))
            self._checks.add(task)
            task.add_done_callback(self._checks.discard)

    async def _check(self, uri: str) -> None:
        """Publish the findings, first those that are found at once."""
        version = self.text(uri).version
        parts = [asyncio.create_task(self._findings(uri, each)) for each in (0, self.seconds)]
        for part in parts:
            found = await part
            if self.text(uri).version == version:
                self.found[uri] = found
                self._publish(uri, version, found)

    async def _findings(self, uri: str, seconds: float) -> list[searches.Finding]:
        with TemporaryDirectory(dir=self._folder) as folder:
            try:
                found = await self._answer(uri, searches.findings, folder, seconds)
            except AspdokuError as error:
                text = f"not checked: {error}"
                return [searches.Finding("", Place(0, 0), "warning", text, ())]
        return found  # type: ignore[no-any-return]

    def _publish(self, uri: str, version: int | None, found: Iterable[searches.Finding]) -> None:
        document = self.document(uri)
        for suffix in {document.suffix, *(each.suffix for each in found if each.suffix)}:
            own = suffix == document.suffix
            near = uri if own else from_fs_path(str(Path(document.path).with_suffix(suffix)))
            if near is None or not (own or near in self._server.workspace.text_documents):
                continue  # it is not open
            text = self.text(near)
            shown = [
                types.Diagnostic(
                    _range(text, each.place),
                    each.text,
                    severity=_SEVERITIES[each.severity],
                    source="aspdoku",
                )
                for each in found
                if each.suffix == suffix or (own and not each.suffix)
            ]
            self._server.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(near, shown, version if own else None)
            )


def _is_of_program(uri: str) -> bool:
    """Whether a file is one of the program that are no rules, such as the base."""
    path, root = Path(to_fs_path(uri) or ""), library.data_dir()
    return path.is_relative_to(root) and path.parent.name not in ("elaborations", "slides")


def _position(text: TextDocument, offset: int) -> types.Position:
    line = text.source.count("\n", 0, offset)
    begin = text.source.rfind("\n", 0, offset) + 1
    position = types.Position(line, offset - begin)
    return text.position_codec.position_to_client_units(text.lines, position)


def _range(text: TextDocument, place: Place) -> types.Range:
    return types.Range(_position(text, place.start), _position(text, place.end))


def _edit(text: TextDocument, offset: int, old: str, new: str) -> types.TextEdit:
    return types.TextEdit(_range(text, Place(offset, offset + len(old))), new)


def _offset(text: TextDocument, position: types.Position) -> int:
    at = text.position_codec.position_from_client_units(text.lines, position)
    lines = text.source.split("\n")
    return sum(len(each) + 1 for each in lines[: at.line]) + at.character


def _markdown(shown: searches.Shown, pictures: bool) -> str:
    text = f"```text\n{shown.text}\n```"
    if shown.svg and pictures:
        data = b64encode(shown.svg.encode()).decode()
        text += f"\n\n![the grid](data:image/svg+xml;base64,{data})"
    return text


def server(run: Callable[..., Any], limits: Limits, folder: str) -> LanguageServer:
    """The server.

    run: starts the child process of an answer, `run_limited` or that of a `fork_server`
    limits: of each answer
    folder: for copies of open files
    """
    served = LanguageServer("aspdoku", __version__)
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
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        files.cancel(params.text_document.uri)
        served.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(params.text_document.uri, [])
        )

    @served.feature(
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionOptions(trigger_characters=["(", "{", "[", ":"]),
    )
    async def complete(params: types.CompletionParams) -> list[types.CompletionItem]:
        uri = params.text_document.uri
        text = files.text(uri)
        found = await files.ask(uri, words.completions, _offset(text, params.position))
        return [
            types.CompletionItem(
                each.label,
                kind=_KINDS[each.kind],
                detail=each.detail or None,
                insert_text=each.written,
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
        try:
            found = await files.ask(uri, searches.hover, offset, files.seconds)
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
        places = await files.ask(uri, words.definition, _offset(text, params.position))
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
        places = await files.ask(uri, words.rename, _offset(text, params.position), new)
        return types.WorkspaceEdit(
            {uri: [types.TextEdit(_range(text, each), new) for each in places]}
        )

    @served.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    )
    def act(params: types.CodeActionParams) -> list[types.CodeAction]:
        uri = params.text_document.uri
        text, suffix = files.text(uri), files.document(uri).suffix
        begin, end = (_offset(text, each) for each in (params.range.start, params.range.end))
        return [
            types.CodeAction(
                _title(old, new),
                kind=types.CodeActionKind.QuickFix,
                edit=types.WorkspaceEdit({uri: [_edit(text, offset, old, new)]}),
            )
            for each in files.found.get(uri, ())
            if each.suffix == suffix and each.place.start <= end and each.place.end >= begin
            for offset, old, new in each.remedies
        ]

    @served.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions())
    async def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        uri = params.text_document.uri
        text = files.text(uri)
        found = await files.ask(uri, searches.lenses, files.seconds)
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
