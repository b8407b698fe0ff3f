"""What every editor may count on, asked by a client that the project did not write."""

import ast
import json
import os
import pathlib
import subprocess

import pytest
from lsprotocol import types as T

from conftest import DEMO, RECORDED, TELLTALE, begin, recorded

STATS_TEST = "src/test/java/demo/StatsTest.java"
STATS = "src/main/java/demo/Stats.java"


async def vscode(editor):
    await editor.start(recorded("vscode-1.139.1")["capabilities"], "code-server")
    return editor


@pytest.mark.parametrize("name", RECORDED)
async def test_each_recorded_editor_is_served(editor, name):
    said = recorded(name)
    result = await editor.start(said["capabilities"], said.get("clientInfo", {}).get("name"))
    wanted = said["capabilities"].get("general", {}).get("positionEncodings", ["utf-16"])
    assert editor.encoding == wanted[0]
    uri, stats = editor.open(STATS_TEST), editor.open(STATS)
    await editor.ready()

    # Editors that show no lenses still ask for hints or actions; those that ask undeclared get lenses.
    hints = await editor.hints(uri)
    if "codeLens" in said["capabilities"]["textDocument"]:
        assert not hints, "a lens and its twin"
    else:
        assert any("next: length" in h.label for h in hints)
    lenses = await editor.lenses(uri)
    assert lenses["longestRun"].command.title.startswith("next: length")

    declared = result.capabilities.execute_command_provider.commands
    for lens in list(lenses.values()) + list((await editor.lenses(stats)).values()):
        assert lens.command.command in declared
        assert lens.command.title and "still reading" not in lens.command.title

    hover = await editor.hover(stats, "int comparison", "comparison")
    assert hover and "1st of 29" in hover and "reveal a wrong pos or neg" in hover
    formats = said["capabilities"]["textDocument"]["hover"].get("contentFormat", [])
    assert ("**" in hover) == ("markdown" in formats)
    titles = [a.title for a in await editor.actions(uri, "int length")]
    assert titles[0] == "Assert length"


async def test_status_and_progress_begin_and_end(editor):
    await vscode(editor)
    await editor.ready()
    assert editor.states[0] == "starting" and editor.states[-1] == "ready"
    reports = editor.client.progress_reports

    def ended():
        kinds = [[p.kind for p in steps] for steps in reports.values()]
        return kinds if kinds and all(k and k[-1] == "end" for k in kinds) else None

    kinds = await editor.until(ended, "the end of progress")
    assert all(k[0] == "begin" and set(k[1:-1]) <= {"report"} for k in kinds)
    assert not editor.client.messages, "a healthy project needs no message"


async def test_a_lens_inserts_the_assertion_that_it_names(editor):
    await vscode(editor)
    uri = editor.open(STATS_TEST)
    await editor.ready()
    lens = (await editor.lenses(uri))["longestRun"]
    before = editor.texts[uri]
    await editor.run(lens.command)
    await editor.until(lambda: editor.texts[uri] != before, "the edit")
    added = "        assertEquals(Integer.MIN_VALUE, length);\n"
    call = "        int length = Stats.longestRun(List.of(1, 2, 2, 1, 5));\n"
    assert editor.texts[uri] == before.replace(call, call + added)
    assert editor.selected == "Integer.MIN_VALUE", "what is to be filled in"
    # What is asserted now is not offered again.
    after = (await editor.lenses(uri)).get("longestRun")
    assert after is None or "next: length" not in after.command.title


async def test_an_editor_without_snippets_gets_the_text(editor):
    await editor.start(recorded("helix-25.07")["capabilities"], "helix")
    uri = editor.open(STATS_TEST)
    await editor.ready()
    editor.apply((await editor.actions(uri, "int length"))[0].edit)
    assert "        assertEquals(Integer.MIN_VALUE, length);\n" in editor.texts[uri]
    assert editor.selected is None


async def test_the_actions_edit_is_the_lenss(editor):
    await vscode(editor)
    uri = editor.open(STATS_TEST)
    await editor.ready()
    action = (await editor.actions(uri, "int length"))[0]
    editor.apply(action.edit)
    assert "List.of(1, 2, 2, 1, 5));\n        assertEquals(Integer.MIN_VALUE, length);\n" in editor.texts[uri]
    assert not [a for a in await editor.actions(uri, "int length") if a.title == "Assert length"]


async def test_a_call_whose_result_is_dropped_is_not_run_twice(editor):
    await vscode(editor)
    uri = editor.open("src/test/java/demo/OrderBookTest.java")
    await editor.ready()
    lens = (await editor.lenses(uri))["takesTheBestPriceFirst"]
    assert lens.command.title.startswith("next: book.open()")
    before = editor.texts[uri]
    await editor.run(lens.command)
    await editor.until(lambda: editor.texts[uri] != before, "the edit")
    call = "        book.open();\n"
    asserted = "        assertEquals(Integer.MIN_VALUE, book.open());\n"
    assert editor.texts[uri] == before.replace(call, asserted)


# Of `spread` only a part comes out.
STEADY = """
    public static boolean isSteady(List<Integer> list, int limit) {
        int first = list.get(0) - limit;
        int second = list.get(1) - first;
        int spread = second * 2 + first;
        return spread < 40;
    }
"""
STEADY_TEST = """
    @Test
    void isSteady() {
        assertEquals(true, Stats.isSteady(List.of(5, 7), 2));
    }
"""


GO_TO_SPREAD = "Go to spread in Stats.isSteady, which this test does not see"


async def test_an_action_without_an_assertion_goes_to_the_place(editor):
    await vscode(editor)
    code = editor.open(STATS, STEADY)
    uri = editor.open(STATS_TEST, STEADY_TEST)
    await editor.ready()
    # Which lines the test runs nobody has recorded: no lens names what is inside.
    lens = (await editor.lenses(uri)).get("isSteady")
    assert lens is None or "inside: " not in lens.command.title
    actions = {a.title: a for a in await editor.actions(uri, "isSteady(List.of(5")}
    assert GO_TO_SPREAD in actions, list(actions)
    # The client library takes an action that has a command alone for a command whose name is all of it.
    command = ast.literal_eval(actions[GO_TO_SPREAD].command)
    await editor.run(T.Command("", command["command"], arguments=command["arguments"]))
    shown = await editor.until(lambda: editor.client.shown_documents, "the place")
    assert shown[0].uri == code
    line = editor.texts[code].split("\n")[shown[0].selection.start.line]
    assert "int spread" in line


async def test_an_editor_that_cannot_show_a_place_is_told_it(editor):
    await editor.start(recorded("nvim-0.7.2")["capabilities"])
    code = editor.open(STATS, STEADY)
    await editor.ready()
    place = {"start": {"line": 5, "character": 0}, "end": {"line": 5, "character": 4}}
    arguments = [{"uri": code, "range": place}]
    await editor.run(T.Command("", "telltale.go", arguments=arguments))
    said = await editor.until(lambda: editor.client.messages, "the place")
    assert "Stats.java:6" in said[0].message


async def test_observe_answers_as_the_command_line_does(editor):
    await vscode(editor)
    uri = editor.open(STATS_TEST)
    await editor.ready()
    at = editor.position(uri, editor.texts[uri].index("int length"))
    position = {"line": at.line, "character": at.character}
    telltale = [TELLTALE, "observe", str(DEMO), "--format", "json", "--quiet"]
    for argument, options in [
        ({"test": "demo.StatsTest#longestRun()"}, ["--test", "StatsTest#longestRun"]),
        ({"position": position}, ["--test", "StatsTest#longestRun"]),
        ({"test": "demo.StatsTest#meanOfNothing()"}, ["--test", "StatsTest#meanOfNothing"]),
    ]:
        arguments = [{"uri": uri, **argument}]
        answer = await editor.run(T.Command("", "telltale.observe", arguments=arguments))
        expected = json.loads(subprocess.check_output(telltale + options))
        assert answer == expected
    assert answer["schema"] == "telltale.observe/1"


async def test_the_graph_is_drawn_and_told(editor):
    await vscode(editor)
    uri = editor.open(STATS)
    await editor.ready()
    arguments = [{"uri": uri, "test": "demo.Stats#compare(java.util.List)"}]
    answer = await editor.run(T.Command("", "telltale.graph", arguments=arguments))
    telltale = [TELLTALE, "graph", str(DEMO), "--method", "Stats#compare", "--quiet", "--format"]
    assert answer["json"] == json.loads(subprocess.check_output(telltale + ["json"]))
    assert answer["svg"].startswith("<svg")
    assert answer["svg"].encode("utf-8") == subprocess.check_output(telltale + ["svg"])


async def test_hints_and_hovers_are_quiet_where_nothing_is_to_say(editor):
    await vscode(editor)
    uri = editor.open(STATS)
    await editor.ready()
    hints = await editor.hints(uri)
    assert hints and all(h.label.startswith("◂ observe (") for h in hints)
    # A loop counter, a parameter, a word of the language.
    assert await editor.hover(uri, "for (int i", "i =") is None
    assert await editor.hover(uri, "public static int compare", "list") is None
    assert await editor.hover(uri, "public static int compare", "static") is None


async def test_a_switch_of_the_client_turns_lenses_off_and_on(editor):
    await vscode(editor)
    uri = editor.open(STATS_TEST)
    await editor.ready()
    assert await editor.lenses(uri)
    refreshed = editor.refreshed
    for value in (False, True):
        editor.client.set_configuration({"telltale": {"lens": {"tests": value}}})
        editor.client.workspace_did_change_configuration(T.DidChangeConfigurationParams({}))
        await editor.until(lambda: editor.refreshed > refreshed, "a refresh of lenses")
        refreshed = editor.refreshed
        assert bool(await editor.lenses(uri)) == value


async def test_a_key_that_does_not_exist_is_said(editor):
    await vscode(editor)
    await editor.ready()
    editor.client.set_configuration({"telltale": {"lens": {"test": False}}})
    editor.client.workspace_did_change_configuration(T.DidChangeConfigurationParams({}))
    message = await editor.until(lambda: editor.client.messages, "a message")
    assert "telltale.lens.test" in message[0].message


async def test_the_log_can_be_asked_for(editor):
    await vscode(editor)
    await editor.ready()
    assert await editor.run(T.Command("", "telltale.showLog")) is None
    message = await editor.until(lambda: editor.client.messages, "a message")
    assert "telltale lsp --log FILE" in message[0].message


async def test_other_schemes_are_left_alone(editor):
    await vscode(editor)
    await editor.ready()
    uri = "untitled:Untitled-1"
    editor.texts[uri] = "class A { @Test void a() { int b = c(); } }"
    item = T.TextDocumentItem(uri, "java", 1, editor.texts[uri])
    editor.client.text_document_did_open(T.DidOpenTextDocumentParams(item))
    assert not await editor.lenses(uri)
    assert not await editor.actions(uri, "int b")


async def test_a_real_project():
    subjects = os.environ.get("TELLTALE_SUBJECTS")
    if not subjects:
        pytest.skip("TELLTALE_SUBJECTS is not set")
    editor = await begin(pathlib.Path(subjects) / "commons-csv")
    try:
        await vscode(editor)
        uri = editor.open("src/test/java/org/apache/commons/csv/CSVRecordTest.java")
        await editor.until(lambda: "ready" in editor.states, "ready", 60)
        lenses = await editor.lenses(uri)
        titles = [lens.command.title for lens in lenses.values()]
        # Of some 30 tests one or two are told something, and nobody is told that there is nothing.
        assert 0 < len(titles) < 10
        assert all(t.startswith(("next: ", "inside: ")) for t in titles), titles
        # `shortRec` stands in a `try`, and is not there behind it.
        lens = lenses["testToMapWithShortRecord"]
        assert lens.command.title.startswith("next: shortRec.toMap()")
        await editor.run(lens.command)
        hole = '"what should it be?"'
        value = f"Collections.singletonMap({hole}, {hole})"
        inside = f"            assertEquals({value}, shortRec.toMap());\n"
        await editor.until(lambda: inside in editor.texts[uri], "an assertion in the try")
    finally:
        await editor.client.shutdown_session()
        await editor.client.stop()


async def test_kakoune_gets_lenses_whole(editor):
    """kak-lsp draws lenses as they come: what is not resolved would be an empty sign."""
    await editor.start(recorded("kak-lsp-22")["capabilities"], "kakoune-lsp")
    await editor.ready()
    uri = editor.open(STATS_TEST)
    document = T.TextDocumentIdentifier(uri)
    lenses = await editor.client.text_document_code_lens_async(T.CodeLensParams(document))
    assert [lens.command.title for lens in lenses][-1] == "next: length"
