// A visitor of the pages that a server rendered: with or without JavaScript, at a width, in light or dark.

import assert from "node:assert/strict";

/**
 * Opens a page in a new window, and closes the window afterwards. Messages on the console, exceptions and requests that
 * failed fail the test, except for those that contain one of the `expected` words.
 */
export async function visit(browser, url, visitor, { expected = [], ...options } = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const troubles = [];
    page.on("console", (message) => {
        if (["warning", "error"].includes(message.type())) troubles.push(message.text());
    });
    page.on("pageerror", (error) => troubles.push(String(error)));
    try {
        await page.goto(url);
        await visitor(page);
    } catch (error) {
        error.message += `\nat ${page.url()}, troubles: ${JSON.stringify(troubles)}`;
        throw error;
    } finally {
        await context.close();
    }
    assert.deepEqual(troubles.filter((trouble) => !expected.some((words) => trouble.includes(words))), []);
}

/** The ids of the rows that a page shows. */
export const rowsOn = (page) =>
    page.locator("[data-row]").evaluateAll((rows) => rows.map((row) => Number(row.dataset.row)));

/** Waits until a page shows these rows. While another document is loaded, there are none to look at. */
export async function shows(page, ids) {
    const end = Date.now() + 10_000;
    while (Date.now() < end && `${await rowsOn(page).catch(() => "")}` !== `${ids}`) await page.waitForTimeout(20);
    assert.deepEqual(await rowsOn(page), ids);
}

/** What has the focus: its tag, and its text or name. */
export const focused = (page) =>
    page.evaluate(() => {
        const element = document.activeElement;
        return `${element.localName} ${element.textContent || element.name || ""}`.trim();
    });
