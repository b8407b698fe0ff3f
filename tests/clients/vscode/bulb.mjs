// The light bulb. A diagnostic that arrives closes its menu, and what was asked of the server too early is not asked again:
// it is opened until it offers what is wanted.
const ROWS = ".action-widget .monaco-list-row";
const AGAIN = 8;

/** The rows that hold `what`, at the place to which `there` goes. */
export async function offered(page, there, what) {
    const rows = page.locator(ROWS, { hasText: what });
    for (let i = 0; ; i++) {
        await there();
        await page.keyboard.press("Control+.");
        const last = i === AGAIN;
        const is = await rows.first().waitFor({ timeout: last ? undefined : 5000 }).then(() => true, (error) => last ? Promise.reject(error) : false);
        if (is) return rows;
        await page.keyboard.press("Escape");
    }
}
