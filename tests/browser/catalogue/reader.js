// A reader of the catalogue: somebody with a browser window, who scrolls.

import assert from "node:assert/strict";

/** How long a reader looks at the end of a list before scrolling again, in milliseconds. */
const PATIENCE = 1_500;

/** A window of its own, and the troubles it had: complaints on its console, exceptions, and requests that failed. */
export async function openWindow(browser, script) {
    const context = await browser.newContext({ viewport: { width: 1000, height: 700 } });
    if (script !== null) {
        const answer = { contentType: "text/javascript; charset=utf-8", body: script };
        await context.route("**/assets/app.js*", (route) => route.fulfill(answer));
    }
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const troubles = [];
    page.on("console", (message) => {
        if (["warning", "error"].includes(message.type())) troubles.push(message.text());
    });
    page.on("pageerror", (error) => troubles.push(String(error)));
    return { page, troubles, close: () => context.close() };
}

/** A list on a page: the only one that the window scrolls, or one with a scroll bar of its own. */
export function listOn(page, label = "Largest packages") {
    const list = page.getByRole("list", { name: label });
    const rows = () => list.locator("> li").evaluateAll((rows) => rows.map((row) => Number(row.dataset.row)));

    /** Scrolls as far as it goes, once. */
    const scroll = (way) => list.evaluate(scrollFar, way);

    /** Scrolls until there is nothing more to come on that side. */
    async function scrollOut(way) {
        while (await list.evaluate(hasMore, way)) await load(way);
        return rows();
    }

    /**
     * Scrolls as far as it goes, and waits for the rows that come. The client takes no notice of a reader who is at the end
     * again while it still finishes the request before, so one who sees nothing come scrolls away and back.
     */
    async function load(way) {
        const had = (await rows()).length;
        let scrolled = 0;
        await waitUntil(async () => {
            if ((await rows()).length > had || !(await list.evaluate(hasMore, way))) return true;
            if (Date.now() - scrolled > PATIENCE) {
                if (scrolled > 0) {
                    await scroll(way === "down" ? "up" : "down");
                    await new Promise((resolve) => setTimeout(resolve, 100));
                }
                await scroll(way);
                scrolled = Date.now();
            }
            return false;
        });
    }

    return {
        rows,
        load,
        scroll,
        toEnd: () => scrollOut("down"),
        toStart: () => scrollOut("up"),
        /** The first row of which more than half can be seen, and where it is. */
        inView: () => list.evaluate(firstInView),
        top: (row) => list.locator(`[data-row="${row}"]`).evaluate((row) => Math.round(row.getBoundingClientRect().top)),
        /** The list starts with the first of these, and goes on as they do. More may have come already. */
        async begins(ids, atLeast) {
            await waitUntil(async () => {
                const shown = await rows();
                return shown.length >= atLeast && sameRows(shown, ids.slice(0, shown.length));
            });
        },
        shown: (ids) => waitUntil(async () => sameRows(await rows(), ids)).catch(async () => assert.deepEqual(await rows(), ids)),
    };
}

export const sameRows = (some, others) => some.length === others.length && some.every((id, at) => id === others[at]);

/** Waits until something holds, at most 15 s. */
export async function waitUntil(holds) {
    const end = Date.now() + 15_000;
    while (!(await holds())) {
        if (Date.now() > end) throw new Error(`never came true: ${holds}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}

/* What follows runs in the page. */

function scrollFar(list, way) {
    const scrolls = list.closest(".scrolls") ?? document.scrollingElement;
    scrolls.scrollTo({ top: way === "down" ? scrolls.scrollHeight : 0, behavior: "instant" });
}

function hasMore(list, way) {
    const end = way === "down" ? list.nextElementSibling : list.previousElementSibling;
    return way === "down" ? end.textContent.trim() !== "That is all." : end.childElementCount > 0;
}

function firstInView(list) {
    const scrolls = list.closest(".scrolls");
    const edge = (scrolls ?? document.querySelector("header")).getBoundingClientRect();
    const from = scrolls ? edge.top : edge.bottom;
    for (const row of list.children) {
        const { top, height } = row.getBoundingClientRect();
        if (top + height / 2 >= from) return { row: Number(row.dataset.row), top: Math.round(top) };
    }
    return null;
}
