// The tests of the folder in question that would gain most by one assertion, as a tree that is filled when somebody asks.
import * as path from "node:path";
import * as vscode from "vscode";
import { short } from "./ranking";

/** What is read of `telltale.weakest/1`. */
export interface Weakest {
    root: string;
    counts: { tests: number; with_value: number };
    tests: Test[];
}

interface Test {
    test: string;
    path: string;
    line: number;
    column: number;
    gain: number;
    value: { because: string };
    assertion: { text: string; finished: boolean };
}

const VIEW = "telltale.weakest";

export class WeakestTree implements vscode.TreeDataProvider<Test>, vscode.Disposable {
    private readonly changed = new vscode.EventEmitter<void>();
    readonly onDidChangeTreeData = this.changed.event;
    private readonly view: vscode.TreeView<Test>;
    private readonly looked: vscode.Disposable;
    private answer: Weakest | undefined;
    private uri: string | undefined;

    /** `ask` asks the server about the folder of a file. */
    constructor(private readonly ask: (uri: string) => Promise<Weakest | undefined>) {
        this.view = vscode.window.createTreeView(VIEW, { treeDataProvider: this });
        this.looked = vscode.window.onDidChangeActiveTextEditor(() => this.look());
    }

    private look(): void {
        const document = vscode.window.activeTextEditor?.document;
        this.uri = document?.languageId === "java" && document.uri.scheme === "file" ? document.uri.toString() : this.uri;
    }

    /** Asks, and shows the view: before it is asked for the first time there is none. False where there is no answer. */
    async show(): Promise<boolean> {
        this.look();
        const uri = this.uri ?? (await vscode.workspace.findFiles("**/*.java", undefined, 1))[0]?.toString();
        if (!uri) {
            return false;
        }
        await vscode.commands.executeCommand("setContext", "telltale.showsWeakest", true);
        await vscode.commands.executeCommand(`${VIEW}.focus`);
        const found = await vscode.window.withProgress({ location: { viewId: VIEW } }, () => this.ask(uri));
        if (!found) {
            return false;
        }
        this.answer = found;
        const { tests, with_value } = found.counts;
        const [looked, have] = [tests === 1 ? "1 test" : `${tests} tests`, with_value === 1 ? "1 has" : `${with_value || "none"} ${with_value ? "have" : "has"}`];
        this.view.message = `${looked} looked at: ${have} a value that is sure to be worth an assertion.`;
        this.changed.fire();
        return true;
    }

    getChildren(test?: Test): Test[] {
        return test ? [] : (this.answer?.tests ?? []);
    }

    getTreeItem(test: Test): vscode.TreeItem {
        const { assertion, value, gain } = test;
        const item = new vscode.TreeItem(short(test.test));
        item.description = assertion.text;
        const filled = assertion.finished ? "as it was recorded" : "to be filled in";
        const text = new vscode.MarkdownString();
        text.appendCodeblock(assertion.text, "java");
        text.appendText(`${filled}; ${value.because}; gain ${gain.toFixed(2)}`);
        item.tooltip = text;
        item.iconPath = new vscode.ThemeIcon("beaker");
        const at = new vscode.Position(test.line - 1, test.column - 1);
        const options: vscode.TextDocumentShowOptions = { selection: new vscode.Range(at, at) };
        const file = vscode.Uri.file(path.join(this.answer?.root ?? "", test.path));
        item.command = { title: "Go to the Test", command: "vscode.open", arguments: [file, options] };
        return item;
    }

    dispose(): void {
        vscode.Disposable.from(this.view, this.looked, this.changed).dispose();
    }
}
