// What Inertia's client makes of pages that no example has: paths as keys, page names, errors, and ways out.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { listOn, readPage } from "./catalogue/reader.js";
import { startBrowser } from "./support/browser.js";
import { FRONT_ENDS } from "./support/inertia.js";
import { startInertia } from "./support/service.js";

const TIMEOUT = { timeout: 60_000 };
const POSTS = Array.from({ length: 120 }, (_, at) => at + 1);
const AT_ONCE = 20;
const LETTERS = Array.from("abcdefghijklmnopqrstuvwxyz", (letter) => letter.codePointAt(0));

let service, browser;

before(async () => {
    service = await startInertia();
    browser = await startBrowser();
});

after(async () => {
    await browser?.close();
    await service?.stop();
});

for (const [at, frontEnd] of FRONT_ENDS.entries()) {
    const isOlder = at > 0;
    describe(frontEnd.name, () => {
        let script;
        before(async () => {
            script = await frontEnd.script();
        });

        const read = (path, reader) => readPage(browser, script, service.address + path, reader);
        const parameters = (page) => new URL(page.url()).searchParams;

        test("a list inside of another prop", TIMEOUT, () =>
            read("/feed", async (page) => {
                const posts = listOn(page, "feed.posts");
                await posts.shown(POSTS.slice(0, AT_ONCE));
                await page.getByRole("status").getByText("120").waitFor();
                assert.equal(await page.locator("#flash").innerText(), "Welcome");
                assert.deepEqual(await posts.toEnd(), POSTS);
                await posts.address((parameters) => parameters.has("cursor"));
                // The older client replaces a prop as a whole if something in it is reloaded, and keeps the list alone.
                const heading = await page.getByRole("heading").innerText();
                assert.equal(heading, isOlder ? "" : "All posts");
            }));

        test("up to the start of a list inside of another prop", TIMEOUT, async () => {
            let place;
            await read("/feed", async (page) => {
                const posts = listOn(page, "feed.posts");
                for (let times = 0; times < 2; times++) await posts.load("down");
                await posts.address((parameters) => parameters.has("cursor"));
                place = new URL(page.url()).search;
            });
            await read(`/feed${place}`, async (page) => {
                const posts = listOn(page, "feed.posts");
                const upwards = await posts.toStart();
                assert.deepEqual(upwards, POSTS.slice(0, upwards.length));
                await posts.address((parameters) => !parameters.has("cursor"), "up");
                assert.deepEqual(await posts.toEnd(), POSTS);
            });
        });

        test("errors stay while a list is scrolled", TIMEOUT, () =>
            read("/feed?invalid", async (page) => {
                const alert = page.getByRole("alert");
                assert.equal(await alert.innerText(), "The name is missing");
                const posts = listOn(page, "feed.posts");
                await posts.load("down");
                await posts.begins(POSTS, 2 * AT_ONCE);
                assert.equal(await alert.innerText(), "The name is missing");
            }));

        test("two simple lists, and one of other rows, each under its page name", TIMEOUT, () =>
            read("/simple", async (page) => {
                const [left, right, letters] = ["left", "right", "letters"].map((name) => listOn(page, name));
                await left.shown(POSTS.slice(0, AT_ONCE));
                await right.shown(POSTS.slice(0, AT_ONCE));
                const readsBefore = await reads();
                assert.deepEqual(await left.toEnd(), POSTS);
                assert.deepEqual(await letters.toEnd(), LETTERS);
                await right.shown(POSTS.slice(0, AT_ONCE));
                assert.equal(await reads(), readsBefore, "a list that is not asked for is not read");

                assert.deepEqual(await right.toEnd(), POSTS);
                assert.ok((await reads()) > readsBefore);
                await letters.scroll("down");
                const lists = { left, right, letter: letters };
                for (const [name, list] of Object.entries(lists)) await list.address((parameters) => parameters.has(name));
                assert.equal(parameters(page).get("page"), null);
                await left.address((parameters) => !parameters.has("left"), "up");
                await letters.address((parameters) => !parameters.has("letter"), "up");
                assert.ok(parameters(page).has("right"));
            }));

        test("a location leaves the front end", TIMEOUT, () =>
            readPage(
                browser,
                script,
                `${service.address}/feed`,
                async (page) => {
                    await page.getByRole("link", { name: "Leave" }).click();
                    await page.waitForURL("**/outside");
                    assert.equal(await page.title(), "Outside");
                },
                ["409"],
            ));
    });
}

/** How often the service has read the list on the right. */
const reads = async () => Number(await (await fetch(`${service.address}/reads`)).text());
