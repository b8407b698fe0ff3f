// Runs in the web view: moves and scales the picture, says in words what the pointer or the keyboard is on.
declare function acquireVsCodeApi(): { postMessage(message: unknown): void; getState(): View | undefined; setState(view: View): void };

/** Where one looks, and on which drawing: what is hidden is thrown away and made again from its text. */
interface View {
    drawing?: string;
    x: number;
    y: number;
    scale: number;
}

const editor = acquireVsCodeApi();
const svg = document.querySelector<SVGSVGElement>("main > svg")!;
const paper = document.querySelector("main")!;
const words = document.querySelector("footer")!;
const hint = words.textContent!;
const { width, height } = svg.viewBox.baseVal;
const drawing = paper.dataset.drawing;
let scale = 1;
let [x, y] = [0, 0];
let placed = false;

function draw(): void {
    const { clientWidth, clientHeight } = paper;
    svg.setAttribute("viewBox", `${x} ${y} ${clientWidth / scale} ${clientHeight / scale}`);
    svg.setAttribute("width", String(clientWidth));
    svg.setAttribute("height", String(clientHeight));
    editor.setState({ drawing, x, y, scale });
}

/** Scales around a point of the window. */
function zoom(by: number, left = paper.clientWidth / 2, top = paper.clientHeight / 2): void {
    const next = Math.min(4, Math.max(0.05, scale * by));
    x += left / scale - left / next;
    y += top / scale - top / next;
    scale = next;
    draw();
}

function fit(least: number): void {
    const whole = Math.min(paper.clientWidth / width, paper.clientHeight / height);
    scale = Math.min(1.25, Math.max(whole, least));
    x = (width - paper.clientWidth / scale) / 2;
    y = (height - paper.clientHeight / scale) / 2;
    if (whole < scale) {
        // Not all of it can be read at once: begin at what comes first, else at the upper left, and with no empty half.
        const box = (kind: string) => svg.querySelector<SVGRectElement>(`${kind} .box`)?.getBBox();
        const first = box(".first.readable") ?? box(".first");
        const begin = (middle: number, shown: number, all: number) => Math.max(0, Math.min(middle - shown / 2, all - shown));
        x = begin(first ? first.x + first.width / 2 : 0, paper.clientWidth / scale, width);
        y = begin(first ? first.y + first.height / 2 : 0, paper.clientHeight / scale, height);
    }
    draw();
}

/** What is under the pointer or has the focus, its edges and their other ends. */
function point(node: Element | null): void {
    svg.classList.toggle("pointed", node !== null);
    for (const old of svg.querySelectorAll(".near")) {
        old.classList.remove("near");
    }
    words.textContent = node?.getAttribute("data-words") ?? hint;
    const number = node?.getAttribute("data-node");
    node?.classList.add("near");
    const way = node?.getAttribute("data-way")?.split(" ") ?? [];
    for (const [index, on] of way.entries()) {
        svg.querySelector(`[data-node="${on}"]`)?.classList.add("near");
        svg.querySelector(`[data-from="${way[index - 1]}"][data-to="${on}"]`)?.classList.add("near");
    }
    if (number && way.length === 0) {
        for (const edge of svg.querySelectorAll(`[data-from="${number}"],[data-to="${number}"]`)) {
            edge.classList.add("near");
            const [from, to] = [edge.getAttribute("data-from"), edge.getAttribute("data-to")];
            svg.querySelector(`[data-node="${from === number ? to : from}"]`)?.classList.add("near");
        }
    }
}

function show(node: Element): void {
    const box = node.querySelector<SVGRectElement>(".box")?.getBBox();
    if (box && (box.x < x || box.y < y || box.x + box.width > x + paper.clientWidth / scale || box.y + box.height > y + paper.clientHeight / scale)) {
        x = box.x + box.width / 2 - paper.clientWidth / scale / 2;
        y = box.y + box.height / 2 - paper.clientHeight / scale / 2;
        draw();
    }
}

const parts = (target: EventTarget | null) => (target instanceof Element ? target.closest(".node,.edge") : null);
let grip: { x: number; y: number; moved: boolean } | undefined;

paper.addEventListener("pointerdown", (event) => {
    if (event.button === 0 && event.isPrimary) {
        grip = { x: event.clientX, y: event.clientY, moved: false };
    }
});
window.addEventListener("pointermove", (event) => {
    if (!grip || !event.isPrimary) {
        return;
    }
    const [dx, dy] = [event.clientX - grip.x, event.clientY - grip.y];
    if (grip.moved || Math.hypot(dx, dy) > 4) {
        paper.classList.add("moving");
        grip = { x: event.clientX, y: event.clientY, moved: true };
        x -= dx / scale;
        y -= dy / scale;
        draw();
    }
});
window.addEventListener("pointerup", () => {
    paper.classList.remove("moving");
    // The click that ends a move comes after this.
    setTimeout(() => (grip = undefined));
});
paper.addEventListener(
    "wheel",
    (event) => {
        event.preventDefault();
        if (event.ctrlKey || event.metaKey) {
            zoom(Math.exp(-event.deltaY / 200), event.clientX, event.clientY - paper.offsetTop);
        } else {
            [x, y] = event.shiftKey ? [x + event.deltaY / scale, y] : [x + event.deltaX / scale, y + event.deltaY / scale];
            draw();
        }
    },
    { passive: false },
);
svg.addEventListener("dragstart", (event) => event.preventDefault());
svg.addEventListener("pointerover", (event) => point(parts(event.target)));
svg.addEventListener("pointerleave", () => point(null));
// Not of the drawing itself: one that listens for it gets the focus by every click.
paper.addEventListener("focusin", (event) => {
    const node = (event.target as Element).querySelector(":scope > .node");
    if (node) {
        point(node);
        // What moves away under the mouse button gets no click.
        if ((event.target as Element).matches(":focus-visible")) {
            show(node);
        }
    }
});
paper.addEventListener("focusout", () => point(null));
svg.addEventListener("click", (event) => {
    event.preventDefault();
    const link = (event.target as Element).closest("a")?.getAttribute("href");
    if (link && !grip?.moved) {
        const [path, line] = link.split("#L");
        editor.postMessage({ path: decodeURIComponent(path), line: Number(line) });
    }
});
window.addEventListener("keydown", (event) => {
    const step = 60 / scale;
    const moves: Record<string, () => void> = {
        "+": () => zoom(1.25),
        "=": () => zoom(1.25),
        "-": () => zoom(0.8),
        "0": () => fit(0),
        ArrowLeft: () => (x -= step),
        ArrowRight: () => (x += step),
        ArrowUp: () => (y -= step),
        ArrowDown: () => (y += step),
    };
    const move = event.ctrlKey || event.metaKey || event.altKey ? undefined : moves[event.key];
    if (move) {
        event.preventDefault();
        move();
        draw();
    }
});
document.getElementById("in")!.addEventListener("click", () => zoom(1.25));
document.getElementById("out")!.addEventListener("click", () => zoom(0.8));
document.getElementById("fit")!.addEventListener("click", () => fit(0));
document.getElementById("again")!.addEventListener("click", () => editor.postMessage("again"));
new ResizeObserver(() => {
    // Before it has its place in the window it has no size.
    if (paper.clientWidth > 0 && !placed) {
        placed = true;
        const last = editor.getState();
        if (last?.drawing === drawing) {
            ({ x, y, scale } = last!);
        } else {
            fit(0.8);
        }
    }
    if (placed) {
        draw();
    }
}).observe(paper);

// A tooltip would cover what it explains: the words stand below, and are the link's name for those who hear it.
const whole = svg.querySelector(":scope > title");
svg.setAttribute("aria-label", whole?.textContent ?? "");
whole?.remove();
for (const title of svg.querySelectorAll(".node > title, .edge > title")) {
    const part = title.parentElement!;
    part.setAttribute("data-words", title.textContent!);
    part.closest("a")?.setAttribute("aria-label", title.textContent!);
    title.remove();
}
document.querySelector("header .note")!.textContent = svg.querySelector("text.note")?.textContent ?? "";
for (const kind of ["readable", "picked", "observed", "test"]) {
    const some = kind === "picked" ? ".node.picked:not(.readable)" : `.node.${kind}`;
    document.querySelector(`.key.${kind}`)!.toggleAttribute("hidden", !svg.querySelector(some));
}
