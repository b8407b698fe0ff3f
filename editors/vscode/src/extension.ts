// Finds the server, starts it, and shows what it says where the language client has no place for it: the state, the list
// and the picture. Nothing about Java is known here.
import * as vscode from "vscode";
import {
    CloseAction,
    DidChangeConfigurationNotification,
    ErrorAction,
    ExecuteCommandRequest,
    LanguageClient,
    State,
    type LanguageClientOptions,
} from "vscode-languageclient/node";
import { launcher } from "./server";
import { Picture } from "./graph";
import { pick, type Observed } from "./ranking";
import { Status, type Told } from "./status";

/** What a command is about: the test or method of a name, what is around a position, or the file. */
export interface Target {
    uri: string;
    name?: string;
    position?: { line: number; character: number };
}

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
    const begun = performance.now();
    const output = vscode.window.createOutputChannel("Telltale", { log: true });
    const status = new Status();
    const picture = new Picture(context);
    const server = launcher(context, output);
    const crashes: number[] = [];

    const ask = async <T>(command: string, target?: Target): Promise<T | undefined> => {
        const editor = vscode.window.activeTextEditor;
        target ??= editor && { uri: editor.document.uri.toString(), position: editor.selection.active };
        if (!client?.isRunning() || !target) {
            return;
        }
        return (await client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [target] })) ?? undefined;
    };
    const nothing = () =>
        void vscode.window.showInformationMessage(
            client?.isRunning()
                ? "Telltale has nothing to say about this place: it must be a Java file of the project."
                : "Telltale's server does not run. Its output says why.",
        );
    const showRanking = async (target?: Target, known?: Observed) => {
        const answer = known ?? (await ask<Observed>("telltale.observe", target));
        return answer ? pick(answer, () => void showGraph(target)) : nothing();
    };
    const showGraph = async (target?: Target) => {
        const answer = await ask<{ svg: string; json: { root: string; scope: { name: string } } }>("telltale.graph", target);
        return answer ? picture.show(answer.svg, answer.json.root, answer.json.scope.name) : nothing();
    };

    const options: LanguageClientOptions = {
        documentSelector: [{ scheme: "file", language: "java" }],
        outputChannel: output,
        middleware: {
            workspace: {
                configuration: (params) => params.items.map(() => chosen(context)),
                // The server asks for what it wants: what is pushed would have every default in it.
                didChangeConfiguration: async () => {
                    if (client?.isRunning()) {
                        await client.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
                    }
                },
            },
            // A lens that only has a list to show runs the server's command: its answer is shown here.
            executeCommand: async (command, args, next) => {
                const answer: unknown = await next(command, args);
                if (command === "telltale.observe" && answer) {
                    void showRanking(args[0] as Target, answer as Observed);
                }
                return answer;
            },
        },
        errorHandler: {
            error: (_error, _message, count) => ({ action: (count ?? 0) <= 3 ? ErrorAction.Continue : ErrorAction.Shutdown }),
            closed: async () => {
                const reason = await server.ended();
                crashes.push(Date.now());
                const recent = crashes.filter((at) => Date.now() - at < 180_000).length;
                if (recent <= 4) {
                    status.tell({ state: "degraded", message: `The server was started again: ${reason}`, indexed: 0, total: 0 });
                    output.error(`${reason}; it is started again`);
                    return { action: CloseAction.Restart, handled: true };
                }
                const message = `Telltale's server ended ${recent} times within three minutes: ${reason}`;
                status.tell({ state: "degraded", message, indexed: 0, total: 0 });
                void vscode.window.showErrorMessage(message, "Restart", "Show Output").then((answer) => {
                    if (answer) {
                        void vscode.commands.executeCommand(answer === "Restart" ? "telltale.restart" : "telltale.showOutput");
                    }
                });
                return { action: CloseAction.DoNotRestart, handled: true };
            },
        },
    };

    const start = async () => {
        if (!server.found()) {
            return server.missing(status);
        }
        client = new LanguageClient("telltale", "Telltale", server.start, options);
        client.registerFeature({
            fillClientCapabilities: (all) => void (all.experimental = { ...(all.experimental as object), telltaleStatus: true }),
            initialize: () => {},
            getState: () => ({ kind: "static" as const }),
            clear: () => {},
        });
        client.onNotification("telltale/status", (told: Told) => status.tell(told));
        client.onDidChangeState((change) => {
            if (change.newState === State.Starting) {
                status.tell({ state: "starting", indexed: 0, total: 0 });
            }
        });
        try {
            await client.start();
        } catch (error) {
            status.tell({ state: "degraded", message: `The server does not start: ${String(error)}`, indexed: 0, total: 0 });
        }
    };
    // One after the other: a client that is still starting cannot be stopped. From now on nobody asks the old one, which
    // would start again to answer.
    let started = Promise.resolve();
    const restart = () => {
        const old = client;
        client = undefined;
        return (started = started.then(async () => {
            crashes.length = 0;
            for (const stopped of [old, client]) {
                await stopped?.dispose().catch((error: unknown) => output.warn(String(error)));
            }
            client = undefined;
            await start();
        }));
    };

    const register = (name: string, run: (...args: never[]) => unknown) =>
        context.subscriptions.push(vscode.commands.registerCommand(name, run));
    register("telltale.showRanking", showRanking);
    register("telltale.showGraph", showGraph);
    register("telltale.showOutput", () => output.show());
    register("telltale.restart", restart);
    register("telltale.readAgain", () =>
        client?.isRunning() ? client.sendRequest(ExecuteCommandRequest.type, { command: "telltale.reindex" }) : nothing(),
    );
    register("telltale.menu", () => status.menu(offered(client)));
    context.subscriptions.push(
        output,
        status,
        picture,
        vscode.workspace.onDidChangeConfiguration((change) => {
            if (change.affectsConfiguration("telltale.server.path")) {
                void restart();
            }
        }),
    );
    await restart();
    output.info(`active after ${Math.round(performance.now() - begun)} ms, the start of the server among them`);
}

export function deactivate(): Promise<void> | undefined {
    return client?.dispose();
}

/** The commands that the server declares; the language client has made them known to VS Code. */
function offered(client: LanguageClient | undefined): string[] {
    return (client?.isRunning() && client.initializeResult?.capabilities.executeCommandProvider?.commands) || [];
}

/**
 * The settings that somebody made, as the server names them. Where nobody did, `telltale.toml` shall count. They are those
 * of the window: where folders shall differ, their `telltale.toml` do.
 */
function chosen(context: vscode.ExtensionContext): object {
    const properties = (context.extension.packageJSON as Manifest).contributes.configuration.properties;
    const settings = vscode.workspace.getConfiguration("telltale");
    const all: Record<string, Record<string, unknown>> = {};
    for (const name of Object.keys(properties)) {
        const [, group, key] = name.split(".");
        const it = settings.inspect(`${group}.${key}`);
        const value = it?.workspaceValue ?? it?.globalValue;
        if (value !== undefined && group !== "server") {
            (all[group] ??= {})[key] = value;
        }
    }
    return all;
}

interface Manifest {
    contributes: { configuration: { properties: object } };
}
