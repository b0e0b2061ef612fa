// Somebody reads example-shop with the mouse or the keyboard, with and without JavaScript: what is shown is what the
// database holds, each row once and in its order.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";

import { truth } from "./catalogue/truth.js";
import { focused, rowsOn, shows, visit } from "./shop/visitor.js";
import { startBrowser } from "./support/browser.js";
import { startExample } from "./support/service.js";

const TIMEOUT = { timeout: 60_000 };

/** A list of a few pages, in which many packages have the same size, and some have none. */
const HTTPD = { query: "section=httpd", condition: "section = 'httpd'" };
const LARGE_GAMES = "section = 'games' AND installed_size_kib >= 1000";

/** Version 2 of htmx, which is served instead of the example's. */
const OLDER = await readFile(createRequire(import.meta.url).resolve("htmx2/dist/htmx.min.js"), "utf8");

let shop, rows, browser;

before(async () => {
    shop = await startExample("example-shop", { PORT: "0" });
    rows = await truth(shop.database);
    browser = await startBrowser();
});

after(async () => {
    await browser?.close();
    await shop?.stop();
});

for (const javaScriptEnabled of [true, false]) {
    describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
        const read = (path, reader) => visit(browser, shop.address + path, reader, { javaScriptEnabled });

        test("the table, with the mouse", TIMEOUT, () =>
            read("/", async (page) => {
                // With JavaScript, the document stays.
                if (javaScriptEnabled) await page.evaluate(() => (globalThis.isSame = true));
                const header = (name) => page.getByRole("columnheader", { name });
                await shows(page, rows.bySize("true").slice(0, 25));
                assert.equal(await header("Installed size").getAttribute("aria-sort"), "descending");

                await page.getByLabel("Section").selectOption("games");
                await page.getByLabel("Size from (KiB)").fill("1000");
                await page.getByRole("button", { name: "Show" }).click();
                await shows(page, rows.bySize(LARGE_GAMES).slice(0, 25));
                await header("Name").getByRole("link").click();
                const games = rows.byName(LARGE_GAMES);
                await shows(page, games.slice(0, 25));
                await page.getByLabel("Rows").selectOption("50");
                await page.getByRole("button", { name: "Show" }).click();
                await shows(page, games.slice(0, 50));
                await page.getByText(`Showing 1 to 50 of ${games.length}`).waitFor();

                const links = page.getByRole("navigation", { name: "Packages" });
                await links.getByRole("link", { name: "Page 3" }).click();
                await shows(page, games.slice(100, 150));
                await links.getByRole("link", { name: "Next" }).click();
                await shows(page, games.slice(150, 200));
                await page.goBack();
                await shows(page, games.slice(100, 150));
                assert.equal(await links.locator("[aria-current=page]").textContent(), "3");

                await header("Name").getByRole("link").click();
                await shows(page, games.toReversed().slice(0, 50));
                assert.equal(await header("Name").getAttribute("aria-sort"), "descending");
                await page.getByRole("button", { name: "Remove: Size from (KiB): 1000" }).click();
                const all = rows.byName("section = 'games'").toReversed();
                await shows(page, all.slice(0, 50));
                if (javaScriptEnabled) assert.ok(await page.evaluate(() => globalThis.isSame));

                await page.getByRole("button", { name: "Deutsch" }).click();
                await page.getByText("1 bis 50 von 1.108").waitFor();
                assert.equal(await page.locator("html").getAttribute("lang"), "de");
                await page.getByRole("link", { name: "Weiter" }).click();
                await shows(page, all.slice(50, 100));
            }));

        test("the table, with the keyboard", TIMEOUT, () =>
            read(`/?${HTTPD.query}&sort=name`, async (page) => {
                const press = async (key, expected) => {
                    await page.keyboard.press(key);
                    assert.equal(await focused(page), expected);
                };
                const all = rows.byName(HTTPD.condition);
                await press("Tab", "a Skip to the content");
                await page.keyboard.press("Enter");
                await press("Tab", "input q");
                await page.keyboard.type("mod");
                await page.keyboard.press("Enter");
                const found = rows.byName(`${HTTPD.condition} AND instr(name, 'mod') > 0`);
                await shows(page, found.slice(0, 25));

                if (javaScriptEnabled) assert.equal(await focused(page), "input q");
                await page.getByRole("searchbox").focus();
                await page.keyboard.press("ControlOrMeta+A");
                await page.keyboard.press("Delete");
                await page.keyboard.press("Enter");
                await shows(page, all.slice(0, 25));
                await page.getByRole("link", { name: "Name", exact: true }).focus();
                await page.keyboard.press("Enter");
                await shows(page, all.toReversed().slice(0, 25));
                if (javaScriptEnabled) assert.equal(await focused(page), "a Name");

                // Whoever goes through the pages stays on the link to the next one.
                for (let from = 25; from < all.length; from += 25) {
                    if (from === 25 || !javaScriptEnabled) await page.getByRole("link", { name: "Next" }).focus();
                    await page.keyboard.press("Enter");
                    await shows(page, all.toReversed().slice(from, from + 25));
                }
                assert.equal(await page.getByText("Next").getAttribute("aria-disabled"), "true");
            }));

        test("one package after the other", TIMEOUT, () =>
            read(`/?${HTTPD.query}&sort=size&q=lighttpd&per_page=5&page=2`, async (page) => {
                const all = rows.bySize(`${HTTPD.condition} AND instr(name, 'lighttpd') > 0`);
                const [first] = await rowsOn(page);
                assert.equal(first, all[5]);
                await page.locator("[data-row] a").first().click();
                const stands = (id) => page.waitForURL((url) => url.pathname === `/packages/${id}`);
                await stands(first);
                for (const id of all.slice(6)) {
                    await page.getByRole("link", { name: "Next" }).click();
                    await stands(id);
                }
                assert.equal(await page.getByRole("link", { name: "Next" }).count(), 0);
                for (const id of all.slice(0, -1).toReversed()) {
                    await page.getByRole("link", { name: "Previous" }).click();
                    await stands(id);
                }
                assert.equal(await page.getByRole("link", { name: "Previous" }).count(), 0);
                await page.getByRole("link", { name: "Back to the list" }).click();
                await shows(page, all.slice(5, 10));
            }));
    });
}

for (const [name, script] of [["htmx 4", null], ["htmx 2", OLDER]]) {
    describe(`the endless list with ${name}`, () => {
        const all = () => rows.bySize(HTTPD.condition);
        const read = (path, reader) =>
            visit(browser, "about:blank", async (page) => {
                if (script) await page.route("**/assets/htmx.js*", (route) => route.fulfill({ contentType: "text/javascript", body: script }));
                await page.goto(shop.address + path);
                await reader(page);
            });

        test("it grows while somebody scrolls", TIMEOUT, () =>
            read(`/endless?${HTTPD.query}`, async (page) => {
                await shows(page, all().slice(0, 25));
                for (let end = 50; end - 25 < all().length; end += 25) {
                    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
                    await shows(page, all().slice(0, end));
                }
                assert.equal(await page.locator(".folio-more").count(), 0);
            }));

        test("it grows by a button, which keeps the focus", TIMEOUT, () =>
            read(`/endless?${HTTPD.query}`, async (page) => {
                await page.getByRole("link", { name: "Load by a button" }).click();
                await page.locator("#rows-more").focus();
                for (let end = 50; end - 25 < all().length; end += 25) {
                    assert.equal(await focused(page), "a Load more");
                    await page.keyboard.press("Enter");
                    await shows(page, all().slice(0, end));
                }
                assert.equal(await page.locator(".folio-more").count(), 0);
            }));
    });
}

test("the endless list without JavaScript", TIMEOUT, () =>
    visit(
        browser,
        `${shop.address}/endless?${HTTPD.query}&more=button`,
        async (page) => {
            const all = rows.bySize(HTTPD.condition);
            for (let from = 0; from < all.length; from += 25) {
                await shows(page, all.slice(from, from + 25));
                if (from + 25 < all.length) await page.getByRole("link", { name: "Load more" }).click();
            }
            assert.equal(await page.locator(".folio-more").count(), 0);
            const last = Math.floor((all.length - 1) / 25) * 25;
            await page.getByRole("link", { name: "Previous" }).click();
            await shows(page, all.slice(last - 25, last));
        },
        { javaScriptEnabled: false },
    ));
