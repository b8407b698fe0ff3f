// Runs in the extension host, beside the extension; writes what it found to the file named by RESULT.
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");

const results = [];
const check = (what, ok, found) => results.push({ what, ok: Boolean(ok), found });

async function until(ask, done) {
    let found;
    for (let i = 0; i < 100; i++) {
        found = await ask();
        if (done(found)) {
            break;
        }
        await new Promise((next) => setTimeout(next, 150));
    }
    return found;
}

/** The processes that this one started, by name. */
function children(name) {
    return fs.readdirSync("/proc").filter((id) => {
        try {
            const stat = fs.readFileSync(`/proc/${id}/stat`, "utf8");
            const parent = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
            return stat.includes(`(${name})`) && Number(parent) === process.pid;
        } catch {
            return false;
        }
    });
}

/** Opens the test that both projects have; it, and what asks for its lenses. */
async function opened(root) {
    const test = vscode.Uri.joinPath(root, "src/test/java/demo/StatsTest.java");
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(test));
    const titles = async () => ((await vscode.commands.executeCommand("vscode.executeCodeLensProvider", test, 100)) ?? []).map((it) => it.command?.title ?? "");
    return { test, titles };
}

/** What lenses say to observe. A lens that is known to have nothing to say is left out from then on. */
const telling = (found) => found.filter((it) => /next: |inside: /.test(it)).sort();
const settled = (found) => telling(found).length > 0 && found.every((it) => it && !/still reading|nothing to observe yet/.test(it));
const none = (found) => found.length === 0;

async function all() {
    const root = vscode.workspace.workspaceFolders[0].uri;
    const { test, titles } = await opened(root);
    const lenses = await until(titles, settled);
    check("host: lenses, resolved", settled(lenses), lenses);

    const extension = vscode.extensions.getExtension("telltale.telltale");
    check("host: the extension is active", extension?.isActive);
    const commands = await vscode.commands.getCommands(true);
    const contributed = extension.packageJSON.contributes.commands.map((it) => it.command);
    check("host: every command of the manifest exists", contributed.every((it) => commands.includes(it)), contributed);

    const observed = await vscode.commands.executeCommand("telltale.observe", { uri: test.toString(), test: "demo.StatsTest#longestRun()" });
    check("host: telltale.observe answers as the command line does", observed?.schema === "telltale.observe/1" && observed.readable?.[0]?.candidate.variable === "length", observed?.scope);
    const drawn = await vscode.commands.executeCommand("telltale.graph", { uri: test.toString(), test: "demo.StatsTest#longestRun()" });
    check("host: telltale.graph answers with picture and data", drawn?.svg.startsWith("<svg") && drawn.json.schema === "telltale.graph/1" && drawn.json.root === root.fsPath, drawn?.json?.root);

    const settings = vscode.workspace.getConfiguration("telltale");
    await settings.update("lens.tests", false, vscode.ConfigurationTarget.Workspace);
    check("host: a setting turns lenses off", none(await until(titles, none)));
    await settings.update("lens.tests", undefined, vscode.ConfigurationTarget.Workspace);
    check("host: and on", settled(await until(titles, settled)));
    fs.writeFileSync(path.join(root.fsPath, "telltale.toml"), "[lens]\ntests = false\n");
    check("host: what nobody set, telltale.toml sets", none(await until(titles, none)));
    fs.rmSync(path.join(root.fsPath, "telltale.toml"));
    check("host: and unsets", settled(await until(titles, settled)));

    const log = await vscode.commands.executeCommand("telltale.showLog");
    const shown = await until(() => vscode.window.activeTextEditor?.document.uri.fsPath, (found) => found === log?.path);
    check("host: the server's log is shown", log && shown === log.path, [log, shown]);

    // A server that answers nobody.
    const [still] = children("telltale");
    process.kill(Number(still), "SIGSTOP");
    await vscode.commands.executeCommand("telltale.restart");
    const only = await until(() => children("telltale"), (found) => found.length === 1 && found[0] !== still);
    check("host: a server that hangs is replaced", only.length === 1 && only[0] !== still, [still, only]);
    await settings.update("server.path", script("hang", "exec sleep 600"), vscode.ConfigurationTarget.Global);
    const mute = await until(() => children("sleep"), (found) => found.length === 1);
    await settings.update("server.path", undefined, vscode.ConfigurationTarget.Global);
    check("host: one that never started is, too", mute.length === 1 && settled(await until(titles, settled)));
    check("host: and is gone", children("sleep").length === 0, children("sleep"));

    const [server] = children("telltale");
    process.kill(Number(server), "SIGKILL");
    const next = await until(() => children("telltale"), (found) => found.length === 1 && found[0] !== server);
    check("host: a server that crashed is started again", next.length === 1 && next[0] !== server, next);
    check("host: and answers", settled(await until(titles, settled)));
}

/** What runs without being asked for. */
async function idle() {
    const extension = vscode.extensions.getExtension("telltale.telltale");
    // What starts with the window starts last: VS Code's own of that kind is there when that has come.
    const started = await until(() => vscode.extensions.getExtension("vscode.merge-conflict")?.isActive, (found) => found);
    check("host: what starts with the window has started", started);
    const unasked = extension.packageJSON.activationEvents.filter((it) => /^(\*|onStartupFinished|workspaceContains:.*)$/.test(it));
    check("host: nothing starts before a Java file is open", unasked.length === 0 && !extension.isActive && children("telltale").length === 0, [unasked, extension.isActive]);
}

/** A program that is no server. */
function script(name, lines) {
    const file = path.join(path.dirname(process.env.RESULT), name);
    fs.writeFileSync(file, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
    return file;
}

/** In a workspace of one folder: a second one comes, goes and comes back. */
async function folders() {
    // The window stands before its workspace file was read.
    await until(() => vscode.workspace.workspaceFolders?.length, (found) => found === 1);
    const first = vscode.workspace.workspaceFolders[0].uri;
    const second = vscode.Uri.file(path.join(path.dirname(first.fsPath), "second"));
    const change = async (remove, ...add) => {
        const accepted = vscode.workspace.updateWorkspaceFolders(1, remove, ...add);
        await until(() => vscode.workspace.workspaceFolders.length, (found) => found === 1 + add.length);
        return accepted;
    };
    const one = await opened(first);
    check("folders: lenses in the only folder", settled(await until(one.titles, settled)));
    check("folders: a second one is added", await change(0, { uri: second }));
    const two = await opened(second);
    const root = async () => (await vscode.commands.executeCommand("telltale.graph", { uri: two.test.toString() }))?.json.root;
    // Until the server is told of the folder, its file is read alone.
    const its = (found) => found === second.fsPath;
    check("folders: answers are of the folder of the file", its(await until(root, its)), await root());
    const lenses = await until(two.titles, settled);
    check("folders: lenses in the second", settled(lenses), lenses);
    check("folders: and in the first", settled(await one.titles()), await one.titles());

    const own = path.join(second.fsPath, "telltale.toml");
    fs.writeFileSync(own, "[lens]\ntests = false\n");
    check("folders: the second's telltale.toml turns its lenses off", none(await until(two.titles, none)), await two.titles());
    check("folders: but not those of the first", settled(await until(one.titles, settled)), await one.titles());
    fs.rmSync(own);
    check("folders: and is not needed", settled(await until(two.titles, settled)), await two.titles());
    const settings = vscode.workspace.getConfiguration("telltale");
    await settings.update("lens.tests", false, vscode.ConfigurationTarget.Workspace);
    check("folders: a setting is for both", none(await until(one.titles, none)) && none(await until(two.titles, none)));
    await settings.update("lens.tests", undefined, vscode.ConfigurationTarget.Workspace);
    check("folders: on and off", settled(await until(one.titles, settled)) && settled(await until(two.titles, settled)));

    await change(1);
    const alone = await until(root, (found) => !its(found));
    check("folders: a file of a folder that was removed is read alone", alone === path.dirname(two.test.fsPath), alone);
    check("folders: lenses in the first stay", settled(await until(one.titles, settled)), await one.titles());
    await change(0, { uri: second });
    check("folders: the folder comes back", its(await until(root, its)), await root());
    const same = (found) => String(telling(found)) === String(telling(lenses));
    const again = await until(two.titles, same);
    check("folders: with the lenses that it had", same(again), [lenses, again]);
}

const run = async (tests) => {
    results.length = 0;
    try {
        await tests();
    } catch (error) {
        check("host: no exception", false, String(error?.stack ?? error));
    }
    fs.writeFileSync(process.env.RESULT, JSON.stringify(results));
};

const server = (path) => vscode.workspace.getConfiguration("telltale").update("server.path", path, vscode.ConfigurationTarget.Global);

exports.activate = (context) => {
    const register = (name, run) => context.subscriptions.push(vscode.commands.registerCommand(`telltale-host-tests.${name}`, run));
    register("run", () => run(all));
    register("idle", () => run(idle));
    register("folders", () => run(folders));
    register("lose", () => server("/nowhere/telltale"));
    register("break", () => server(script("broken", "echo out of order >&2; exit 3")));
    register("find", () => server(undefined));
};
