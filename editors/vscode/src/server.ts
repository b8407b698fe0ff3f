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
    /** Why the last process ended, until the next one is up; nothing if it did not come up. */
    ended(): Promise<string> | undefined;
    /** Ends the last process, whatever it does. */
    kill(): void;
    /** Says that there is no program, and the one thing to do. */
    missing(status: Status): void;
}

export function launcher(context: vscode.ExtensionContext, output: vscode.LogOutputChannel): Launcher {
    const program = process.platform === "win32" ? "telltale.exe" : "telltale";
    // Of an untrusted folder VS Code hands out no setting that the manifest restricts, and it restricts this one.
    const setting = () => vscode.workspace.getConfiguration("telltale").get<string>("server.path", "").trim();
    let server: ChildProcess | undefined;
    let ended: Promise<string> | undefined;

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
                // What waits for the one before hears of its end only now: it asks, too, why that one ended.
                const fail = (why: Error) => {
                    ended = undefined;
                    reject(why);
                };
                const file = found();
                if (!file) {
                    return fail(new Error("the server's program is gone"));
                }
                mkdirSync(context.logUri.fsPath, { recursive: true });
                const log = path.join(context.logUri.fsPath, "server.log");
                const process = spawn(file, ["lsp", "--log", log], { windowsHide: true });
                let last = "";
                process.stderr.on("data", (data: Buffer) => {
                    last = data.toString().trim().split("\n").pop() ?? last;
                });
                process.on("error", fail);
                process.on("spawn", () => {
                    process.off("error", fail).on("error", (error) => output.warn(String(error)));
                    server = process;
                    ended = new Promise((tell) => {
                        process.on("exit", (code, signal) =>
                            tell(`the server ended ${signal ? `by ${signal}` : `with ${code}`}${last ? `: ${last}` : ""}`),
                        );
                    });
                    output.info(`${file} lsp, process ${process.pid}`);
                    resolve(process);
                });
            }),
        ended: () =>
            ended && Promise.race([ended, new Promise<string>((tell) => setTimeout(tell, 1000, "the server closed its output"))]),
        // One that has ended does not mind.
        kill: () => void server?.kill("SIGKILL"),
        missing: (status) => {
            const message = setting()
                ? `Telltale's server is not at ${setting()}: correct the setting telltale.server.path.`
                : "Telltale's server is not there: install it by `cargo install --locked --path server/telltale`, or name it in the setting telltale.server.path.";
            status.tell({ state: "degraded", message, indexed: 0, total: 0 });
            output.error(message);
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
