"""An editor that is none: pytest-lsp's client with what real editors declared, on one `telltale lsp` a test."""

import asyncio
import json
import os
import pathlib
import re

import pytest_asyncio
from lsprotocol import converters
from lsprotocol import types as T
from pytest_lsp import ClientServerConfig, LanguageClient
from pytest_lsp.client import make_test_lsp_client

HERE = pathlib.Path(__file__).parent
DEMO = HERE.parent / "demo"
TELLTALE = os.environ["TELLTALE"]
CONVERTER = converters.get_converter()

RECORDED = sorted(path.stem for path in (HERE / "capabilities").glob("*.json"))


def recorded(name: str) -> dict:
    """What the editor said in `initialize`, without its folders."""
    return json.loads((HERE / "capabilities" / f"{name}.json").read_text("utf-8"))


def expanded(snippet: str) -> tuple[str, str]:
    """What a snippet with one placeholder writes, and which part of it is selected."""
    plain = lambda text: re.sub(r"\\([\\$}])", r"\1", text)
    before, selected, behind = re.fullmatch(
        r"((?:[^\\$]|\\.)*)\$\{1:((?:[^\\}]|\\.)*)\}((?:[^\\]|\\.)*)", snippet, re.DOTALL
    ).groups()
    behind, after = re.split(r"(?<!\\)\$0", behind)
    return plain(before) + plain(selected) + plain(behind) + plain(after), plain(selected)


class Editor:
    """A client, the texts that it has open, and what the server told it."""

    def __init__(self, client: LanguageClient, root: pathlib.Path):
        self.client = client
        self.root = root
        self.texts: dict[str, str] = {}
        self.states: list[str] = []
        self.refreshed = 0
        self.selected: str | None = None
        self.encoding = "utf-16"
        client.set_configuration({"telltale": {}})

        @client.feature("telltale/status")
        def _(params):
            self.states.append(params.state)

        @client.feature(T.WORKSPACE_CODE_LENS_REFRESH)
        def _(*_):
            self.refreshed += 1

        @client.feature(T.WORKSPACE_INLAY_HINT_REFRESH)
        def _(*_):
            pass

        @client.feature(T.CLIENT_REGISTER_CAPABILITY)
        def _(*_):
            pass

        @client.feature(T.WORKSPACE_APPLY_EDIT)
        def _(params: T.ApplyWorkspaceEditParams):
            self.apply(params.edit)
            return T.ApplyWorkspaceEditResult(applied=True)

    async def start(self, capabilities: dict, name: str | None = None) -> T.InitializeResult:
        capabilities.setdefault("experimental", {})["telltaleStatus"] = True
        uri = self.root.as_uri()
        result = await self.client.initialize_session(
            T.InitializeParams(
                capabilities=CONVERTER.structure(capabilities, T.ClientCapabilities),
                client_info=T.ClientInfo(name) if name else None,
                root_uri=uri,
                workspace_folders=[T.WorkspaceFolder(uri, "demo")],
            )
        )
        self.encoding = result.capabilities.position_encoding or "utf-16"
        return result

    async def until(self, done, what: str, seconds: float = 20.0):
        """Waits for `done()`; fails with `what` when it takes too long."""
        for _ in range(int(seconds / 0.02)):
            if found := done():
                return found
            await asyncio.sleep(0.02)
        raise AssertionError(f"not in {seconds} s: {what}; states {self.states}")

    async def ready(self):
        await self.until(lambda: "ready" in self.states, "ready")

    def open(self, path: str, more: str = "") -> str:
        """Opens a file, with more members at the beginning of its class."""
        file = self.root / path
        uri, text = file.as_uri(), file.read_text("utf-8")
        if more:
            at = text.index("{", text.index("class ")) + 1
            text = text[:at] + more + text[at:]
        self.texts[uri] = text
        item = T.TextDocumentItem(uri, "java", 1, text)
        self.client.text_document_did_open(T.DidOpenTextDocumentParams(item))
        return uri

    async def lenses(self, uri: str) -> dict[str, T.CodeLens]:
        """The resolved lenses of a file, by the name that each stands on."""
        document = T.TextDocumentIdentifier(uri)
        lenses = await self.client.text_document_code_lens_async(T.CodeLensParams(document))
        out = {}
        for lens in lenses or []:
            if lens.command is None:
                lens = await self.client.code_lens_resolve_async(lens)
            out[self.slice(uri, lens.range)] = lens
        return out

    async def run(self, command: T.Command):
        """As an editor does that knows nothing of the server's commands."""
        return await self.client.workspace_execute_command_async(
            T.ExecuteCommandParams(command.command, command.arguments)
        )

    async def hints(self, uri: str) -> list[T.InlayHint]:
        lines = self.texts[uri].count("\n") + 1
        whole = T.Range(T.Position(0, 0), T.Position(lines, 0))
        params = T.InlayHintParams(T.TextDocumentIdentifier(uri), whole)
        return await self.client.text_document_inlay_hint_async(params) or []

    async def hover(self, uri: str, before: str, name: str) -> str | None:
        """Hovers over `name` where it stands first behind `before`."""
        at = self.position(uri, self.texts[uri].index(name, self.texts[uri].index(before)))
        params = T.HoverParams(T.TextDocumentIdentifier(uri), at)
        hover = await self.client.text_document_hover_async(params)
        return hover.contents.value if hover else None

    async def actions(self, uri: str, inside: str) -> list[T.CodeAction]:
        at = self.position(uri, self.texts[uri].index(inside))
        params = T.CodeActionParams(
            T.TextDocumentIdentifier(uri), T.Range(at, at), T.CodeActionContext([])
        )
        return await self.client.text_document_code_action_async(params) or []

    # Positions, as the server and we agreed on.

    def _units(self, text: str) -> int:
        match self.encoding:
            case "utf-8":
                return len(text.encode("utf-8"))
            case "utf-32":
                return len(text)
            case _:
                return len(text.encode("utf-16-le")) // 2

    def position(self, uri: str, offset: int) -> T.Position:
        before = self.texts[uri][:offset]
        line = before.count("\n")
        return T.Position(line, self._units(before[before.rfind("\n") + 1 :]))

    def offset(self, uri: str, at: T.Position) -> int:
        lines = self.texts[uri].split("\n")
        start = sum(len(line) + 1 for line in lines[: at.line])
        for column in range(len(lines[at.line]) + 1):
            if self._units(lines[at.line][:column]) == at.character:
                return start + column
        raise AssertionError(f"{at} is no position of {uri}")

    def slice(self, uri: str, range: T.Range) -> str:
        return self.texts[uri][self.offset(uri, range.start) : self.offset(uri, range.end)]

    def apply(self, edit: T.WorkspaceEdit):
        """Changes the texts, and tells the server so."""
        changes = dict(edit.changes or {})
        for document in edit.document_changes or []:
            changes[document.text_document.uri] = document.edits
        for uri, edits in changes.items():
            text = self.texts[uri]
            for e in sorted(edits, key=lambda e: self.offset(uri, e.range.start), reverse=True):
                start, end = self.offset(uri, e.range.start), self.offset(uri, e.range.end)
                if isinstance(e, T.SnippetTextEdit):
                    new, self.selected = expanded(e.snippet.value)
                else:
                    new = e.new_text
                text = text[:start] + new + text[end:]
            self.texts[uri] = text
            self.client.text_document_did_change(
                T.DidChangeTextDocumentParams(
                    T.VersionedTextDocumentIdentifier(version=2, uri=uri),
                    [T.TextDocumentContentChangeWholeDocument(text)],
                )
            )


async def begin(root: pathlib.Path) -> Editor:
    config = ClientServerConfig([TELLTALE, "lsp"], client_factory=make_test_lsp_client)
    return Editor(await config.start(), root)


@pytest_asyncio.fixture
async def editor():
    """An editor on the demo that has not said `initialize` yet."""
    it = await begin(DEMO)
    yield it
    await it.client.shutdown_session()
    await it.client.stop()
