// Finds the server, starts it, and shows what it says where the language client has no place for it: the state, the list
// and the picture. Nothing about Java is known here.
import * as vscode from "vscode";
import {
    CloseAction,
    CodeActionResolveRequest,
    DidChangeConfigurationNotification,
    ErrorAction,
    ExecuteCommandRequest,
    LanguageClient,
    State,
    type ErrorHandler,
    type LanguageClientOptions,
} from "vscode-languageclient/node";
import { launcher, type Launcher } from "./server";
import { applied, whole } from "./edits";
import { Evidence, type Page } from "./evidence";
import { Picture } from "./graph";
import { choose as chooseChecked, type Checked } from "./checked";
import { chosen as chosenCheck, type Choices } from "./choices";
import { choose as chooseOracle, Tree, type Keeper, type Oracle } from "./oracles";
import { pick, type Observed } from "./ranking";
import { Status, type Told } from "./status";
import { choose as chooseSuspect, type Suspects } from "./suspects";
import { WeakestTree, type Weakest } from "./weakest";

/** What a command is about: the test or method of a name, what is around a position, or the file. */
export interface Target {
    uri: string;
    name?: string;
    position?: { line: number; character: number };
}

/** What goes wrong between it and the server is in the output; what a person shall do about it we say ourselves, once. */
class Client extends LanguageClient {
    override error(message: string, data?: unknown): void {
        super.error(message, data, false);
    }
}

let client: Client | undefined;
let server: Launcher | undefined;

export function activate(context: vscode.ExtensionContext): void {
    const begun = performance.now();
    const output = vscode.window.createOutputChannel("Telltale", { log: true });
    const status = new Status();
    const picture = new Picture(context);
    const evidence = new Evidence(context);
    const launched = (server = launcher(context, output));
    const crashes: number[] = [];

    const here = (): Target | undefined => {
        const editor = vscode.window.activeTextEditor;
        return editor && { uri: editor.document.uri.toString(), position: editor.selection.active };
    };
    // A menu hands over the file on which it was opened: the cursor says more.
    const place = (target?: Target) => (typeof target?.uri === "string" ? target : here());
    const ask = async <T>(command: string, target?: Target): Promise<T | undefined> => {
        await started;
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
    const list = (answer: Observed | undefined, target?: Target) =>
        answer ? pick(answer, () => void showGraph(target)) : nothing();
    const showRanking = async (given?: Target) => {
        const target = place(given);
        list(await ask<Observed>("telltale.observe", target), target);
    };
    const showGraph = async (given?: Target) => {
        const target = place(given);
        const answer = await ask<{ svg: string; json: { root: string; scope: { kind: string; name: string } } }>("telltale.graph", target);
        if (!answer || !target) {
            return nothing();
        }
        const { root, scope } = answer.json;
        // By its name a test is found again when its lines have moved.
        const again = { uri: target.uri, ...(scope.kind !== "file" && { name: scope.name }) };
        picture.show(answer.svg, root, scope.name, () => void showGraph(again));
    };

    const showEvidence = async (given?: Target) => {
        const page = await ask<Page>("telltale.evidence", place(given));
        if (page) {
            evidence.show(page);
        } else {
            void vscode.window.showInformationMessage("Telltale knows of nothing strange that reaches an assertion here.");
        }
    };

    /** What is marked or ranked in the file that is looked at. */
    const showSuspects = async () => {
        const uri = vscode.window.activeTextEditor?.document.uri.toString();
        const answer = uri ? await ask<Suspects>("telltale.suspects", { uri }) : undefined;
        return answer && uri ? chooseSuspect(answer, uri) : nothing();
    };

    /** The tests of the line at the cursor, or of the method that a lens is about; in a test, the lines that it runs. */
    const showChecked = async (given?: Target) => {
        const answer = await ask<Checked>("telltale.checked", place(given));
        return answer ? chooseChecked(answer) : nothing();
    };

    /** Has the tests of the file that is looked at count as generated; the server says where it cannot be. */
    const reviewClass = async () => {
        const uri = vscode.window.activeTextEditor?.document.uri.toString();
        return client?.isRunning() && uri ? ask("telltale.review", { uri }) : nothing();
    };

    const options: LanguageClientOptions = {
        documentSelector: [{ scheme: "file", language: "java" }],
        outputChannel: output,
        middleware: {
            resolveCodeAction: async (item, token, next) => {
                const own = client;
                if (!own) {
                    return next(item, token);
                }
                const asked = own.code2ProtocolConverter.asCodeActionSync(item);
                const { edit } = await own.sendRequest(CodeActionResolveRequest.type, asked, token);
                item.edit = edit && (await whole(own, edit));
                return item;
            },
            workspace: {
                handleApplyEdit: async ({ edit }) => ({ applied: client !== undefined && (await applied(client, edit)) }),
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
                if (command === "telltale.record") {
                    return record(args[0] as object);
                }
                if (command === "telltale.mutants") {
                    return mutate(args[0] as object);
                }
                if (command === "telltale.checked") {
                    // It would be said in a message.
                    const { uri, name } = args[0] as Target;
                    return showChecked({ uri, name });
                }
                if (command === "telltale.evidence") {
                    // It would be opened as a text.
                    const { uri, position } = args[0] as Target;
                    return showEvidence({ uri, position });
                }
                const answer: unknown = await next(command, args);
                if (command === "telltale.observe") {
                    list((answer as Observed | null) ?? undefined, args[0] as Target);
                }
                return answer;
            },
        },
        initializationFailedHandler: () => false,
    };
    // Whatever else becomes of a server that nobody starts again, the first message says what to do.
    let complained = false;
    const problem = (message: string) => {
        if (complained) {
            return output.error(message);
        }
        complained = true;
        status.note = "";
        status.tell({ state: "degraded", message, indexed: 0, total: 0 });
        void vscode.window.showErrorMessage(message, "Restart", "Show Output").then((answer) => {
            if (answer) {
                void vscode.commands.executeCommand(answer === "Restart" ? "telltale.restart" : "telltale.showOutput");
            }
        });
    };
    const handler = (own: () => Client): ErrorHandler => ({
        error: (_error, _message, count) => ({ action: (count ?? 0) <= 3 ? ErrorAction.Continue : ErrorAction.Shutdown }),
        closed: async () => {
            const reason = await launched.ended();
            if (own() !== client) {
                return { action: CloseAction.DoNotRestart, handled: true };
            }
            crashes.push(Date.now());
            const recent = crashes.filter((at) => Date.now() - at < 180_000).length;
            output.error(`${reason}; the ${recent}. time within three minutes`);
            if (recent <= 4) {
                status.note = `It was started again: ${reason}.`;
                return { action: CloseAction.Restart, handled: true };
            }
            problem(`Telltale's server ended ${recent} times within three minutes: ${reason}`);
            return { action: CloseAction.DoNotRestart, handled: true };
        },
    });

    // What the server was told of whether the folder is trusted; it offers nothing that runs tests before.
    let trusted = true;
    const tellTrust = () => {
        if (!trusted && vscode.workspace.isTrusted && client?.isRunning()) {
            trusted = true;
            void client.sendNotification("telltale/trusted");
        }
    };
    context.subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(tellTrust));

    const start = async () => {
        if (!launched.found()) {
            return launched.missing(status);
        }
        const own: Client = new Client("telltale", "Telltale", launched.start, { ...options, errorHandler: handler(() => own) });
        client = own;
        own.registerFeature({
            fillClientCapabilities: (all) => {
                trusted = vscode.workspace.isTrusted;
                all.experimental = {
                    ...(all.experimental as object),
                    telltaleStatus: true,
                    telltaleChoices: true,
                    telltaleTrusted: trusted,
                };
                // Our item says how far the server is: a second one beside it would say the same.
                all.window = { ...all.window, workDoneProgress: false };
            },
            initialize: () => {},
            getState: () => ({ kind: "static" as const }),
            clear: () => {},
        });
        own.onNotification("telltale/status", (told: Told) => {
            status.tell(told);
            tree.look();
        });
        own.onDidChangeState((change) => {
            if (change.newState === State.Starting) {
                status.tell({ state: "starting", indexed: 0, total: 0 });
            }
        });
        try {
            await own.start();
            tellTrust();
        } catch (error) {
            // What becomes of a process that came up, the handler sees to.
            if (own === client && !launched.ended()) {
                problem(`Telltale's server does not start: ${String(error)}`);
            }
        }
    };
    // One after the other: a client that is still starting cannot be stopped, but its server can. From now on nobody asks
    // the old one, which would start again to answer.
    let started = Promise.resolve();
    let wanted = 0;
    const restart = () => {
        const old = client;
        const turn = ++wanted;
        client = undefined;
        if (!old?.isRunning()) {
            launched.kill();
        }
        return (started = started.then(async () => {
            for (const stopped of [old, client]) {
                await stopped?.dispose().catch((error: unknown) => {
                    output.warn(String(error));
                    launched.kill();
                });
            }
            client = undefined;
            crashes.length = 0;
            complained = false;
            status.note = "";
            if (turn === wanted) {
                await start();
            }
        }));
    };

    /** Has the server run tests, with a progress that ends them. Not before the folder is trusted. */
    const runTests = async (title: string, command: string, what: object) => {
        const running = client;
        if (!running?.isRunning()) {
            return nothing();
        }
        if (!vscode.workspace.isTrusted) {
            return void vscode.window.showInformationMessage("Telltale runs tests only in a folder that you trust.");
        }
        await vscode.workspace.saveAll(false);
        const run = (command: string, argument?: object) =>
            running.sendRequest(ExecuteCommandRequest.type, { command, arguments: argument ? [argument] : [] });
        return vscode.window.withProgress(
            { location: vscode.ProgressLocation.Notification, title, cancellable: true },
            (_progress, token) => {
                token.onCancellationRequested(() => void run("telltale.record.stop"));
                return Promise.resolve(run(command, { ...what, wait: true }));
            },
        );
    };

    /** Keeps what tests did. */
    const record = (what: object) => runTests("Telltale: recording tests", "telltale.record", what);

    /** Marks what no test would notice. */
    const mutate = (what: object) => runTests("Telltale: looking for what no test notices", "telltale.mutants", what);

    /** Records the test at the cursor, or where there is none those of its file. */
    const recordHere = () => {
        const target = place(undefined);
        return target ? record(target) : nothing();
    };

    /** Of the lines that are selected, else of the method at the cursor, or where there is none of the file. */
    const mutateHere = () => {
        const target = place(undefined);
        const selection = vscode.window.activeTextEditor?.selection;
        if (!target) {
            return nothing();
        }
        const { uri } = target;
        return mutate(selection && !selection.isEmpty ? { uri, range: { start: selection.start, end: selection.end } } : target);
    };

    /** Records all tests of the folder. */
    const recordAll = () => {
        const target = place(undefined);
        return target ? record({ uri: target.uri, scope: "folder" }) : nothing();
    };

    const keeper: Keeper = {
        list: async (uri) => (await ask<Oracle[]>("telltale.inner.list", { uri })) ?? [],
        remove: (uri, names) =>
            void client?.sendRequest(ExecuteCommandRequest.type, { command: "telltale.inner", arguments: [{ do: "remove", uri, names }] }),
    };
    const tree = new Tree(keeper);

    const weakest = new WeakestTree((uri) => ask<Weakest>("telltale.weakest", { uri }));
    const showWeakest = async () => ((await weakest.show()) ? undefined : nothing());

    /** The inner oracles of the folder of the file that is looked at. */
    const showOracles = async () => {
        const uri = vscode.window.activeTextEditor?.document.uri.toString();
        if (!client?.isRunning() || !uri) {
            return nothing();
        }
        chooseOracle(await keeper.list(uri), (names) => keeper.remove(uri, names));
    };

    /** Has somebody choose how the value at a place is checked, and in which test. */
    const check = async (target?: Target) => {
        const choices = await ask<Choices>("telltale.inner.choices", place(target));
        if (!choices) {
            return void vscode.window.showInformationMessage(
                "Telltale knows no value here that an inner oracle can check: put the cursor on a variable of the code under test.",
            );
        }
        const chosen = await chosenCheck(choices);
        if (chosen) {
            await client?.sendRequest(ExecuteCommandRequest.type, { command: "telltale.inner", arguments: [chosen] });
        }
    };

    const register = (name: string, run: (...args: never[]) => unknown) =>
        context.subscriptions.push(vscode.commands.registerCommand(name, run));
    register("telltale.showRanking", showRanking);
    register("telltale.showGraph", showGraph);
    register("telltale.showEvidence", showEvidence);
    register("telltale.showSuspects", showSuspects);
    register("telltale.showChecked", showChecked);
    register("telltale.reviewClass", reviewClass);
    register("telltale.showWeakest", showWeakest);
    register("telltale.showOracles", showOracles);
    register("telltale.removeOracle", (node?: Parameters<Tree["remove"]>[0]) => tree.remove(node));
    register("telltale.removeOracles", () => tree.removeAll());
    register("telltale.chooseOracle", check);
    register("telltale.recordTest", recordHere);
    register("telltale.findSurvivors", mutateHere);
    register("telltale.recordAll", recordAll);
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
        evidence,
        tree,
        weakest,
        vscode.workspace.onDidChangeConfiguration((change) => {
            if (change.affectsConfiguration("telltale.server.path")) {
                void restart();
            }
        }),
    );
    // Not waited for: the commands that show a server that does not come up, or replace it, must run.
    void restart().then(() => output.info(`active after ${Math.round(performance.now() - begun)} ms, the start of the server among them`));
}

export function deactivate(): Promise<void> | undefined {
    return client?.dispose().catch(() => server?.kill());
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
