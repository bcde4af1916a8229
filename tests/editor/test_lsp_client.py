"""A session with a client that others wrote, pytest-lsp: it checks that each answer is one that the
protocol allows, and that the client can show.
"""

import sys

import pytest

pytest.importorskip("pygls", reason="pygls is not installed")
pytest.importorskip("pytest_lsp", reason="pytest-lsp is not installed")

import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

RULE = """% Cells a knight's move apart differ.

% against: anti-knight
%@ {R},{C} and {R1},{C1} are equal
:- a(R,C,N), a(R1,C1,N), (R-R1)**2 + (C-C1)**2 = 5, par(R,C,0), not ab(mine).
"""
LAST = RULE.splitlines()[-1]


def changed(text, edits):
    """The text after edits, none of which is about two lines."""
    lines = text.split("\n")
    for each in sorted(edits, key=lambda each: each.range.start, reverse=True):
        start, end = each.range.start, each.range.end
        assert start.line == end.line
        line = lines[start.line]
        lines[start.line] = line[: start.character] + each.new_text + line[end.character :]
    return "\n".join(lines)


async def findings(client, uri, some=True):
    """The findings of a file, when there are some, or none any more."""
    while bool(client.diagnostics.get(uri)) != some:
        await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return client.diagnostics[uri]


def opened(client, folder):
    """The file with the rule in a client, and its address."""
    uri = (folder / "mine.lp").as_uri()
    item = types.TextDocumentItem(uri, "asp", 1, RULE)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    return types.TextDocumentIdentifier(uri), uri


def type_(client, uri, version, text):
    """Replace the whole text."""
    document = types.VersionedTextDocumentIdentifier(version, uri)
    change = types.TextDocumentContentChangeWholeDocument(text)
    client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))


@pytest_lsp.fixture(
    params=["emacs", "neovim", "visual_studio_code"],
    config=ClientServerConfig(server_command=[sys.executable, "-m", "aspdoku", "lsp"]),
)
async def client(request, lsp_client: LanguageClient):
    known = client_capabilities(request.param)
    await lsp_client.initialize_session(types.InitializeParams(capabilities=known))
    yield
    await lsp_client.shutdown_session()


@pytest.mark.slow
@pytest.mark.asyncio
async def test_a_rule_is_mended_and_compared(client, tmp_path):
    document, uri = opened(client, tmp_path)
    (finding,) = await findings(client, uri)
    assert (finding.severity, finding.source) == (types.DiagnosticSeverity.Error, "aspdoku")
    assert LAST[finding.range.start.character : finding.range.end.character] == "par"

    context = types.CodeActionContext([finding])
    (action,) = await client.text_document_code_action_async(
        types.CodeActionParams(document, finding.range, context)
    )
    mended = changed(RULE, action.edit.changes[uri])
    assert mended.index("#defined par/3.\n%@") < mended.index(LAST)
    type_(client, uri, 2, mended)
    assert await findings(client, uri, some=False) == ()

    type_(client, uri, 3, RULE.replace("par(R,C,0)", "N > 1"))
    lens, count = await client.text_document_code_lens_async(types.CodeLensParams(document))
    assert lens.command.title == "too lax at 6x6: show"
    assert count.command.title.startswith("removes ")
    hover = await client.text_document_hover_async(
        types.HoverParams(document, types.Position(2, 4))
    )
    assert lens.command.arguments[0] in hover.contents.value


@pytest.mark.slow
@pytest.mark.asyncio
async def test_what_a_place_means(client, tmp_path):
    document, uri = opened(client, tmp_path)
    at = types.Position(4, LAST.index("a(R1") + 1)
    completed = await client.text_document_completion_async(types.CompletionParams(document, at))
    assert {"a", "cell", "number"} <= {each.label for each in completed}
    hover = await client.text_document_hover_async(types.HoverParams(document, at))
    assert "a(R,C,N): the cell in row R, column C holds N" in hover.contents.value
    (place, *_) = await client.text_document_definition_async(types.DefinitionParams(document, at))
    assert place.uri.endswith("/base.lp")
    renamed = await client.text_document_rename_async(
        types.RenameParams(document, types.Position(4, LAST.index("R")), "Row")
    )
    new = changed(RULE, renamed.changes[uri])
    assert new == RULE.replace("{R}", "{Row}").replace("(R,", "(Row,").replace("(R-", "(Row-")
    tabs = types.FormattingOptions(tab_size=4, insert_spaces=True)
    assert (
        await client.text_document_formatting_async(types.DocumentFormattingParams(document, tabs))
        == ()
    )
