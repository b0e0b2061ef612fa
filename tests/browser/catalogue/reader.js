// A reader of the catalogue: somebody with a browser window, who scrolls.

import assert from "node:assert/strict";

/** How long a reader looks at the end of a list before scrolling again, in milliseconds. */
const PATIENCE = 1_500;

/** How long a reader believes the client that it is loading, in milliseconds. */
const LONGEST_LOAD = 5_000;

/**
 * Opens a page in a new window, and closes the window afterwards. Console messages and exceptions fail the test, except for
 * those that contain one of the `expected` words.
 */
export async function readPage(browser, script, url, reader, expected = []) {
    const { page, troubles, close } = await openWindow(browser, script);
    try {
        await reader(page, await page.goto(url));
    } catch (error) {
        error.message += `\nat ${page.url()}, troubles: ${JSON.stringify(troubles)}`;
        throw error;
    } finally {
        await close();
    }
    const unexpected = troubles.filter((trouble) => !expected.some((words) => trouble.includes(words)));
    assert.deepEqual(unexpected, []);
}

/** Opens a window, and collects the warnings, errors and exceptions on its console. */
async function openWindow(browser, script) {
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

    /** Scrolls to the end on one side, and returns how many rows there were. */
    const scroll = (way) => list.evaluate(scrollFar, way);

    /** Scrolls until there is nothing more to come on that side. */
    async function scrollOut(way) {
        while ((await list.evaluate(look, way)).hasMore) await load(way);
        return rows();
    }

    /**
     * Scrolls to the end on one side, and waits for one page of rows. The client ignores a reader who reaches the end while it
     * still finishes the previous request, so a reader who sees nothing being loaded, or waits too long, scrolls away and
     * back.
     */
    async function load(way) {
        const had = await scroll(way);
        let scrolled = Date.now();
        let seen;
        const hasMoved = async () => {
            seen = await list.evaluate(look, way);
            if (seen.count > had || !seen.hasMore) return true;
            if (Date.now() - scrolled > (seen.loading ? LONGEST_LOAD : PATIENCE)) {
                await list.evaluate(scrollAwayAndBack, { way, had });
                scrolled = Date.now();
            }
            return false;
        };
        await waitUntil(hasMoved).catch((error) => {
            throw new Error(`no rows after the first ${had}: ${JSON.stringify(seen)}`, { cause: error });
        });
    }

    /**
     * Waits until something holds of the parameters in the address, which say where the reader is. If a way is given, the
     * reader stays at the end on that side: after rows have come above, the client puts the list back to where it was,
     * perhaps only after the reader has scrolled.
     *
     * The client changes the address only when rows come into view, and now and then that change is lost, because an answer
     * arrives at the same time. So a reader who sees no change looks away and back.
     */
    async function address(holds, way) {
        let looked = Date.now();
        const isThere = async () => {
            if (way) await scroll(way);
            if (holds(new URL(page.url()).searchParams)) return true;
            if (Date.now() - looked > PATIENCE) {
                await list.evaluate(lookAwayAndBack);
                looked = Date.now();
            }
            return false;
        };
        await waitUntil(isThere).catch((error) => {
            throw new Error(`the address never satisfied ${holds}`, { cause: error });
        });
    }

    return {
        rows,
        load,
        scroll,
        address,
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
    return list.children.length;
}

/**
 * Returns to the end, where the reader was: the answer of a visit may have scrolled the list in the meantime. If rows have
 * come below, it returns to the same place, because the end would request another page.
 */
async function scrollAwayAndBack(list, { way, had }) {
    const scrolls = list.closest(".scrolls") ?? document.scrollingElement;
    const { scrollTop, scrollHeight } = scrolls;
    const [away, end] = way === "down" ? [0, scrollHeight] : [scrollHeight, 0];
    scrolls.scrollTo({ top: away, behavior: "instant" });
    await new Promise((resolve) => setTimeout(resolve, 100));
    scrolls.scrollTo({ top: list.children.length === had ? end : scrollTop, behavior: "instant" });
}

/** Scrolls by the height of a window and back, so that other rows are in view in the meantime. */
async function lookAwayAndBack(list) {
    const scrolls = list.closest(".scrolls") ?? document.scrollingElement;
    const { scrollTop, clientHeight } = scrolls;
    const away = scrollTop < clientHeight ? scrollTop + clientHeight : scrollTop - clientHeight;
    scrolls.scrollTo({ top: away, behavior: "instant" });
    await new Promise((resolve) => setTimeout(resolve, 100));
    scrolls.scrollTo({ top: scrollTop, behavior: "instant" });
}

function look(list, way) {
    const end = way === "down" ? list.nextElementSibling : list.previousElementSibling;
    return {
        count: list.children.length,
        hasMore: way === "down" ? end.textContent.trim() !== "That is all." : end.childElementCount > 0,
        loading: end.textContent.includes("Loading"),
    };
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
