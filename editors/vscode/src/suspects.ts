// What the server marks in a file of generated tests, as a list; what is accepted is shown in its file.
import * as vscode from "vscode";

/** What the server says of a file: of all that is marked in it, or why nothing is. */
export interface Suspects {
    said: string;
    assertions: Suspect[];
}

interface Suspect {
    range: { start: Place; end: Place };
    text: string;
    rank: number;
    score: number;
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
        label: `$(${it.sure ? "warning" : "question"}) ${it.rank}. ${it.text}`,
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
