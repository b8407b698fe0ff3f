// The answer of `telltale observe` as a list; what is accepted is shown in its file.
import * as path from "node:path";
import * as vscode from "vscode";

/** What is read of `telltale.observe/1`. */
export interface Observed {
    root: string;
    scope: { kind: string; name: string };
    counts: { candidates: number };
    ranking?: Ranked[];
    readable?: Ranked[];
    inside?: Ranked[];
}

interface Ranked {
    rank: number;
    gain: number;
    because: string;
    candidate: { variable: string; kind: string; method: string; path: string; line: number; column: number };
}

type Entry = vscode.QuickPickItem & { place?: Ranked };

export function pick(answer: Observed, graph: () => void): void {
    const entries: Entry[] = [];
    const list = (title: string, icon: string, places?: Ranked[]) => {
        if (!places) {
            return;
        }
        entries.push({ label: title, kind: vscode.QuickPickItemKind.Separator });
        for (const place of places) {
            const { candidate } = place;
            const named = candidate.kind === "return" ? `return value of ${candidate.variable}` : candidate.variable;
            entries.push({
                label: `$(${icon}) ${place.rank}. ${named}`,
                description: `${path.posix.basename(candidate.path)}:${candidate.line}`,
                detail: place.because,
                place,
            });
        }
        if (places.length === 0) {
            entries.push({ label: "nothing more" });
        }
    };
    list("this test could assert", "eye", answer.readable);
    list("not visible to this test: only a check inside the code can see it", "lock", answer.inside);
    list("ranking", "eye", answer.ranking);

    const box = vscode.window.createQuickPick<Entry>();
    box.title = `What to observe in ${short(answer.scope.name)}`;
    box.placeholder = "Each with the wrong values that it would reveal";
    box.matchOnDescription = box.matchOnDetail = true;
    box.items = entries;
    box.buttons = [{ iconPath: new vscode.ThemeIcon("type-hierarchy-sub"), tooltip: "Show the substitution graph" }];
    box.onDidTriggerButton(() => {
        box.hide();
        graph();
    });
    box.onDidAccept(() => {
        const place = box.selectedItems[0]?.place;
        box.hide();
        if (place) {
            const { line, column } = place.candidate;
            void open(answer.root, place.candidate.path, line, column);
        }
    });
    box.onDidHide(() => box.dispose());
    box.show();
}

/** `OrderBookTest.sells` of `demo.OrderBookTest#sells()`; of a path the file. */
export function short(name: string): string {
    const [type, member] = name.split("#");
    return member ? `${type.slice(type.lastIndexOf(".") + 1)}.${member.replace(/\(.*/, "")}` : path.posix.basename(name);
}

/** Shows a place of the project; lines and columns count from 1. */
export async function open(root: string, file: string, line: number, column = 1): Promise<void> {
    const at = new vscode.Position(line - 1, column - 1);
    // Not over the picture, and not in the panel: an output is a text editor of no column.
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    const beside = [activeTextEditor, ...visibleTextEditors].find((editor) => editor?.viewColumn)?.viewColumn;
    try {
        await vscode.window.showTextDocument(vscode.Uri.file(path.join(root, file)), {
            selection: new vscode.Range(at, at),
            viewColumn: beside,
        });
    } catch {
        void vscode.window.showErrorMessage(`Telltale cannot show ${file}; it may be gone.`);
    }
}
