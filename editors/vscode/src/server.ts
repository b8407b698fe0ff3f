// The server's program: where it is, and why it ended.
import { spawn, type ChildProcess } from "node:child_process";
import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Status } from "./status";

export interface Launcher {
    /** The program, by its whole path: of the setting, else the one that came along, else that of the search path. */
    found(): string | undefined;
    start(): Promise<ChildProcess>;
    /** Why the last process ended. */
    ended(): Promise<string>;
    /** Says that there is no program, and the one thing to do. */
    missing(status: Status): void;
}

export function launcher(context: vscode.ExtensionContext, output: vscode.LogOutputChannel): Launcher {
    const program = process.platform === "win32" ? "telltale.exe" : "telltale";
    // Of an untrusted folder VS Code hands out no setting that the manifest restricts, and it restricts this one.
    const setting = () => vscode.workspace.getConfiguration("telltale").get<string>("server.path", "").trim();
    let ended: Promise<string> = Promise.resolve("it was not started");

    const found = () => {
        if (setting()) {
            return runnable(setting()) ? setting() : undefined;
        }
        const folders = (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);
        return [context.asAbsolutePath(path.join("server", program)), ...folders.map((folder) => path.join(folder, program))].find(
            runnable,
        );
    };

    return {
        found,
        start: () =>
            new Promise((resolve, reject) => {
                const file = found();
                if (!file) {
                    return reject(new Error("the server's program is gone"));
                }
                mkdirSync(context.logUri.fsPath, { recursive: true });
                const server = spawn(file, ["lsp", "--log", path.join(context.logUri.fsPath, "server.log")]);
                let last = "";
                server.stderr.on("data", (data: Buffer) => {
                    last = data.toString().trim().split("\n").pop() ?? last;
                });
                ended = new Promise((tell) => {
                    server.on("exit", (code, signal) =>
                        tell(`the server ended ${signal ? `by ${signal}` : `with ${code}`}${last ? `: ${last}` : ""}`),
                    );
                });
                server.on("error", reject);
                server.on("spawn", () => {
                    output.info(`${file} lsp, process ${server.pid}`);
                    resolve(server);
                });
            }),
        ended: () => Promise.race([ended, new Promise<string>((tell) => setTimeout(tell, 1000, "the server closed its output"))]),
        missing: (status) => {
            const message = setting()
                ? `Telltale's server is not at ${setting()}: correct the setting telltale.server.path.`
                : "Telltale's server is not there: install it by `cargo install --path server/telltale`, or name it in the setting telltale.server.path.";
            status.tell({ state: "degraded", message, indexed: 0, total: 0 });
            void vscode.window.showErrorMessage(message, "Open the Setting").then((answer) => {
                if (answer) {
                    // A path is a matter of the machine on which the server runs.
                    const page = vscode.env.remoteName ? "openRemoteSettings" : "openSettings";
                    void vscode.commands.executeCommand(`workbench.action.${page}`, { query: "telltale.server.path" });
                }
            });
        },
    };
}

/** A path that is not whole may lead into the folder that was opened, which says nothing of what is to be run. */
function runnable(file: string): boolean {
    try {
        accessSync(file, constants.X_OK);
        return path.isAbsolute(file) && statSync(file).isFile();
    } catch {
        return false;
    }
}
