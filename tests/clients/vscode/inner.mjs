// An inner oracle as a person has it: made by the light bulb over both files, compiled and run, filled in, removed to the
// byte; and once more with everything chosen.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { offered } from "./bulb.mjs";

const ROWS = ".quick-input-list .monaco-list-row";
const ACTIONS = ".action-widget .monaco-list-row.action";

export async function walk(page, { check, command, open, ready, project, demo, junit, texts, seen, click, line }) {
    const before = sources(demo);
    const stats = join(project, "src/main/java/demo/Stats.java");
    const guard = join(project, "src/main/java/demo/InnerOracle.java");
    const same = () => JSON.stringify(sources(project)) === JSON.stringify(before);
    const until = async (done) => {
        for (let i = 0; i < 100 && !done(); i++) {
            await page.waitForTimeout(100);
        }
        return done();
    };
    // A save that is still being written when an edit is undone leaves the file as it was before, with nothing to save.
    const settled = () => page.locator(".tab.dirty").first().waitFor({ state: "detached" }).catch(() => {});
    const saved = async (done) => {
        for (let i = 0; i < 10 && !done(); i++) {
            await command(page, "File: Save All");
            await page.waitForTimeout(500);
        }
        await settled();
        return done();
    };
    const holds = (path, text) => existsSync(path) && readFileSync(path, "utf8").includes(text);
    const shown = (text) => page.locator(".editor-group-container.active .view-line", { hasText: text });
    const appears = (locator) => locator.first().waitFor().then(() => true, () => false);
    const toNeg = async () => {
        await click(line("neg++;"));
        await page.keyboard.press("Home");
    };
    const bulb = () => offered(page, toNeg, "Check neg here in test");

    await open(page, "Stats.java");
    await ready(page);
    check("what is opened is what the demo has", same());
    let checks = await bulb();
    const all = await texts(ACTIONS);
    check("the light bulb offers to check a value inside, and to choose how", all.length === 3 && /choose how, and in which test/.test(all[2]), all);
    await seen("inner", { x: 48, y: 300, width: 700, height: 312 });
    await checks.first().click();
    const told = shown("InnerOracle.tell(");
    await told.waitFor();
    await seen("inner-written", { x: 48, y: 60, width: 1000, height: 600 });
    const test = join(project, "src/test/java/demo/StatsTest.java");
    const written = await saved(() => holds(stats, "InnerOracle.tell(") && holds(test, "InnerOracle.on("));
    check("and checks it, in both files and with the class that it calls", written && holds(guard, "class InnerOracle"));

    // As a person fills in what the first run tells.
    if (junit) {
        const run = () => ran(project, junit);
        const first = run();
        check("what it wrote compiles", first.compiled === "", first.compiled);
        const call = /InnerOracle\.equal\("StatsTest\.morePositiveThanNegative: neg", 1, neg\)/.exec(first.said)?.[0];
        check("the test fails, and tells the value", first.failed && call, first.said);
        const put = async (was, text) => {
            await click(line(was));
            await page.keyboard.press("Home");
            await page.keyboard.press("Shift+End");
            await page.keyboard.insertText(`${text};`);
            return saved(() => holds(stats, `        ${text};\n`));
        };
        check("the call that it tells is written instead", await put("InnerOracle.tell(", call ?? ""), await texts(".view-line"));
        const right = run();
        check("with the value the test passes", right.compiled === "" && !right.failed, right);
        await put("InnerOracle.equal(", (call ?? "").replace(", 1, neg", ", 2, neg"));
        const wrong = run();
        check("with another it fails, and says both", wrong.failed && /expected 2, but was 1/.test(wrong.said), wrong.said);
    } else {
        console.log("skipped: no JUnit; what the action wrote was not compiled");
    }

    // The tree: where there are oracles, both sides of each, and the way back.
    await command(page, "Explorer: Focus on Inner Oracles View");
    const pane = page.locator(".pane", { has: page.locator('.pane-header[aria-label*="Inner Oracles"]') });
    const rows = pane.locator(".monaco-list-row");
    await rows.nth(2).waitFor();
    const tree = await rows.allTextContents();
    check("a tree has it, with both sides", /StatsTest\.morePositiveThanNegative: neg/.test(tree[0]) && /Stats\.java:26checks/.test(tree[1]) && /StatsTest\.java:\d+switches it on/.test(tree[2]), tree);
    await seen("inner-tree");
    await rows.nth(2).click();
    await page.waitForSelector('.tab.active[data-resource-name="StatsTest.java"]');
    check("and goes there", await appears(shown("InnerOracle.on(")));
    await rows.first().hover();
    await rows.first().locator(".action-label").first().click();
    check("removed there, all files are as they were", (await saved(same)) && !existsSync(guard), differing(before, sources(project)));
    check("and no tree is left", await pane.waitFor({ state: "detached" }).then(() => true, () => false));
    await page.keyboard.press("Control+B");

    // Made and taken back: one step over all files.
    await open(page, "Stats.java");
    checks = await bulb();
    await checks.first().click();
    await told.waitFor();
    // VS Code saves what a code action wrote: what is still being written is not taken back.
    const made = await saved(() => holds(stats, "InnerOracle.tell(") && holds(test, "InnerOracle.on(") && existsSync(guard));
    check("it is made once more", made, differing(before, sources(project)));
    await open(page, "Stats.java");
    await page.keyboard.press("Control+Z");
    await told.waitFor({ state: "detached" });
    await settled();
    const undone = (await until(() => !existsSync(guard))) && (await saved(same));
    check("it is undone in one step", undone, [await texts(".notification-list-item-message"), differing(before, sources(project))]);

    // How it is checked, and in which test, is chosen.
    await bulb();
    await page.locator(ACTIONS, { hasText: "choose how, and in which test" }).click();
    const choices = page.locator(ROWS);
    await choices.filter({ hasText: "A condition…" }).waitFor();
    const ways = await choices.allTextContents();
    check("what can be checked is to be chosen", ways.length === 4 && /this place runs/.test(ways[2]) && /does not run/.test(ways[3]), ways);
    await choices.filter({ hasText: "A condition…" }).click();
    const input = page.locator(".quick-input-widget input");
    await page.locator(".quick-input-title", { hasText: "What holds of neg?" }).waitFor();
    check("a condition is proposed", (await input.inputValue()) === "neg >= 0", await input.inputValue());
    await page.keyboard.press("Enter");
    const runs = choices.filter({ hasText: "runs it" });
    await runs.first().waitFor();
    await runs.first().click();
    check("a condition that is chosen is checked", await appears(shown("neg >= 0, neg")), await texts(".view-line"));
    await command(page, "Telltale: Show Inner Oracles");
    const named = choices.filter({ hasText: /StatsTest\.\w+: neg/ });
    await named.waitFor();
    check("it is listed", true);
    await named.hover();
    await named.locator(".action-label").first().click();
    await until(() => !existsSync(guard));
    check("and removed with the class that it calls", await saved(same), differing(before, sources(project)));

    // In a loop one of the times is chosen, and any other test.
    await click(line("int number = list.get(i)"));
    await page.keyboard.press("Home");
    await page.keyboard.press("Control+ArrowRight");
    await page.keyboard.press("ArrowRight");
    await command(page, "Telltale: Check the Value at the Cursor in a Test");
    await choices.filter({ hasText: "What number is" }).click();
    await choices.filter({ hasText: "Another time…" }).click();
    await page.locator(".quick-input-title", { hasText: "Which time is number checked?" }).waitFor();
    await input.fill("3");
    await page.keyboard.press("Enter");
    await runs.first().waitFor();
    await choices.filter({ hasText: "StatsTest.meanOfNothing" }).click();
    const turn = () => holds(test, '"StatsTest.meanOfNothing: number").turn(3)');
    check("the third time in a test that nobody knew of is checked", await saved(turn), await texts(".view-line"));
    await command(page, "Telltale: Remove All Inner Oracles");
    await until(() => !existsSync(guard));
    check("all are removed at once", await saved(same), differing(before, sources(project)));
}

/** All files below `src`, by their path from the project. */
function sources(folder) {
    const all = readdirSync(join(folder, "src"), { recursive: true, withFileTypes: true });
    const files = all.filter((it) => it.isFile()).map((it) => join(it.parentPath, it.name));
    return Object.fromEntries(files.sort().map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]));
}

/** What differs between two of them. */
function differing(was, is) {
    const paths = new Set([...Object.keys(was), ...Object.keys(is)]);
    return [...paths].filter((path) => was[path] !== is[path]).map((path) => [path, is[path]?.slice(0, 2000) ?? "gone"]);
}

/** Compiles the project's package and the test, and runs it: what javac has against it, whether it failed, what was said. */
function ran(project, junit) {
    const out = join(project, "target/inner");
    rmSync(out, { recursive: true, force: true });
    const java = Object.keys(sources(project)).filter((path) => path.endsWith(".java") && (path.startsWith("src/main/") || path.endsWith("/StatsTest.java")));
    const javac = spawnSync("javac", ["-d", out, "-cp", junit, ...java], { cwd: project, encoding: "utf8" });
    if (javac.status !== 0) {
        return { compiled: javac.stderr || String(javac.error), failed: true, said: "" };
    }
    const run = ["-cp", `${out}:${junit}`, "org.junit.platform.console.ConsoleLauncher", "execute", "--select-class", "demo.StatsTest"];
    const launched = spawnSync("java", run, { encoding: "utf8" });
    return { compiled: "", failed: launched.status !== 0, said: launched.stdout + launched.stderr };
}
