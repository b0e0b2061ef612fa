// Requests that overlap: whatever the order of the answers, each list shows its own rows, each row once and in order.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { holdAnswers } from "./catalogue/answers.js";
import { CLIENTS } from "./catalogue/clients.js";
import { AT_ONCE, EDITORS, HTTPD } from "./catalogue/lists.js";
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

        /** Opens the two lists of a section. `answers` holds those that `isHeld` names. */
        const sideBySide = (start, reader, isHeld = () => false) =>
            readPage(browser, script, "about:blank", async (page) => {
                const answers = await holdAnswers(page);
                answers.hold(isHeld);
                await page.goto(`${catalogue.address}/side-by-side?${start.query}`);
                const neediest = listOn(page, "Packages with most dependencies");
                await reader({ page, answers, largest: listOn(page), neediest });
            });

        const choose = (page, section) => page.getByLabel("Section").selectOption(section);

        async function bothBegin({ largest, neediest }, { condition }) {
            await largest.begins(rows.bySize(condition), AT_ONCE);
            await neediest.begins(rows.byNeed(condition), AT_ONCE);
        }

        async function bothAreComplete({ largest, neediest }, { condition }) {
            assert.deepEqual(await largest.toEnd(), rows.bySize(condition));
            assert.deepEqual(await neediest.toEnd(), rows.byNeed(condition));
        }

        // After a reset, the client resets a list again whenever another list of the page is answered, until the list itself
        // has been answered. It forgets that a page is already on its way, and requests it a second time.
        test("a page that is requested twice is shown once", TIMEOUT, () =>
            sideBySide(EDITORS, async (view) => {
                const { page, answers, largest, neediest } = view;
                await bothBegin(view, EDITORS);
                await choose(page, "httpd");
                await bothBegin(view, HTTPD);

                answers.hold((props) => props.includes("largest"));
                await largest.scroll("down");
                await waitUntil(() => answers.count() === 1);
                await neediest.load("down");
                await waitUntil(() => answers.count() === 2);
                await answers.deliverAll();
                await bothAreComplete(view, HTTPD);
            }));

        test("rows of the old filters that come after the new list", TIMEOUT, () =>
            sideBySide(EDITORS, async (view) => {
                const { page, answers, largest } = view;
                await bothBegin(view, EDITORS);
                answers.hold((props) => props.includes("largest") && !props.includes("filters"));
                await largest.scroll("down");
                await waitUntil(() => answers.count() === 1);

                await choose(page, "httpd");
                await bothBegin(view, HTTPD);
                await answers.deliverAll();
                await bothAreComplete(view, HTTPD);
            }));

        test("rows requested while the new list is on its way", TIMEOUT, () =>
            sideBySide(EDITORS, async (view) => {
                const { page, answers, largest } = view;
                await bothBegin(view, EDITORS);
                answers.hold(() => true);
                await choose(page, "httpd");
                await waitUntil(() => answers.count() === 1);
                await largest.scroll("down");
                await waitUntil(() => answers.count() === 2);

                await answers.deliverOne();
                await bothBegin(view, HTTPD);
                await answers.deliverAll();
                await bothAreComplete(view, HTTPD);
            }));

        // The next page of the old list is so far down that the new list would skip packages if it continued there.
        test("other filters before a deferred list has come", TIMEOUT, () =>
            sideBySide(
                HTTPD,
                async (view) => {
                    const { page, answers, largest } = view;
                    await waitUntil(() => answers.count() === 1);
                    await largest.load("down");
                    answers.hold(() => false);
                    await choose(page, "editors");
                    await bothBegin(view, EDITORS);
                    await answers.deliverAll();
                    await bothAreComplete(view, EDITORS);
                },
                (props) => props.includes("neediest"),
            ));
    });
}
