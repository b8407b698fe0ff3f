// Edits that make a file, as one step. The protocol makes a file empty and fills it afterwards; VS Code undoes these one by
// one, and leaves an empty file after the first. Here it is made with its text.
import * as vscode from "vscode";
import { CreateFile, TextDocumentEdit, type BaseLanguageClient, type WorkspaceEdit } from "vscode-languageclient/node";

/** An edit as VS Code takes it, its steps in their order: what is undone at once must not still be waiting for a file. */
export async function whole(client: BaseLanguageClient, edit: WorkspaceEdit): Promise<vscode.WorkspaceEdit> {
    const texts = new Map((edit.documentChanges ?? []).filter(CreateFile.is).map((file) => [file.uri, ""]));
    const changes = edit.documentChanges?.filter((change) => {
        const before = TextDocumentEdit.is(change) ? texts.get(change.textDocument.uri) : undefined;
        if (before !== undefined && TextDocumentEdit.is(change)) {
            texts.set(change.textDocument.uri, before + change.edits.map((it) => ("newText" in it ? it.newText : "")).join(""));
        }
        return before === undefined;
    });
    // The client hands the options on as they are, and VS Code's own know a text.
    const filled = changes?.map((change) => {
        const contents = CreateFile.is(change) ? new TextEncoder().encode(texts.get(change.uri)) : undefined;
        return CreateFile.is(change) ? { ...change, options: { overwrite: change.options?.overwrite ?? false, contents } } : change;
    });
    return client.protocol2CodeConverter.asWorkspaceEdit({ ...edit, ...(filled && { documentChanges: filled }) });
}

/** Applies an edit that the server asks for; false if it is about texts that are no more. */
export async function applied(client: BaseLanguageClient, edit: WorkspaceEdit): Promise<boolean> {
    const converted = await whole(client, edit);
    // Nothing may come between this question and the change.
    const isOld = (edit.documentChanges ?? []).filter(TextDocumentEdit.is).some(({ textDocument: { uri, version } }) => {
        const open = vscode.workspace.textDocuments.find((it) => it.uri.toString() === client.protocol2CodeConverter.asUri(uri).toString());
        return open && typeof version === "number" && version >= 0 && open.version !== version;
    });
    return !isOld && vscode.workspace.applyEdit(converted);
}
