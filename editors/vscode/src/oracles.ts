// The inner oracles of the folder in question: to go to, and to remove.
import * as path from "node:path";
import * as vscode from "vscode";

interface Place {
    uri: string;
    range: { start: vscode.Position; end: vscode.Position };
}

/** One of the answer of `telltale.inner.list`. */
export interface Oracle {
    name: string;
    code: Place[];
    tests: Place[];
}

type Entry = vscode.QuickPickItem & { place: Place | undefined; name: string };

/** Shows them; `remove` is asked for what is to go. */
export function choose(oracles: Oracle[], remove: (names: string[]) => void): void {
    const box = vscode.window.createQuickPick<Entry>();
    const away = { iconPath: new vscode.ThemeIcon("trash"), tooltip: "Remove this inner oracle" };
    const where = (place: Place | undefined) =>
        place ? `${path.posix.basename(vscode.Uri.parse(place.uri).path)}:${place.range.start.line + 1}` : "gone";
    box.title = "Inner oracles";
    box.placeholder = oracles.length > 0 ? "Go to a value that is checked" : "There are none: the light bulb on a variable makes one";
    box.matchOnDescription = true;
    box.items = oracles.map(({ name, code, tests }) => ({
        label: name,
        name,
        description: `${where(code[0])}, switched on in ${where(tests[0])}`,
        place: code[0] ?? tests[0],
        buttons: [away],
    }));
    box.onDidTriggerItemButton(({ item }) => {
        box.hide();
        remove([item.name]);
    });
    box.onDidAccept(() => {
        const place = box.selectedItems[0]?.place;
        box.hide();
        if (place) {
            const { start, end } = place.range;
            const selection = new vscode.Range(start.line, start.character, end.line, end.character);
            void vscode.window.showTextDocument(vscode.Uri.parse(place.uri), { selection });
        }
    });
    box.onDidHide(() => box.dispose());
    box.show();
}
