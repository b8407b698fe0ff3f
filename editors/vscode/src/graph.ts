// The server's picture of a substitution graph in a web view: no network, no style and no script but ours.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { open, short } from "./ranking";

export class Picture implements vscode.Disposable {
    private panel: vscode.WebviewPanel | undefined;
    private root = "";
    private name = "";
    private again = () => {};
    private drawn = 0;

    constructor(private readonly context: vscode.ExtensionContext) {}

    /** `again` asks for the same picture of the sources as they are by then. */
    show(svg: string, root: string, name: string, again: () => void): void {
        this.root = root;
        this.name = short(name);
        this.again = again;
        this.drawn++;
        this.panel ??= this.create();
        this.panel.title = `Graph of ${this.name}`;
        this.panel.webview.html = this.page(this.panel.webview, svg, this.name);
        this.panel.reveal(undefined, false);
    }

    private create(): vscode.WebviewPanel {
        const dist = vscode.Uri.joinPath(this.context.extensionUri, "dist");
        const media = vscode.Uri.joinPath(this.context.extensionUri, "media");
        const panel = vscode.window.createWebviewPanel("telltale.graph", "Graph", vscode.ViewColumn.Beside, {
            enableScripts: true,
            localResourceRoots: [dist, media],
        });
        panel.iconPath = vscode.Uri.joinPath(media, "icon.png");
        panel.webview.onDidReceiveMessage((message: { path: string; line: number } | "again") => {
            if (message === "again") {
                this.again();
            } else {
                void open(this.root, message.path, message.line);
            }
        });
        // The title says it of a picture that is hidden, too.
        const changes = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
            if (document.languageId === "java" && contentChanges.length > 0) {
                panel.title = `Graph of ${this.name} (before the last change)`;
            }
        });
        panel.onDidDispose(() => {
            changes.dispose();
            this.panel = undefined;
        });
        return panel;
    }

    private page(view: vscode.Webview, svg: string, name: string): string {
        const nonce = randomBytes(16).toString("base64");
        const uri = (...parts: string[]) => view.asWebviewUri(vscode.Uri.joinPath(this.context.extensionUri, ...parts)).toString();
        const policy = `default-src 'none'; style-src ${view.cspSource} 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
        return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="${uri("media", "picture.css")}">
<title>${escape(name)}</title>
</head>
<body>
<header role="toolbar" aria-label="Picture">
<span class="key readable">to assert</span><span class="key picked">to check inside</span><span class="key observed">read already</span><span class="key test">of the test</span>
<span class="note"></span>
<span class="tools"><button id="out" title="Smaller (-)" aria-label="Smaller">−</button><button id="in" title="Larger (+)" aria-label="Larger">+</button><button id="fit" title="All of it (0)">Fit</button><button id="again" title="Of the sources as they are now">Draw Again</button></span>
</header>
<main data-drawing="${this.drawn}">${svg.replace("<style>", `<style nonce="${nonce}">`)}</main>
<footer>Point at a value to read where a wrong one would show. Click it to go there; Tab goes from value to value, arrows move the picture.</footer>
<script nonce="${nonce}" src="${uri("dist", "picture.js")}"></script>
</body>
</html>`;
    }

    dispose(): void {
        this.panel?.dispose();
    }
}

function escape(text: string): string {
    return text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}
