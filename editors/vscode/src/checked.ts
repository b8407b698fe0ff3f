// Which tests run and check a line, and what a test runs and checks, as a list; what is accepted is shown in its file.
import * as path from "node:path";
import * as vscode from "vscode";
import { short } from "./ranking";

/** What the server says of a place: its tests, the lines of a test, or only why it knows nothing. */
export interface Checked {
    said: string;
    tests?: { test: string; checks: boolean; uri: string; range: Range }[];
    files?: { uri: string; path: string; lines: { range: Range; checked: boolean; text: string }[] }[];
}

interface Range {
    start: Place;
    end: Place;
}

interface Place {
    line: number;
    character: number;
}

type Entry = vscode.QuickPickItem & { uri?: string; range?: Range };

export async function choose({ said, tests, files }: Checked): Promise<void> {
    const lines = (files ?? []).flatMap((file) => file.lines.map((it) => ({ ...it, uri: file.uri, path: file.path })));
    const entries: Entry[] = [
        ...(tests ?? []).map(({ test, checks, uri, range }) => ({
            label: `$(${checks ? "pass" : "circle-outline"}) ${short(test)}`,
            description: checks ? "checks it" : "runs it",
            uri,
            range,
        })),
        ...lines.map(({ text, checked, uri, range, path: file }) => ({
            label: `$(${checked ? "pass" : "circle-outline"}) ${text}`,
            description: `${path.posix.basename(file)}:${range.start.line + 1}, ${checked ? "checked" : "not checked"}`,
            uri,
            range,
        })),
    ];
    if (entries.length === 0) {
        return void vscode.window.showInformationMessage(`Telltale: ${said}.`);
    }
    const chosen = await vscode.window.showQuickPick(entries, { title: said, matchOnDescription: true, placeHolder: "Go there" });
    if (!chosen?.uri || !chosen.range) {
        return;
    }
    const { start, end } = chosen.range;
    await vscode.window.showTextDocument(vscode.Uri.parse(chosen.uri), {
        selection: new vscode.Range(start.line, start.character, end.line, end.character),
    });
}
