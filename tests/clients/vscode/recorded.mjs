// What stands in an editor once the tests were recorded: values in lenses, a finished assertion, and the values of a variable of the
// code under test, test by test.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { offered } from "./bulb.mjs";

export async function walk(page, { check, command, open, ready, goTo, folder, seen, click }) {
    const lineOf = (path, words) => readFileSync(join(folder, path), "utf8").split("\n").findIndex((it) => it.includes(words)) + 1;
    // Hints that come late move the words of a line, never the line.
    const hovered = async (at, words) => {
        const hover = page.locator(".monaco-hover:visible", { hasText: words });
        for (let more = 5; more >= 0; more--) {
            await page.keyboard.press("Escape");
            await goTo(page, at);
            await command(page, "Show or Focus Hover");
            const there = hover.waitFor({ timeout: 4000 });
            if (more === 0 || (await there.then(() => true, () => false))) {
                await there;
                return hover.textContent();
            }
        }
    };
    const placed = (path, words, name) => {
        const text = readFileSync(join(folder, path), "utf8").split("\n");
        const line = lineOf(path, words);
        return `${line}:${text[line - 1].indexOf(name) + 2}`;
    };

    // Lenses with values, and the assertion that a light bulb finishes.
    const test = "src/test/java/demo/OrderBookTest.java";
    await open(page, "OrderBookTest.java");
    await ready(page);
    await page.keyboard.press("Control+B");
    await page.locator(".codelens-decoration", { hasText: "next: book.open() = 1" }).waitFor();
    // Lenses are drawn where they are to be seen.
    await goTo(page, 37);
    await page.locator(".codelens-decoration", { hasText: /next: book\.volume\(\) = \d+/ }).waitFor();
    check("lenses say the values", true);
    await page.waitForTimeout(500);
    await seen("recorded-lens", { x: 48, y: 30, width: 860, height: 560 });
    const rows = await offered(page, () => goTo(page, `${lineOf(test, "book.open();")}:14`), "Assert book.open() is 1");
    await page.waitForTimeout(300);
    await seen("recorded-action", { x: 48, y: 30, width: 860, height: 560 });
    await click(rows.first());
    const inserted = page.locator(".view-line", { hasText: "assertEquals(1, book.open())" });
    await inserted.waitFor();
    check("the light bulb writes the whole assertion", true);
    await page.keyboard.press("Control+Z");
    await inserted.waitFor({ state: "detached" });

    // The values of a variable of the code under test.
    const account = "src/main/java/demo/Account.java";
    await open(page, "Account.java");
    await page.locator(".codelens-decoration", { hasText: /run by \d+ tests?, checked by/ }).first().waitFor();
    const values = await hovered(placed(account, "boolean overdrawn", "overdrawn"), "goesIntoTheRed");
    check("a hover has the values test by test", /true/.test(values) && /false/.test(values), values);
    await page.waitForTimeout(300);
    await seen("recorded-hover", { x: 48, y: 30, width: 1010, height: 560 });
    await page.keyboard.press("Escape");
    await command(page, "View: Close All Editors");
}
