// How a value is checked, when, and in which test: chosen one after the other. What there is the server says.
import * as vscode from "vscode";

/** The answer of `telltale.inner.choices`. */
export interface Choices {
    name: string;
    inLoop: boolean;
    takesStatements: boolean;
    condition: string;
    tests: { test: [path: string, name: string]; runs: boolean }[];
    check: object;
}

type Entry<T> = vscode.QuickPickItem & { means: T };

/** What goes to `telltale.inner`; nothing if somebody thought better of it. */
export async function chosen(choices: Choices): Promise<object | undefined> {
    const what = await chosenWhat(choices);
    if (!what) {
        return;
    }
    // That a place runs or does not is no matter of one time.
    const turn = choices.inLoop && what !== "ran" && what !== "never" ? await chosenTurn(choices.name) : "";
    if (turn === undefined) {
        return;
    }
    const test = await chosenTest(choices);
    return test && { ...choices.check, test, what, ...(turn && { turn }) };
}

type What = "tell" | "ran" | "never" | { that: string };

async function chosenWhat({ name, takesStatements, condition }: Choices): Promise<What | undefined> {
    if (!takesStatements) {
        return "tell";
    }
    const entries: Entry<What>[] = [
        { label: `What ${name} is`, description: "the first run tells it", means: "tell" },
        { label: "A condition…", description: condition, means: { that: condition } },
        { label: "That this place runs", means: "ran" },
        { label: "That this place does not run", means: "never" },
    ];
    const means = await picked(`Check ${name}: what of it?`, entries);
    if (typeof means !== "object") {
        return means;
    }
    const that = await vscode.window.showInputBox({ title: `What holds of ${name}?`, prompt: "A Java expression", value: condition });
    return that === undefined ? undefined : { that };
}

async function chosenTurn(name: string): Promise<string | undefined> {
    const means = await picked(`Check ${name}: in a loop it is there several times`, [
        { label: "The last time", means: "last" },
        { label: "The first time", means: "first" },
        { label: "Each time", means: "every" },
        { label: "Another time…", means: "" },
    ]);
    if (means !== "") {
        return means;
    }
    return vscode.window.showInputBox({
        title: `Which time is ${name} checked?`,
        value: "2",
        validateInput: (text) => (/^[1-9]\d{0,8}$/.test(text) ? undefined : "A number from 1"),
    });
}

async function chosenTest({ name, tests }: Choices): Promise<[string, string] | undefined> {
    const [only] = tests;
    if (only?.runs && tests.filter(({ runs }) => runs).length === 1 && tests.length === 1) {
        return only.test;
    }
    const entries = tests.map(({ test, runs }) => ({
        // `demo.StatsTest#mixedSigns()`
        label: test[1].replace(/\(.*$/, "").replace(/^.*\./, "").replace("#", "."),
        description: runs ? "runs it" : test[0],
        means: test,
    }));
    return picked(tests[0]?.runs ? `Check ${name}: in which test?` : `No test is known to run ${name}: in which is it checked?`, entries);
}

async function picked<T>(title: string, entries: Entry<T>[]): Promise<T | undefined> {
    const entry = await vscode.window.showQuickPick(entries, { title, matchOnDescription: true });
    return entry?.means;
}
