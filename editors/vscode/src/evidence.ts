// The server's page of evidence against an assertion in a web view: no network and no script; the style sheet is ours.
import * as vscode from "vscode";

/** What the server says of an assertion that something strange reaches. */
export interface Page {
    title: string;
    html: string;
}

export class Evidence implements vscode.Disposable {
    private panel: vscode.WebviewPanel | undefined;

    constructor(private readonly context: vscode.ExtensionContext) {}

    show({ title, html }: Page): void {
        this.panel ??= this.create();
        this.panel.title = `Evidence: ${title}`;
        const view = this.panel.webview;
        const style = view.asWebviewUri(vscode.Uri.joinPath(this.context.extensionUri, "media", "evidence.css")).toString();
        // What stands in the page is of the project; the server has escaped it.
        view.html = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${view.cspSource}">
<link rel="stylesheet" href="${style}">
<title>Evidence</title>
</head>
<body>
${html}</body>
</html>`;
        this.panel.reveal(undefined, false);
    }

    private create(): vscode.WebviewPanel {
        const media = vscode.Uri.joinPath(this.context.extensionUri, "media");
        const panel = vscode.window.createWebviewPanel("telltale.evidence", "Evidence", vscode.ViewColumn.Beside, {
            enableScripts: false,
            enableFindWidget: true,
            localResourceRoots: [media],
        });
        panel.iconPath = vscode.Uri.joinPath(media, "icon.png");
        panel.onDidDispose(() => (this.panel = undefined));
        return panel;
    }

    dispose(): void {
        this.panel?.dispose();
    }
}
