// Inertia's own client scrolls through the pages of example-catalogue: what a reader gets to see is what the database holds,
// each row once and in its order.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { CLIENTS } from "./catalogue/clients.js";
import { AT_ONCE, DEV, EDITORS, GAMES, HTTPD } from "./catalogue/lists.js";
import { listOn, readPage, waitUntil } from "./catalogue/reader.js";
import { startCatalogue } from "./catalogue/service.js";
import { truth } from "./catalogue/truth.js";
import { startBrowser } from "./support/browser.js";

const TIMEOUT = { timeout: 60_000 };

let catalogue, rows, browser;

before(async () => {
    catalogue = await startCatalogue();
    rows = await truth(catalogue.database);
    browser = await startBrowser();
});

after(async () => {
    await browser?.close();
    await catalogue?.stop();
});

for (const client of CLIENTS) {
    describe(client.name, () => {
        let script;
        before(async () => {
            script = await client.script();
        });

        const read = (path, reader, expected) =>
            readPage(browser, script, catalogue.address + path, reader, expected);

        test("it is this client that asks", TIMEOUT, () =>
            read("/", async (page) => {
                const running = script ?? (await (await fetch(await page.locator("script[src]").evaluate((tag) => tag.src))).text());
                const known = CLIENTS.filter(({ word }) => running.includes(word)).map(({ name }) => name);
                assert.deepEqual(known, [client.name]);

                const asked = page.waitForRequest((request) => request.headers()["x-inertia"] === "true");
                await page.getByRole("link", { name: "Largest" }).click();
                await asked;
                await listOn(page).shown(rows.bySize("true").slice(0, AT_ONCE));
            }));

        for (const [paging, { query, condition }] of [
            ["cursor", DEV],
            ["numbered", HTTPD],
            ["simple", HTTPD],
        ]) {
            test(`to the end of a list: paging=${paging}`, TIMEOUT, () =>
                read(`/largest?${query}&paging=${paging}`, async (page) => {
                    assert.deepEqual(await listOn(page).toEnd(), rows.bySize(condition));
                    if (condition === DEV.condition) assert.ok(rows.withoutSize(condition) > AT_ONCE);
                }));
        }

        for (const [paging, { query, condition }] of [
            ["cursor", GAMES],
            ["numbered", EDITORS],
            ["simple", EDITORS],
        ]) {
            test(`up and down from a place in the middle: paging=${paging}`, TIMEOUT, async () => {
                const all = rows.bySize(condition);
                const place = await placeAfter(`/largest?${query}&paging=${paging}`, 4);
                await read(place, async (page) => {
                    const list = listOn(page);
                    // The rows before are asked for at once, for the list begins in view.
                    await list.shown(all.slice(3 * AT_ONCE, 5 * AT_ONCE));
                    await waitUntil(async () => inWindow(await list.top(all[4 * AT_ONCE])));
                    const upwards = await list.toStart();
                    assert.deepEqual(upwards, all.slice(0, upwards.length));
                    assert.deepEqual(await list.toEnd(), all);
                });
            });
        }

        test("the start of a list that is reached backwards needs no cursor", TIMEOUT, async () => {
            const place = await placeAfter(`/largest?${GAMES.query}`, 2);
            await read(place, async (page) => {
                const list = listOn(page);
                await list.toStart();
                await list.address((parameters) => !parameters.has("cursor"), "up");
                assert.equal(new URL(page.url()).search, `?${GAMES.query}`);
                await page.reload();
                await list.begins(rows.bySize(GAMES.condition), AT_ONCE);
            });
        });

        test("rows that come above move nothing that is in view", TIMEOUT, async () => {
            const place = await placeAfter(`/largest?${GAMES.query}`, 4);
            await read(place, async (page) => {
                const list = listOn(page);
                // The rows before are asked for at once, for the list begins in view.
                await waitUntil(async () => (await list.rows()).length >= 2 * AT_ONCE);
                await page.waitForTimeout(300);
                await page.mouse.move(500, 400);
                await page.mouse.wheel(0, 700);
                await page.waitForTimeout(300);
                const seen = await list.inView();
                const had = (await list.rows()).length;
                await page.getByRole("button", { name: "Show what comes before" }).evaluate((button) => button.click());
                await waitUntil(async () => (await list.rows()).length > had);
                await waitUntil(async () => Math.abs((await list.top(seen.row)) - seen.top) <= 2);
            });
        });

        test("changing the filters in the middle of the list starts again at its beginning", TIMEOUT, () =>
            read(`/largest?${GAMES.query}`, async (page) => {
                const list = listOn(page);
                for (let times = 0; times < 3; times++) await list.load("down");
                await list.address((parameters) => parameters.has("cursor"));

                await page.getByLabel("Section").selectOption("httpd");
                const all = rows.bySize(HTTPD.condition);
                await list.begins(all, AT_ONCE);
                await page.waitForTimeout(600);
                assert.equal(await page.evaluate(() => scrollY), 0);
                assert.equal(new URL(page.url()).search, "?section=httpd");
                assert.deepEqual(await list.toEnd(), all);

                const search = page.getByLabel("Name contains");
                await search.pressSequentially("apache", { delay: 30 });
                const found = rows.bySize(`${HTTPD.condition} AND instr(name, 'apache') > 0`);
                await list.begins(found, Math.min(AT_ONCE, found.length));
                assert.ok(await search.evaluate((input) => input === document.activeElement), "the field keeps the focus");
                assert.deepEqual(await list.toEnd(), found);
            }));

        test("after a reload in the middle of the list, the same row is in view", TIMEOUT, () =>
            read(`/largest?${EDITORS.query}`, async (page) => {
                const list = listOn(page);
                for (let times = 0; times < 4; times++) await list.load("down");
                await page.mouse.move(500, 400);
                await page.mouse.wheel(0, -1500);
                await list.address((parameters) => parameters.has("cursor"));
                await addressRests(page);

                const seen = await list.inView();
                await page.reload();
                await waitUntil(async () => (await list.inView())?.row === seen.row);
                const all = rows.bySize(EDITORS.condition);
                const upwards = await list.toStart();
                assert.deepEqual(upwards, all.slice(0, upwards.length));
                assert.deepEqual(await list.toEnd(), all);
            }));

        test("back and forward", TIMEOUT, () =>
            read(`/largest?${EDITORS.query}`, async (page) => {
                const list = listOn(page);
                const all = rows.bySize(EDITORS.condition);
                for (let times = 0; times < 3; times++) await list.load("down");
                await list.address((parameters) => parameters.has("cursor"));
                await addressRests(page);
                const seen = await list.inView();
                const before = await list.rows();

                await page.getByRole("link", { name: "By name" }).click();
                await page.getByRole("heading", { name: "Packages by name" }).waitFor();
                await page.getByRole("link", { name: "Page 2", exact: true }).click();
                await page.getByText("26–50 of").waitFor();
                const named = rows.byName(EDITORS.condition);
                assert.deepEqual(await tableRows(page), named.slice(25, 50));
                await page.goBack();
                await page.getByText("1–25 of").waitFor();
                assert.deepEqual(await tableRows(page), named.slice(0, 25));

                await page.goBack();
                await list.shown(before);
                await waitUntil(async () => (await list.inView()).row === seen.row);
                await page.goForward();
                await page.getByText("1–25 of").waitFor();
                await page.goBack();
                await list.shown(before);
                assert.deepEqual(await list.toEnd(), all);
            }));

        test("a new version of the assets while scrolling", TIMEOUT, async (t) => {
            t.after(() => catalogue.restart({}));
            await read(`/largest?${EDITORS.query}`, async (page) => {
                const list = listOn(page);
                const all = rows.bySize(EDITORS.condition);
                for (let times = 0; times < 2; times++) await list.load("down");
                await list.address((parameters) => parameters.has("cursor"));
                await catalogue.restart({ CATALOGUE_ASSET_VERSION: "another" });
                const loaded = page.waitForEvent("load");
                await list.scroll("down");
                await loaded;
                assert.match(await page.locator("script[data-page]").textContent(), /"version":"another"/);

                // Whichever way a client goes on: what was at the end of the list is there, and what comes behind it.
                await waitUntil(async () => {
                    const ids = await list.rows();
                    return ids.includes(all[3 * AT_ONCE - 1]) && ids.includes(all[3 * AT_ONCE]);
                });
                const upwards = await list.toStart();
                assert.deepEqual(upwards, all.slice(0, upwards.length));
                assert.deepEqual(await list.toEnd(), all);
            }, ["409"]);
        });

        test("an altered cursor in the address", TIMEOUT, async () => {
            const place = await placeAfter(`/largest?${GAMES.query}`, 1);
            const altered = place.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
            await read(altered, async (page, answer) => {
                assert.equal(answer.status(), 400);
                await page.getByRole("heading", { name: "This address leads to no place in the list" }).waitFor();
                await page.getByRole("link", { name: "Go to the start of the list" }).click();
                await listOn(page).shown(rows.bySize(GAMES.condition).slice(0, AT_ONCE));
                assert.equal(new URL(page.url()).search, `?${GAMES.query}`);
            }, ["400"]);
        });

        test("cursors that no longer open while scrolling", TIMEOUT, async (t) => {
            t.after(() => catalogue.restart({}));
            await read(`/largest?${EDITORS.query}`, async (page) => {
                const list = listOn(page);
                await list.load("down");
                await catalogue.restart({ APP_KEY: Buffer.alloc(32, 8).toString("base64") });
                await list.scroll("down");
                await page.getByRole("heading", { name: "This address leads to no place in the list" }).waitFor();
                await page.getByRole("link", { name: "Go to the start of the list" }).click();
                assert.deepEqual(await list.toEnd(), rows.bySize(EDITORS.condition));
            }, ["409", "400"]);
        });

        test("with the keyboard alone", TIMEOUT, () =>
            read(`/?${GAMES.query}`, async (page) => {
                const focused = () => page.evaluate(() => document.activeElement.textContent.trim());
                await page.keyboard.press("Tab");
                assert.equal(await focused(), "Skip to the packages");
                await page.keyboard.press("Enter");
                assert.ok(await page.evaluate(() => document.activeElement.matches("main")));
                await page.keyboard.press("Tab");
                await page.keyboard.type("data");
                await page.getByText("1–25 of").waitFor();
                const found = rows.byName(`${GAMES.condition} AND instr(name, 'data') > 0`);
                await waitUntil(async () => (await page.getByRole("status").innerText()).endsWith(` ${found.length} packages`));

                await page.getByRole("link", { name: "Page 2", exact: true }).focus();
                await page.keyboard.press("Enter");
                await page.getByText("26–50 of").waitFor();
                await waitUntil(async () => (await focused()) === "Packages by name");
                assert.deepEqual(await tableRows(page), found.slice(25, 50));
                const current = await page.locator("[aria-current=page]").allTextContents();
                assert.deepEqual(current, ["By name", "2"]);
            }));

        test("a theme that stays, on a phone", TIMEOUT, () =>
            read(`/side-by-side?${HTTPD.query}`, async (page) => {
                const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
                const light = await paper();
                await page.emulateMedia({ colorScheme: "dark" });
                const dark = await paper();
                assert.notEqual(dark, light);
                await page.getByRole("button", { name: "Theme: system" }).click();
                assert.equal(await paper(), light);
                await page.reload();
                await page.getByRole("button", { name: "Theme: light" }).click();
                assert.equal(await paper(), dark);

                await page.setViewportSize({ width: 360, height: 740 });
                for (const view of ["By name", "Largest", "Side by side"]) {
                    await page.getByRole("link", { name: view }).click();
                    await page.locator("[aria-current=page]", { hasText: view }).first().waitFor();
                    await waitUntil(() => page.evaluate(() => document.querySelectorAll("[data-row]").length > 0));
                    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
                    assert.ok(wider <= 0, `${view} is ${wider} px wider than the window`);
                }
            }));

        test("two lists, each at its own place", TIMEOUT, async () => {
            const bySize = rows.bySize(EDITORS.condition);
            const byNeed = rows.byNeed(EDITORS.condition);
            let address;
            await read(`/side-by-side?${EDITORS.query}`, async (page) => {
                const largest = listOn(page);
                const neediest = listOn(page, "Packages with most dependencies");
                await neediest.shown(byNeed.slice(0, AT_ONCE));
                for (let times = 0; times < 3; times++) await largest.load("down");
                await largest.shown(bySize.slice(0, 4 * AT_ONCE));
                await neediest.shown(byNeed.slice(0, AT_ONCE));
                await largest.address((parameters) => parameters.has("largest"));
                assert.equal(new URL(page.url()).searchParams.get("neediest"), null);

                for (let times = 0; times < 2; times++) await neediest.load("down");
                await neediest.shown(byNeed.slice(0, 3 * AT_ONCE));
                await largest.shown(bySize.slice(0, 4 * AT_ONCE));
                await neediest.address((parameters) => parameters.has("neediest"));
                await addressRests(page);
                address = new URL(page.url());
            });
            await read(address.pathname + address.search, async (page) => {
                const largest = listOn(page);
                const neediest = listOn(page, "Packages with most dependencies");
                assert.deepEqual(await largest.toStart().then(() => largest.toEnd()), bySize);
                assert.deepEqual(await neediest.toStart().then(() => neediest.toEnd()), byNeed);
                await page.getByLabel("Section").selectOption("httpd");
                await largest.begins(rows.bySize(HTTPD.condition), AT_ONCE);
                await neediest.begins(rows.byNeed(HTTPD.condition), AT_ONCE);
                assert.deepEqual(await neediest.toEnd(), rows.byNeed(HTTPD.condition));
                assert.deepEqual(await largest.toEnd(), rows.bySize(HTTPD.condition));
            });
        });
    });
}

/** The address of a place so many pages behind the start of a list, as its pages tell the way. */
async function placeAfter(path, pages) {
    const url = new URL(catalogue.address + path);
    for (let times = 0; times < pages; times++) {
        const page = await (await fetch(url)).text();
        const { scrollProps } = JSON.parse(page.match(/<script data-page[^>]*>(.*?)<\/script>/)[1]);
        const { pageName, nextPage } = scrollProps.packages;
        url.searchParams.set(pageName, nextPage);
    }
    return url.pathname + url.search;
}

/** Waits until the address does not change any more: it follows a reader who scrolls after a quarter of a second. */
async function addressRests(page) {
    for (let last; last !== page.url(); await page.waitForTimeout(400)) last = page.url();
}

/** Whether the upper half of the window has it. */
const inWindow = (top) => top >= 0 && top < 350;

const tableRows = (page) =>
    page.locator("tbody > tr").evaluateAll((rows) => rows.map((row) => Number(row.dataset.row)));
