// The item in the status bar, and its menu.
import * as vscode from "vscode";

/** `telltale/status` of the server. */
export interface Told {
    state: "starting" | "indexing" | "ready" | "degraded";
    message?: string;
    indexed: number;
    total: number;
}

export class Status implements vscode.Disposable {
    private readonly item = vscode.window.createStatusBarItem("telltale.status", vscode.StatusBarAlignment.Left, 10);
    private told: Told = { state: "starting", indexed: 0, total: 0 };
    /** Is said behind every state. */
    note = "";

    constructor() {
        this.item.name = "Telltale";
        this.item.command = "telltale.menu";
    }

    tell(told: Told): void {
        this.told = told;
        const files = told.total > 0 ? ` ${told.indexed}/${told.total}` : "";
        this.item.text = {
            starting: "$(sync~spin) Telltale",
            indexing: `$(sync~spin) Telltale${files}`,
            ready: "$(eye) Telltale",
            degraded: "$(warning) Telltale",
        }[told.state];
        this.item.tooltip = this.words();
        this.item.accessibilityInformation = { label: `Telltale: ${this.words()}`, role: "button" };
        this.item.backgroundColor =
            told.state === "degraded" ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
        this.item.show();
    }

    private words(): string {
        const { state, message, indexed, total } = this.told;
        const words = {
            starting: "The server is starting.",
            indexing: `The project is being read${total > 0 ? `: ${indexed} of ${total} files` : ""}. Until then answers rest on the open files.`,
            ready: `Ready: ${total} ${total === 1 ? "file" : "files"} read.`,
            degraded: "There is a problem.",
        }[state];
        return [state === "degraded" && message ? "" : words, message, this.note].filter(Boolean).join(" ");
    }

    /** Shows the menu; `offered` has the commands of the server. */
    async menu(offered: string[]): Promise<void> {
        const java = vscode.window.activeTextEditor?.document.languageId === "java";
        const entries: (vscode.QuickPickItem & { run: string[] })[] = [];
        const add = (label: string, ...run: string[]) => entries.push({ label, run });
        if (java) {
            add("$(list-ordered) Show what to observe", "telltale.showRanking");
            add("$(type-hierarchy-sub) Show the substitution graph", "telltale.showGraph");
        }
        add("$(refresh) Read the project again", "telltale.readAgain");
        add("$(debug-restart) Restart the server", "telltale.restart");
        add("$(output) Show the output", "telltale.showOutput");
        if (offered.includes("telltale.showLog")) {
            add("$(note) Show the server's log", "telltale.showLog");
        }
        add("$(gear) Settings", "workbench.action.openSettings", "@ext:telltale.telltale");
        const entry = await vscode.window.showQuickPick(entries, { title: "Telltale", placeHolder: this.words() });
        if (entry) {
            const [command, ...rest] = entry.run;
            await vscode.commands.executeCommand(command, ...rest);
        }
    }

    dispose(): void {
        this.item.dispose();
    }
}
