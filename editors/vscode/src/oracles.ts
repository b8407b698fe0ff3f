// The inner oracles of the folder in question: to go to, and to remove; as a list to choose from, and as a tree that stays.
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

/** Asks the server for the oracles of the folder of a file, and has it remove some, or all where none is named. */
export interface Keeper {
    list(uri: string): Promise<Oracle[]>;
    remove(uri: string, names: string[]): void;
}

type Entry = vscode.QuickPickItem & { place: Place | undefined; name: string };

/** Shows them; `remove` is asked for what is to go. */
export function choose(oracles: Oracle[], remove: (names: string[]) => void): void {
    const box = vscode.window.createQuickPick<Entry>();
    const away = { iconPath: new vscode.ThemeIcon("trash"), tooltip: "Remove this inner oracle" };
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
            void vscode.window.showTextDocument(vscode.Uri.parse(place.uri), { selection: selected(place) });
        }
    });
    box.onDidHide(() => box.dispose());
    box.show();
}

/** `Stats.java:26` */
function where(place: Place | undefined): string {
    return place ? `${path.posix.basename(vscode.Uri.parse(place.uri).path)}:${place.range.start.line + 1}` : "gone";
}

function selected({ range: { start, end } }: Place): vscode.Range {
    return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** An oracle, or one of its sides. */
type Node = { oracle: Oracle } | { place: Place; is: string };

/** The oracles of the folder of the Java file that was looked at last, each with its two sides below it. */
export class Tree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
    private readonly changed = new vscode.EventEmitter<void>();
    readonly onDidChangeTreeData = this.changed.event;
    private readonly held: vscode.Disposable[];
    private oracles: Oracle[] = [];
    private uri: string | undefined;
    private waiting: NodeJS.Timeout | undefined;

    constructor(private readonly keeper: Keeper) {
        const { workspace, window } = vscode;
        // What no editor writes: another program takes the last check away, or brings the first.
        const guards = workspace.createFileSystemWatcher("**/InnerOracle.java", false, true);
        this.held = [
            window.registerTreeDataProvider("telltale.oracles", this),
            window.onDidChangeActiveTextEditor(() => this.look()),
            workspace.onDidChangeTextDocument(({ document }) => {
                // Nobody is asked for each key that is pressed in a project without oracles.
                if (isJava(document) && (this.oracles.length > 0 || document.getText().includes("InnerOracle"))) {
                    this.look();
                }
            }),
            guards,
            guards.onDidCreate(() => this.look()),
            guards.onDidDelete(() => this.look()),
        ];
    }

    /** Asks again, a moment after the last change. */
    look(): void {
        clearTimeout(this.waiting);
        this.waiting = setTimeout(() => void this.ask(), 300);
    }

    private async ask(): Promise<void> {
        const document = vscode.window.activeTextEditor?.document;
        this.uri = document && isJava(document) ? document.uri.toString() : this.uri;
        // A server that is just being replaced says nothing; the next one says that it is ready.
        const found = this.uri ? await this.keeper.list(this.uri).catch(() => []) : [];
        if (JSON.stringify(found) === JSON.stringify(this.oracles)) {
            return;
        }
        this.oracles = found;
        this.changed.fire();
        // Where there are none there is no view.
        await vscode.commands.executeCommand("setContext", "telltale.hasOracles", found.length > 0);
    }

    getChildren(node?: Node): Node[] {
        if (!node) {
            return this.oracles.map((oracle) => ({ oracle }));
        }
        if ("place" in node) {
            return [];
        }
        const { code, tests } = node.oracle;
        return [...code.map((place) => ({ place, is: "checks" })), ...tests.map((place) => ({ place, is: "switches it on" }))];
    }

    getTreeItem(node: Node): vscode.TreeItem {
        if ("place" in node) {
            const item = new vscode.TreeItem(where(node.place));
            item.description = node.is;
            item.iconPath = new vscode.ThemeIcon(node.is === "checks" ? "eye" : "beaker");
            const options: vscode.TextDocumentShowOptions = { selection: selected(node.place) };
            item.command = { title: "Go There", command: "vscode.open", arguments: [vscode.Uri.parse(node.place.uri), options] };
            return item;
        }
        const { name, code, tests } = node.oracle;
        const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Expanded);
        item.id = name;
        item.contextValue = "oracle";
        if (code.length === 0 || tests.length === 0) {
            item.description = code.length === 0 ? "nothing checks it" : "no test switches it on";
            item.iconPath = new vscode.ThemeIcon("warning");
        }
        return item;
    }

    /** Removes the oracle of a row. */
    remove(node?: Node): void {
        if (this.uri && node && "oracle" in node) {
            this.keeper.remove(this.uri, [node.oracle.name]);
        }
    }

    /** Removes those that are shown. */
    removeAll(): void {
        if (this.uri && this.oracles.length > 0) {
            this.keeper.remove(this.uri, []);
        }
    }

    dispose(): void {
        clearTimeout(this.waiting);
        vscode.Disposable.from(...this.held, this.changed).dispose();
    }
}

function isJava(document: vscode.TextDocument): boolean {
    return document.languageId === "java" && document.uri.scheme === "file";
}
