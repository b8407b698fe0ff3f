// Edits that make a file, as one step. The protocol makes a file empty and fills it afterwards; VS Code undoes these one by
// one, and leaves an empty file after the first. Here it is made with its text.
import * as vscode from "vscode";
import { CreateFile, TextDocumentEdit, type BaseLanguageClient, type WorkspaceEdit } from "vscode-languageclient/node";

/** An edit as VS Code takes it. */
export async function whole(client: BaseLanguageClient, edit: WorkspaceEdit): Promise<vscode.WorkspaceEdit> {
    const changes = edit.documentChanges;
    const made = new Map((changes ?? []).filter(CreateFile.is).map((file) => [file.uri, { file, text: "" }]));
    const rest = changes?.filter((change) => {
        const own = TextDocumentEdit.is(change) ? made.get(change.textDocument.uri) : undefined;
        if (own && TextDocumentEdit.is(change)) {
            own.text += change.edits.map((it) => ("newText" in it ? it.newText : "")).join("");
        }
        return !own && !CreateFile.is(change);
    });
    const out = await client.protocol2CodeConverter.asWorkspaceEdit({ ...edit, ...(rest && { documentChanges: rest }) });
    for (const [uri, { file, text }] of made) {
        const note = file.annotationId ? edit.changeAnnotations?.[file.annotationId] : undefined;
        const metadata = note && { label: note.label, needsConfirmation: note.needsConfirmation ?? false };
        const contents = new TextEncoder().encode(text);
        out.createFile(client.protocol2CodeConverter.asUri(uri), { contents, overwrite: file.options?.overwrite ?? false }, metadata);
    }
    return out;
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
