// What the server marks in a file of generated tests, and what else has a rank there, as a list.
import * as vscode from "vscode";

/** What the server says of a file: of all that has a rank in it, the marked ones first, or why nothing has. */
export interface Suspects {
    said: string;
    assertions: Suspect[];
}

interface Suspect {
    range: { start: Place; end: Place };
    text: string;
    rank: number;
    score: number;
    marked: boolean;
    sure: boolean;
    message: string;
}

interface Place {
    line: number;
    character: number;
}

export async function choose(answer: Suspects, uri: string): Promise<void> {
    if (answer.assertions.length === 0) {
        return void vscode.window.showInformationMessage(`Telltale: ${answer.said}.`);
    }
    const entries = answer.assertions.map((it) => ({
        label: `$(${it.sure ? "warning" : it.marked ? "question" : "circle-outline"}) ${it.rank}. ${it.text}`,
        description: `line ${it.range.start.line + 1}, score ${it.score.toFixed(3)}`,
        detail: it.message,
        range: it.range,
    }));
    const chosen = await vscode.window.showQuickPick(entries, { title: answer.said, matchOnDetail: true, placeHolder: "Go to an assertion" });
    if (!chosen) {
        return;
    }
    const { start, end } = chosen.range;
    await vscode.window.showTextDocument(vscode.Uri.parse(uri), {
        selection: new vscode.Range(start.line, start.character, end.line, end.character),
    });
}
