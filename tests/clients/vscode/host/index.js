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

async function all() {
    const root = vscode.workspace.workspaceFolders[0].uri;
    const file = (...parts) => vscode.Uri.joinPath(root, ...parts);
    const test = file("src/test/java/demo/StatsTest.java");
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(test));
    const titles = async () => ((await vscode.commands.executeCommand("vscode.executeCodeLensProvider", test, 100)) ?? []).map((it) => it.command?.title ?? "");
    const settled = (found) => found.length === 5 && found.every((it) => it && !it.includes("still reading"));
    const lenses = await until(titles, settled);
    check("host: five lenses, resolved", settled(lenses), lenses);

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
    check("host: a setting turns lenses off", (await until(titles, (found) => found.length === 0)).length === 0);
    await settings.update("lens.tests", undefined, vscode.ConfigurationTarget.Workspace);
    check("host: and on", settled(await until(titles, settled)));
    fs.writeFileSync(path.join(root.fsPath, "telltale.toml"), "[lens]\ntests = false\n");
    check("host: what nobody set, telltale.toml sets", (await until(titles, (found) => found.length === 0)).length === 0);
    fs.rmSync(path.join(root.fsPath, "telltale.toml"));
    check("host: and unsets", settled(await until(titles, settled)));

    const [server] = children("telltale");
    process.kill(Number(server), "SIGKILL");
    const next = await until(() => children("telltale"), (found) => found.length === 1 && found[0] !== server);
    check("host: a server that crashed is started again", next.length === 1 && next[0] !== server, next);
    check("host: and answers", settled(await until(titles, settled)));
}

const run = async () => {
    try {
        await all();
    } catch (error) {
        check("host: no exception", false, String(error?.stack ?? error));
    }
    fs.writeFileSync(process.env.RESULT, JSON.stringify(results));
};

const server = (path) => vscode.workspace.getConfiguration("telltale").update("server.path", path, vscode.ConfigurationTarget.Global);

exports.activate = (context) => {
    const register = (name, run) => context.subscriptions.push(vscode.commands.registerCommand(`telltale-host-tests.${name}`, run));
    register("run", run);
    register("lose", () => server("/nowhere/telltale"));
    register("find", () => server(undefined));
};
