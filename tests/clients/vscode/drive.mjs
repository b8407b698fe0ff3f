// The extension as a person meets it: the packaged .vsix in VS Code for the browser, driven by keys and clicks.
//
// MODULES  folder with the node_modules of package.json beside this file
// VSIX     the extension
// DEMO     the Java project; a copy of it is opened
// BROWSER  a Chromium
// SEEN     where the screenshots go
// JUNIT    JUnit's console in one jar, to run what an action wrote; without it that is skipped
// REQUIRE  if it is there, what cannot be recorded on this machine is wrong, instead of skipped
// ONLY     parts to run instead of all, with commas: look, inner, inside, several, recorded, suspects, without, untrusted
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { walk } from "./inner.mjs";
import { walk as walkRecorded } from "./recorded.mjs";
import { offered } from "./bulb.mjs";

const { MODULES, VSIX, DEMO, BROWSER, SEEN } = process.env;
const { chromium } = createRequire(join(MODULES, "package.json"))("playwright-core");
const here = dirname(fileURLToPath(import.meta.url));
const home = mkdtempSync(join(tmpdir(), "telltale-vscode-"));
const project = join(home, "demo");
cpSync(DEMO, project, { recursive: true, filter: (path) => !path.endsWith("/target") });
mkdirSync(SEEN, { recursive: true });

const parts = { look, inner, inside, several, recorded, suspects, without, untrusted };
const chosen = process.env.ONLY?.split(",") ?? Object.keys(parts);
const unknown = chosen.filter((part) => !Object.hasOwn(parts, part));
if (unknown.length > 0) {
    throw new Error(`ONLY names no part: ${unknown.join(", ")}`);
}

const STATUS = "#telltale\\.telltale\\.telltale\\.status";
let passed = 0;
let failed = 0;
const begun = Date.now();
function check(what, found, details) {
    const at = `${((Date.now() - begun) / 1000).toFixed(1)} s`.padStart(7);
    console.log(found ? `${at}  ok      ${what}` : `${at}  FAILED  ${what}\n        found ${JSON.stringify(details)}`);
    found ? passed++ : failed++;
}

// code-server, with folders of its own and nothing that asks or tells anyone.
const entry = join(MODULES, "node_modules/code-server/out/node/entry.js");
const folders = ["--user-data-dir", join(home, "data"), "--extensions-dir", join(home, "extensions")];
const settings = {
    "workbench.startupEditor": "none",
    // As on a desktop.
    "files.autoSave": "off",
    "workbench.colorTheme": "Default Dark Modern",
    "workbench.tips.enabled": false,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "chat.disableAIFeatures": true,
    "telemetry.telemetryLevel": "off",
    "extensions.autoCheckUpdates": false,
    "extensions.autoUpdate": false,
    "extensions.ignoreRecommendations": true,
    "editor.minimap.enabled": false,
    "editor.fontFamily": "'DejaVu Sans Mono'",
    "editor.fontSize": 13,
    "window.commandCenter": false,
    "breadcrumbs.enabled": false,
    "git.enabled": false,
    "security.workspace.trust.enabled": false,
};
mkdirSync(join(home, "data/User"), { recursive: true });
// The tests for the extension host are an extension too, started by its command.
cpSync(join(here, "host"), join(home, "extensions/telltale.telltale-host-tests-0.0.1"), { recursive: true });
writeFileSync(join(home, "data/User/settings.json"), JSON.stringify(settings));
writeFileSync(join(home, "config.yaml"), "");
const environment = { ...process.env, RESULT: join(home, "host.json"), XDG_DATA_HOME: join(home, "xdg"), XDG_CONFIG_HOME: join(home, "xdg") };
delete environment.PORT;
const installed = spawnSync(process.execPath, [entry, "--config", join(home, "config.yaml"), ...folders, "--install-extension", VSIX], {
    env: environment,
    encoding: "utf8",
});
check("the .vsix installs", installed.status === 0, installed.stdout + installed.stderr);
const port = await new Promise((tell) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
        const { port } = probe.address();
        probe.close(() => tell(port));
    });
});
const options = ["--auth", "none", "--disable-telemetry", "--disable-update-check", "--disable-getting-started-override"];
const server = spawn(process.execPath, [entry, "--config", join(home, "config.yaml"), "--bind-addr", `127.0.0.1:${port}`, ...options, ...folders, project], {
    env: environment,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
});
const said = [];
const listening = new Promise((tell) => {
    for (const stream of [server.stdout, server.stderr]) {
        stream.on("data", (data) => {
            said.push(String(data));
            if (String(data).includes("listening on")) {
                tell();
            }
        });
    }
});
const browser = await chromium.launch({
    executablePath: BROWSER,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

try {
    await Promise.race([listening, new Promise((_, fail) => setTimeout(() => fail(new Error(`code-server does not listen: ${said.join("")}`)), 60000).unref())]);
    const page = await browser.newPage({ viewport: { width: 1280, height: 760 }, colorScheme: "dark" });
    page.setDefaultTimeout(30000);
    for (const part of chosen) {
        await parts[part](page);
    }
    console.log(logged().match(/active after .*/g)?.join("; "));
} catch (error) {
    const pages = browser.contexts().flatMap((it) => it.pages());
    await pages[0]?.screenshot({ path: join(SEEN, "failed.png") }).catch(() => {});
    check("the run ends", false, String(error?.stack ?? error));
    console.log(said.join("").slice(-2000));
} finally {
    await browser.close();
    process.kill(-server.pid);
    await new Promise((ended) => server.on("exit", ended));
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Runs a command as a person does: again, if the window did not know it yet. */
async function command(page, title) {
    const first = (title) => document.querySelector(".quick-input-list .monaco-list-row")?.textContent.includes(title);
    for (let more = 5; more >= 0; more--) {
        await page.keyboard.press("F1");
        await page.waitForSelector(".quick-input-widget input");
        await page.keyboard.type(title);
        try {
            await page.waitForFunction(first, title, { timeout: 6000 });
            break;
        } catch (error) {
            if (more === 0) {
                throw error;
            }
            await page.keyboard.press("Escape");
        }
    }
    await page.keyboard.press("Enter");
}

/** Waits until the server has read all files. */
async function ready(page) {
    await page.waitForSelector(`${STATUS}[aria-label*="Ready"]`);
}

/** Opens a file by its name. */
async function open(page, file) {
    await page.keyboard.press("Control+P");
    await page.waitForSelector(".quick-input-widget input");
    await page.keyboard.type(file);
    await page.waitForFunction((file) => document.querySelector(".quick-input-list .monaco-list-row")?.textContent.includes(file), file);
    await page.keyboard.press("Enter");
    await page.waitForSelector(`.tab.active[data-resource-name="${file}"]`);
}

/** Puts the cursor on a line of the file that is open, counted from 1; `LINE:COLUMN` too. The status bar says when it is there. */
async function goTo(page, at) {
    const line = String(at).split(":")[0];
    const there = page.locator(".statusbar-item", { hasText: new RegExp(`^\\s*Ln ${line}, Col `) });
    for (let more = 4; more >= 0; more--) {
        await page.keyboard.press("Control+G");
        // Not the box that another question left, which is about to go.
        await page.locator(".quick-input-widget input[placeholder*='Line'], .quick-input-widget input[aria-label*='line']").waitFor({ timeout: 3000 }).catch(() => {});
        await page.keyboard.type(String(at));
        await page.keyboard.press("Enter");
        if (await there.waitFor({ timeout: 3000 }).then(() => true, () => false)) {
            return;
        }
        await page.keyboard.press("Escape");
    }
    throw new Error(`the cursor does not come to line ${at}`);
}

/** What is to be seen on a page, and the hand that points at it. */
function eyes(page) {
    return {
        texts: (selector) => page.$$eval(selector, (all) => all.map((it) => it.textContent.replaceAll("\u00a0", " "))),
        seen: (name, clip) => page.screenshot({ path: join(SEEN, `${name}.png`), clip }),
        // By the mouse alone: what scrolls elements into view for a click moves the editor's lines out of their places.
        click: async (locator) => {
            let box;
            // A lens that is drawn anew is nowhere for a moment.
            for (let more = 10; more > 0 && !box; more--) {
                await locator.waitFor();
                box = await locator.boundingBox();
            }
            const { x, y, width, height } = box;
            await page.mouse.click(x + Math.min(width, 200) / 2, y + height / 2);
        },
        line: (text) => page.locator(".editor-group-container.active .view-line", { hasText: text }).first(),
    };
}

/** An inner oracle, from the light bulb to the bytes that were there before. */
async function inner(page) {
    await page.goto("about:blank");
    await page.goto(`http://127.0.0.1:${port}/?folder=${project}`);
    await page.waitForSelector(".explorer-folders-view, .monaco-workbench .part.editor");
    await walk(page, { check, command, open, ready, project, demo: DEMO, junit: process.env.JUNIT, ...eyes(page) });
}

/** What a person does and sees. */
async function look(page) {
    const { texts, seen, click, line } = eyes(page);
    await page.goto(`http://127.0.0.1:${port}/?folder=${project}`);
    await page.waitForSelector(".explorer-folders-view");
    await host(page, "See What Started");
    check("nothing is shown before a Java file is open", (await page.$$(STATUS)).length === 0);
    await page.keyboard.press("Control+B");
    await open(page, "OrderBookTest.java");
    const opened = Date.now();

    const lens = page.locator(".codelens-decoration", { hasText: "next: " });
    await lens.first().waitFor();
    await page.waitForFunction(() => [...document.querySelectorAll(".codelens-decoration")].every((it) => !/still reading|…$/.test(it.textContent)));
    console.log(`from the open file to the whole answer: ${Date.now() - opened} ms`);
    check("a test says what to observe next", /next: book\.open\(\)/.test((await texts(".codelens-decoration")).join()), await texts(".codelens-decoration"));
    const status = page.locator(".statusbar-item", { hasText: "Telltale" });
    await status.waitFor();
    const goto = async (number) => {
        await goTo(page, number);
        await page.waitForTimeout(500);
    };
    await goto(37);
    await seen("lens", { x: 48, y: 30, width: 860, height: 560 });
    await goto(22);

    await status.click();
    await page.waitForSelector(".quick-input-list .monaco-list-row");
    const menu = (await texts(".quick-input-list .monaco-list-row")).join("|");
    check("the status item has a menu", /Show what to observe.*Restart the server.*Show the server's log.*Settings/.test(menu), menu);
    const ready = await page.$eval(".quick-input-widget input", (it) => it.placeholder);
    check("and says that all files are read", ready === "Ready: 22 files read.", ready);
    await page.waitForTimeout(500);
    await seen("menu");
    await page.keyboard.press("Escape");

    // The list, by the menu of the editor and by name.
    const listed = () => page.waitForFunction(() => document.querySelector(".quick-input-title")?.textContent.includes("takesTheBestPriceFirst"));
    await line("takesTheBestPriceFirst").click({ button: "right", position: { x: 200, y: 8 } });
    // A menu that has just come up takes no click.
    await page.waitForTimeout(500);
    await click(page.locator(".monaco-menu .action-label", { hasText: "Show What to Observe" }));
    await listed();
    check("the menu of the editor shows the list", true);
    await page.keyboard.press("Escape");
    await click(line("takesTheBestPriceFirst"));
    await command(page, "Telltale: Show What to Observe");
    await listed();
    const list = await texts(".quick-input-list .monaco-list-row");
    check("the list has what could be asserted", /1\. book\.open\(\)/.test(list.join("|")), list);
    await page.waitForTimeout(300);
    await seen("list", { x: 48, y: 0, width: 960, height: 480 });
    await page.keyboard.type("return value of crosses");
    await page.keyboard.press("Enter");
    await page.waitForSelector('.tab.active[data-resource-name="Order.java"]');
    check("what is accepted is shown in its file", true);
    await page.waitForSelector(".view-line >> text=◂ observe");
    const hints = (await texts(".view-line")).filter((it) => it.includes("◂ observe"));
    check("definitions that tell are marked", hints.length > 0 && /\(1st of \d+\)|\(\d+\w\w of \d+\)/.test(hints[0]), hints);

    // A hover.
    await open(page, "Stats.java");
    await page.waitForSelector(".view-line >> text=◂ observe");
    const shown = () => page.$(".monaco-hover:not(.hidden) .hover-contents");
    for (let i = 0; i < 5 && !(await shown()); i++) {
        // Hints that come late move the word.
        await click(line("int comparison").locator("span", { hasText: "comparison" }).last());
        await page.keyboard.press("Control+K");
        await page.keyboard.press("Control+I");
        await page.waitForTimeout(1500);
    }
    const hover = (await texts(".monaco-hover:not(.hidden)")).join();
    check("a hover says rank and reason", /1st of 29/.test(hover), hover);
    await page.waitForTimeout(300);
    await seen("hover", { x: 48, y: 300, width: 860, height: 320 });
    await page.keyboard.press("Escape");

    // An action.
    await open(page, "StatsTest.java");
    await click(line("class StatsTest"));
    await page.keyboard.press("Control+End");
    await page.locator(".codelens-decoration", { hasText: "next: length" }).waitFor();
    await click(line("int length"));
    await page.keyboard.press("Control+.");
    await page.waitForSelector(".action-widget .monaco-list-row");
    const actions = await texts(".action-widget .monaco-list-row.action");
    check("the light bulb offers the assertion", /assert/i.test(actions.join()), actions);
    await page.waitForTimeout(300);
    await seen("action", { x: 48, y: 300, width: 900, height: 428 });
    await page.keyboard.press("Enter");
    const inserted = page.locator(".view-line", { hasText: "assertEquals(Integer.MIN_VALUE, length)" });
    await inserted.waitFor();
    check("and inserts it", true);
    await page.keyboard.press("Control+Z");
    await inserted.waitFor({ state: "detached" });
    await click(page.locator(".codelens-decoration a", { hasText: "next: length" }));
    await inserted.waitFor();
    check("a click on the lens does the same", true);
    await page.keyboard.press("Control+Z");
    await inserted.waitFor({ state: "detached" });

    // The weakest tests: a tree that comes when somebody asks.
    await command(page, "Telltale: Show the Weakest Tests");
    const pane = page.locator(".pane", { has: page.locator('.pane-header[aria-label*="Weakest Tests"]') });
    const weakest = pane.locator(".monaco-list-row");
    await weakest.nth(2).waitFor();
    const weak = await weakest.allTextContents();
    check("the weakest tests stand in a tree, each with its assertion", /^OrderBookTest\.takesTheBestPriceFirst.*book\.open\(\)/.test(weak[0]) && weak.length === 3, weak);
    await seen("weakest");
    await weakest.first().click();
    await page.waitForSelector('.tab.active[data-resource-name="OrderBookTest.java"]');
    check("and a click goes to the test", true);
    await page.keyboard.press("Control+B");

    // The picture.
    await open(page, "OrderBookTest.java");
    await click(line("takesTheBestPriceFirst"));
    const asked = Date.now();
    await command(page, "Telltale: Show the Substitution Graph");
    const frame = async () => {
        for (let i = 0; i < 200; i++) {
            for (const it of page.frames()) {
                if (await it.$("svg.telltale-graph .node").catch(() => null)) {
                    return it;
                }
            }
            await page.waitForTimeout(50);
        }
        throw new Error("no picture");
    };
    const picture = await frame();
    console.log(`the picture: ${Date.now() - asked} ms with the keys that ask for it`);
    const count = (await picture.$$(".node")).length;
    check("the picture has every candidate", count >= 40, count);
    check("what was chosen is marked", (await picture.$$(".node.picked")).length >= 3);
    await page.waitForTimeout(500);
    const narrow = await picture.$$eval("header > *", (all) => all.filter((it) => it.getBoundingClientRect().right > innerWidth).map((it) => it.textContent));
    check("what is above the picture is all to be seen", narrow.length === 0, narrow);
    await seen("graph-beside");
    await command(page, "View: Close Editors in Other Groups");
    await page.waitForTimeout(500);
    const whole = await frame();
    await whole.click("#fit");
    await whole.hover('.node:has(text:text-is("arrival")):has(text:text-is("new OrderBook.Entry:11")) .box >> nth=0');
    const words = await whole.textContent("footer");
    check("hovering says in words where a wrong value shows", /A wrong value shows in .* flows through .* → /.test(words), words);
    const way = await whole.$$eval(".node.near .name", (all) => all.map((it) => it.textContent).sort().join());
    check("and shows the way", way === "1. book.open(),5. arrival,arrival,bids,return", way);
    const steps = (await whole.$$(".edge.near")).length;
    check("with its edges", steps === 4, steps);
    await page.waitForTimeout(300);
    await seen("graph", { x: 48, y: 30, width: 1232, height: 700 });
    await whole.hover("#in");
    const box = async () => (await whole.$("main > svg")).getAttribute("viewBox");
    const before = await box();
    await whole.click("#in");
    check("the picture scales", (await box()) !== before, before);
    const scaled = await box();
    await page.keyboard.press("ArrowRight");
    check("and moves by the keyboard", (await box()) !== scaled, scaled);
    const policy = await whole.evaluate(() => document.querySelector("meta[http-equiv]").content);
    check("nothing but our own style and script may run", /^default-src 'none'; style-src [^;]*'nonce-[^;]*; script-src 'nonce-[^']*'$/.test(policy), policy);
    for (const [name, theme, kind] of [
        ["light", "Light Modern", "vscode-light"],
        ["contrast", "Dark High Contrast", "vscode-high-contrast"],
        ["contrast-light", "Light High Contrast", "vscode-high-contrast-light"],
        ["dark", "Dark Modern", "vscode-dark"],
    ]) {
        await page.keyboard.press("Control+K");
        await page.keyboard.press("Control+T");
        await page.waitForFunction(() => document.querySelector(".quick-input-widget input")?.placeholder.includes("Theme"));
        await page.waitForTimeout(300);
        await page.locator(".quick-input-widget input").fill(theme);
        await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: theme }).waitFor();
        await page.waitForTimeout(500);
        await page.keyboard.press("Enter");
        await whole.waitForFunction((kind) => document.body.classList.contains(kind), kind);
        await whole.click("#fit");
        await page.waitForTimeout(500);
        await seen(`graph-${name}`);
        if (kind.includes("contrast")) {
            const fills = await whole.$$eval(".node .box", (all) => [document.body, ...all].map((it) => getComputedStyle(it)[it === document.body ? "backgroundColor" : "fill"]));
            check(`with ${theme} every box has the colour of the page`, new Set(fills).size === 1, [...new Set(fills)]);
        }
    }
    await whole.focus(".node.picked >> xpath=..");
    const focused = await whole.textContent("footer");
    check("the keyboard reaches the values", /to observe/.test(focused), focused);
    await page.keyboard.press("Enter");
    const source = page.locator('.tab.active[data-resource-name$=".java"]');
    await source.waitFor();
    check("Enter goes to the source", true);

    // The picture again, which was hidden.
    const tab = page.locator(".tab", { hasText: "Graph of" });
    const back = async () => {
        await tab.click();
        const it = await frame();
        await page.waitForTimeout(500);
        return it;
    };
    const view = (it) => it.$eval("main > svg", (svg) => svg.getAttribute("viewBox"));
    let again = await back();
    await again.click("#fit");
    await again.click("#in");
    const first = await again.locator(".node.first.readable .box").boundingBox();
    const paper = await again.locator("main").boundingBox();
    const half = first.x + first.width / 2;
    await page.mouse.move(paper.x + paper.width - 20, paper.y + paper.height - 20);
    await page.mouse.down();
    await page.mouse.move(paper.x + paper.width - 20 + paper.x - half, paper.y + paper.height - 20, { steps: 8 });
    await page.mouse.up();
    // The picture's frame is another process, and may be behind.
    for (let i = 0; i < 50; i++) {
        const { x, width } = await again.locator(".node.first.readable .box").boundingBox();
        if (Math.abs(x + width / 2 - paper.x) < 3) {
            break;
        }
        await page.waitForTimeout(100);
    }
    check("who moves the picture points at nothing", (await again.$$(".near")).length === 0, await again.textContent("footer"));
    const moved = await view(again);
    await page.mouse.click(paper.x + 10, first.y + first.height / 2);
    check("a click on a value of which half is to be seen goes to the source", await source.waitFor({ timeout: 5000 }).then(() => true, () => false));
    again = await back();
    check("a picture that was hidden is shown as it was left", (await view(again)) === moved, [moved, await view(again)]);
    await open(page, "OrderBookTest.java");
    // The picture may still have the keyboard.
    await click(line("class OrderBookTest"));
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("\n");
    const old = page.locator(".tab", { hasText: "before the last change" });
    check("of a picture that is older than the sources it is said", await old.waitFor({ timeout: 5000 }).then(() => true, () => false));
    again = await back();
    await again.click("#again");
    await old.waitFor({ state: "detached" });
    // The page that was there before may be the one that is found, and goes while it is asked.
    const drawn = async (more = 5) => {
        again = await back();
        const asked = again.$$eval(".node", (nodes) => {
            const svg = document.querySelector("main > svg");
            const [view, box] = [svg.viewBox.baseVal, svg.getBBox()];
            return { nodes: nodes.length, view: view.x + view.width, drawn: box.x + box.width };
        });
        return asked.catch((error) => (more > 0 && /detached/.test(error.message) ? drawn(more - 1) : Promise.reject(error)));
    };
    const empty = await drawn();
    check("and it is drawn again", empty.nodes === count, empty);
    check("its first view is of the drawing, not of what is beside", empty.view <= empty.drawn + 60, empty);
    await open(page, "OrderBookTest.java");
    await page.keyboard.press("Control+Z");

    // Those that went by, too.
    await command(page, "Notifications: Show Notifications");
    await page.locator(".notifications-center").waitFor();
    const notes = await texts(".notification-list-item-message");
    await command(page, "Notifications: Clear All Notifications");
    check("nobody was disturbed by messages", notes.filter((it) => /telltale/i.test(it)).length === 0, notes);
    again = await back();
    const gone = join(project, "src/main/java/demo/Side.java");
    renameSync(gone, `${gone}.away`);
    await again.focus('a[href*="Side.java"] >> nth=0');
    await page.keyboard.press("Enter");
    const away = page.locator(".notification-list-item-message", { hasText: "Telltale cannot show src/main/java/demo/Side.java; it may be gone." });
    check("of a file that is gone it is said", await away.waitFor({ timeout: 5000 }).then(() => true, () => false));
    renameSync(`${gone}.away`, gone);
}

/** Within the extension host: what other extensions and the keyboard shortcuts of a user reach. */
async function inside(page) {
    await page.goto(`http://127.0.0.1:${port}/?folder=${project}`);
    await page.waitForSelector(".explorer-folders-view, .monaco-workbench .part.editor");
    await page.waitForTimeout(1000);
    await host(page, "Run");
    const said = await page.waitForSelector(`${STATUS}[aria-label*="Ready"][aria-label*="started again: the server ended by SIGKILL"]`).then(() => true, () => false);
    check("the status says why the server was started again", said, await page.getAttribute(STATUS, "aria-label"));
    await page.screenshot({ path: join(SEEN, "host.png") });
}

/** A command of the tests in the extension host, and what it found. */
async function host(page, title) {
    rmSync(environment.RESULT, { force: true });
    await command(page, `Telltale Tests: ${title}`);
    for (let i = 0; i < 240 && !existsSync(environment.RESULT); i++) {
        await page.waitForTimeout(250);
    }
    check(`the tests in the extension host end: ${title}`, existsSync(environment.RESULT));
    const results = existsSync(environment.RESULT) ? JSON.parse(readFileSync(environment.RESULT, "utf8")) : [];
    for (const { what, ok, found } of results) {
        check(what, ok, found);
    }
}

/** Several folders in one window. */
async function several(page) {
    const kept = (path) => statSync(path).isDirectory() || /(Stats.*\.java|pom\.xml)$/.test(path);
    cpSync(DEMO, join(home, "second"), { recursive: true, filter: (path) => !path.endsWith("/target") && kept(path) });
    const workspace = join(home, "both.code-workspace");
    writeFileSync(workspace, JSON.stringify({ folders: [{ path: "demo" }] }));
    // A window that follows another at once sometimes comes up without the folders of its workspace: then once more.
    await page.goto("about:blank");
    await page.goto(`http://127.0.0.1:${port}/?workspace=${workspace}`);
    const shown = () => page.locator(".explorer-folders-view .monaco-list-row", { hasText: "pom.xml" }).waitFor({ timeout: 10000 });
    const opened = () => shown().then(() => true, () => false);
    if (!(await opened()) && !(await page.reload().then(opened))) {
        // code-server's affair: without its folders the window says nothing of ours.
        console.log("skipped: the window came up without the folders of its workspace; several folders were not tried");
        return;
    }
    await page.waitForTimeout(1000);
    await host(page, "Change the Folders");
    await page.click(STATUS);
    const input = page.locator(".quick-input-widget input");
    await input.waitFor();
    const told = await input.getAttribute("placeholder");
    check("the status counts the files of all folders", told === "Ready: 24 files read.", told);
    await page.keyboard.press("Escape");
    await page.screenshot({ path: join(SEEN, "folders.png") });
}

/** Which tests check a line, by what was recorded: both ways, and from a lens. */
async function checkedLines(page, folder) {
    const toLine = async (file, words) => {
        await open(page, file);
        const path = file.endsWith("Test.java") ? `src/test/java/algebra/${file}` : `src/main/java/algebra/${file}`;
        const at = readFileSync(join(folder, path), "utf8").split("\n").findIndex((it) => it.includes(words)) + 1;
        await goTo(page, at);
    };
    const rows = page.locator(".quick-input-widget .monaco-list-row");
    const listed = async (words) => {
        await rows.filter({ hasText: words }).first().waitFor().catch(async (error) => {
            const told = await page.locator(".notification-list-item-message").allTextContents();
            throw new Error(`${error.message}\nThere is: ${JSON.stringify([await rows.allTextContents(), told])}`);
        });
        return rows.allTextContents();
    };
    await toLine("Complex.java", "return Math.hypot(real, imaginary)");
    await ready(page);
    await command(page, "Telltale: Which Tests Check This Line");
    const tests = await listed("checks it");
    check("the tests of a line are listed, those that check it first", /ComplexTest|Complex_ESTest/.test(tests[0]) && /checks it/.test(tests[0]), tests);
    await page.screenshot({ path: join(SEEN, "checked.png") });
    await page.keyboard.press("Enter");
    await page.waitForSelector('.tab.active[data-resource-name^="Complex"][data-resource-name$="Test.java"]');
    check("and one is gone to", true);
    await open(page, "Complex.java");
    const lens = page.locator(".codelens-decoration a", { hasText: /run by \d+ tests?, checked by \d+/ }).first();
    await lens.waitFor();
    check("above methods stands how many run and check them", true);
    await page.screenshot({ path: join(SEEN, "checked-lens.png") });
    // Lenses that come below one another move the lines, and a click may fall beside: then once more.
    const some = rows.filter({ hasText: / it$/ }).first();
    for (let more = 4; more > 0; more--) {
        await eyes(page).click(lens);
        if (await some.waitFor({ timeout: 5000 }).then(() => true, () => false)) {
            break;
        }
    }
    check("a click on it lists them", /checks it|runs it/.test((await listed(/ it$/))[0]));
    await page.keyboard.press("Escape");
    await toLine("ComplexTest.java", "@Test");
    await page.keyboard.press("ArrowDown");
    await command(page, "Telltale: Which Tests Check This Line");
    const lines = await listed("Complex.java:");
    check("the lines of a test are listed", lines.every((it) => /Complex\.java:\d+, (not )?checked/.test(it)), lines);
    await page.keyboard.press("Escape");
    await command(page, "View: Close All Editors");
}

/** A copy of a project whose tests were recorded, in the window; false where nothing can be recorded. */
async function recordedIn(page, from, folder) {
    cpSync(from, folder, { recursive: true, filter: (path) => !path.endsWith("/target") });
    const extension = readdirSync(join(home, "extensions")).find((it) => it.startsWith("telltale.telltale-") && !it.includes("host"));
    const telltale = join(home, "extensions", extension, "server/telltale");
    const ran = spawnSync(telltale, ["record", "-q", folder], { encoding: "utf8" });
    if (ran.status !== 0) {
        // Without Maven or its repository nothing runs; the command line's own tests say so too.
        const why = ran.stderr.split("\n")[0];
        if (process.env.REQUIRE) {
            check(`the tests of ${basename(folder)} are recorded`, false, why);
        } else {
            console.log(`skipped: nothing could be recorded: ${why}`);
        }
        return false;
    }
    mkdirSync(join(folder, ".vscode"), { recursive: true });
    writeFileSync(join(folder, ".vscode/settings.json"), JSON.stringify({ "telltale.lens.checked": true }));
    await page.goto("about:blank");
    await page.goto(`http://127.0.0.1:${port}/?folder=${folder}`);
    await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "pom.xml" }).waitFor();
    return true;
}

/** What was recorded of the demo, in lenses, the light bulb and hovers. */
async function recorded(page) {
    const folder = join(home, "recorded");
    if (await recordedIn(page, DEMO, folder)) {
        await walkRecorded(page, { check, command, open, ready, goTo, folder, ...eyes(page) });
    }
}

/** From a generated test that was recorded to an assertion that somebody accepts. */
async function suspects(page) {
    const folder = join(home, "suspects");
    if (!(await recordedIn(page, join(DEMO, "../suspects"), folder))) {
        return;
    }
    await checkedLines(page, folder);
    await open(page, "Complex_ESTest.java");
    await ready(page);
    await page.locator(".squiggly-hint").first().waitFor();
    check("what is worth a look first is marked", true);
    const line = readFileSync(join(folder, "src/test/java/algebra/Complex_ESTest.java"), "utf8")
        .split("\n")
        .findIndex((it, at, all) => it.includes("assertFalse(boolean0);") && all[at - 1].includes("complex0.equals(complex1)"));
    const there = () => goTo(page, `${line + 1}:23`);
    await there();
    await command(page, "Show or Focus Hover");
    const hover = page.locator(".monaco-hover:visible", { hasText: "Generated assertion." });
    await hover.waitFor();
    const said = await hover.textContent();
    check("the hover tells the rank and what was usual", /1st of 40/.test(said) && /held that result\.imaginary != 0/.test(said) && /It comes here so: /.test(said), said);
    await page.screenshot({ path: join(SEEN, "suspects.png") });
    await page.keyboard.press("Escape");
    await command(page, "Telltale: Show the Generated Assertions That Look Wrong");
    const listed = page.locator(".quick-input-widget .monaco-list-row", { hasText: "assertFalse(boolean0)" }).first();
    await listed.waitFor();
    const row = await listed.textContent();
    check("what is marked is listed with rank and score", /1\. assertFalse\(boolean0\)/.test(row) && /score 0\.\d{3}/.test(row) && /Worth a look first/.test(row), row);
    await page.keyboard.press("Escape");
    const offers = (what) => offered(page, there, what);
    // A diagnostic that arrives closes the menu between the row that was found and its click: it is asked for until its page opens.
    const tab = page.locator(".tab", { hasText: "Evidence: " });
    for (let i = 0; i < 4 && (await tab.count()) === 0; i++) {
        await (await offers("Show the evidence")).click({ timeout: 5000 }).catch(() => undefined);
        await tab.waitFor({ timeout: 10000 }).catch(() => undefined);
    }
    let evidence = "";
    for (let i = 0; i < 300 && !evidence; i++) {
        for (const it of page.frames()) {
            const figure = await it.$("section figure svg circle").catch(() => null);
            evidence ||= figure ? await it.evaluate(() => document.body.textContent).catch(() => "") : "";
        }
        await page.waitForTimeout(100);
    }
    check("the evidence is a page with both sides and a plot", /conjugatesAbove/.test(evidence) && /test01/.test(evidence) && /-0\.0/.test(evidence), evidence || (await page.$$eval(".tab, .notification-list-item", (all) => all.map((it) => it.textContent))));
    await page.screenshot({ path: join(SEEN, "suspects-evidence.png") });
    await command(page, "View: Close All Editors");
    await open(page, "Complex_ESTest.java");
    await page.locator(".squiggly-hint").first().waitFor();
    const accept = await offers("Accept this assertion");
    const all = await page.$$eval(".action-widget .monaco-list-row", (rows) => rows.map((it) => it.textContent));
    check("it can be accepted, turned round and removed", ["Accept this assertion", "Correct it: assertTrue", "Remove this assertion"].every((it) => all.some((has) => has.includes(it))), all);
    await page.screenshot({ path: join(SEEN, "suspects-actions.png") });
    await accept.click();
    const remembered = join(folder, "telltale-dismissed.toml");
    for (let i = 0; i < 100 && !(existsSync(remembered) && readFileSync(remembered, "utf8").includes("assertFalse(boolean0)")); i++) {
        await command(page, "File: Save All");
        await page.waitForTimeout(300);
    }
    check("accepting is remembered in a file", existsSync(remembered) && readFileSync(remembered, "utf8").includes("assertFalse(boolean0)"));
    await open(page, "Complex_ESTest.java");
    // The server hears of the file when the editor's watcher says so: the hover is asked until it knows.
    const after = page.locator(".monaco-hover:visible", { hasText: "Generated assertion." });
    let now = "";
    for (let i = 0; i < 30 && !/Safe, /.test(now); i++) {
        await page.keyboard.press("Escape");
        await there();
        await command(page, "Show or Focus Hover");
        await after.waitFor();
        now = await after.textContent();
    }
    check("and what is accepted is no suspect", /Safe, /.test(now) && !/1st of 40/.test(now), now);
}

/** A folder that nobody trusts names a server: it is not run, until somebody trusts the folder. */
async function untrusted(page) {
    const folder = join(home, "stranger");
    cpSync(DEMO, folder, { recursive: true, filter: (path) => !path.endsWith("/target") });
    const extension = readdirSync(join(home, "extensions")).find((it) => it.startsWith("telltale.telltale-") && !it.includes("host"));
    const real = join(home, "extensions", extension, "server/telltale");
    const [program, mark] = [join(folder, "server"), join(home, "ran")];
    writeFileSync(program, `#!/bin/sh\n: > ${mark}\nexec ${real} "$@"\n`, { mode: 0o755 });
    mkdirSync(join(folder, ".vscode"));
    writeFileSync(join(folder, ".vscode/settings.json"), JSON.stringify({ "telltale.server.path": program }));
    const trust = { "security.workspace.trust.enabled": true, "security.workspace.trust.startupPrompt": "never" };
    writeFileSync(join(home, "data/User/settings.json"), JSON.stringify({ ...settings, ...trust }));
    await page.goto("about:blank");
    await page.goto(`http://127.0.0.1:${port}/?folder=${folder}`);
    await page.waitForSelector(".statusbar-item >> text=Restricted Mode");
    const shows = async () => {
        await open(page, "StatsTest.java");
        await page.locator(".codelens-decoration:visible", { hasText: /next: |inside: / }).first().waitFor();
        return true;
    };
    check("a folder that is not trusted gets lenses", await shows());
    check("but the server that it names is not run", !existsSync(mark));
    await page.screenshot({ path: join(SEEN, "untrusted.png") });
    await command(page, "Workspaces: Manage Workspace Trust");
    await page.locator(".workspace-trust-editor a.monaco-button", { hasText: /^Trust$/ }).click();
    for (let i = 0; i < 100 && !existsSync(mark); i++) {
        await page.waitForTimeout(100);
    }
    check("once the folder is trusted, it is", existsSync(mark));
    await page.screenshot({ path: join(SEEN, "trusted.png") });
    check("and serves", await shows());
}

/** Without a server: one message that says the one thing to do. */
async function without(page) {
    await command(page, "Telltale Tests: Lose the Server");
    const messages = page.locator(".notification-list-item-message");
    const message = messages.filter({ hasText: "Telltale" }).first();
    await message.waitFor();
    const said = await message.textContent();
    check("without a server it is said what to do", said === "Telltale's server is not at /nowhere/telltale: correct the setting telltale.server.path.", said);
    await page.waitForSelector(`${STATUS}.warning-kind`);
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(SEEN, "missing.png") });
    await page.locator(".notification-list-item a.monaco-button", { hasText: "Open the Setting" }).click();
    const setting = page.locator(".settings-editor .setting-item-contents", { hasText: "The server's program" });
    await setting.waitFor();
    check("and the button goes there", (await setting.locator("input").inputValue()) === "/nowhere/telltale");
    await page.screenshot({ path: join(SEEN, "settings.png") });
    // The settings stand before the editors, and keep the keyboard.
    await page.keyboard.press("Escape");
    await setting.waitFor({ state: "detached" });
    await command(page, "Telltale Tests: Find the Server");
    // A window that is left before the setting is written leaves it to the next.
    await ready(page);
    check("with the setting mended it runs again", true);
    await command(page, "Notifications: Clear All Notifications");
    await messages.first().waitFor({ state: "detached" });
    await command(page, "Telltale Tests: Break the Server");
    await message.waitFor();
    // Another server is ready only once the extension is done with this one: what it has to say of it is said by then.
    await command(page, "Telltale Tests: Find the Server");
    await ready(page);
    const told = await messages.allTextContents();
    check("of a server that ends at once one message tells", told.length === 1 && /ended 5 times .*with 3: out of order$/.test(told[0]), told);
    await command(page, "Notifications: Clear All Notifications");
}

/** What the extension wrote to its output. */
function logged() {
    const files = readdirSync(join(home, "data"), { recursive: true }).filter((path) => path.endsWith("Telltale.log"));
    return files.map((path) => readFileSync(join(home, "data", path), "utf8")).join("\n");
}
