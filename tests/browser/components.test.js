// Front end components that were written for Laravel's pages show those of example-api: what a reader sees after each
// click is what the database holds.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { counts, follow, openPage, shown, startBrowser } from "./support/browser.js";
import { COMPONENTS } from "./support/components.js";
import { startService } from "./support/service.js";
import { startSite } from "./support/site.js";

const LAST = 50;
const TIMEOUT = { timeout: 90_000 };

let service, site, browser;

before(async () => {
    service = await startService();
    site = await startSite(service.address);
    browser = await startBrowser();
});

after(async () => {
    await browser?.close();
    site?.stop();
    service?.stop();
});

for (const component of COMPONENTS) {
    describe(component.name, () => {
        test("every page, forwards and backwards", TIMEOUT, (t) =>
            onFirstPage(component, async (page, shows) => {
                for (let number = 2; number <= LAST; number++) {
                    await follow(page, component.next(page));
                    await shows(number);
                }
                for (let number = LAST - 1; number >= 1; number--) {
                    await follow(page, component.previous(page));
                    await shows(number);
                }
                t.diagnostic(`${(await counts(page)).shown} pages shown`);
            }));

        test("numbered entries lead to their pages", TIMEOUT, () =>
            onFirstPage(component, async (page, shows) => {
                for (const number of component.jumps) {
                    await follow(page, numbered(component, page, number));
                    await shows(number);
                }
            }));

        test("gaps, and what lies beyond the ends, lead nowhere", TIMEOUT, () =>
            onFirstPage(component, async (page, shows) => {
                const gaps = component.links(page).getByText("...");
                assert.equal(await gaps.count(), 1);
                await staysAfter(page, gaps);
                assert.ok(await component.leadsNowhere(component.previous(page)));
                await shows(1);
                await follow(page, numbered(component, page, LAST));
                assert.ok(await component.leadsNowhere(component.next(page)));
                await staysAfter(page, gaps);
                await shows(LAST);
            }));
    });
}

/** Opens a page that shows the first page of the component's list, and leaves no trouble unreported. */
async function onFirstPage(component, walk) {
    const pages = pagesOf(service.rows(component.condition), component.perPage);
    assert.equal(pages.length, LAST);
    const { page, troubles } = await openPage(browser, `${site.address}/${component.name}?${component.query}`);
    const shows = async (number) => {
        assert.deepEqual(await rows(page), pages[number - 1], `the rows of page ${number}`);
        await showsPlace(component, page, number, pages);
    };
    try {
        await shown(page, 1);
        await shows(1);
        await walk(page, shows);
    } catch (error) {
        // A page that had trouble shows the wrong thing, or nothing: the trouble says more.
        assert.deepEqual(troubles, [], String(error));
        throw error;
    }
    await page.close();
    assert.deepEqual(troubles, []);
}

/** What the component says about where the reader is. */
async function showsPlace(component, page, number, pages) {
    const texts = async (elements) => (await elements.allTextContents()).map((text) => text.trim());
    assert.deepEqual(await texts(component.active(page)), [`${number}`]);
    assert.equal(await component.leadsNowhere(component.previous(page)), number === 1, `before page ${number}`);
    assert.equal(await component.leadsNowhere(component.next(page)), number === LAST, `after page ${number}`);
    if (number in component.entries) {
        assert.equal((await texts(component.links(page))).join(" "), component.entries[number]);
    }
    const summary = await component.summary(page);
    if (summary !== null) {
        const from = (number - 1) * component.perPage + 1;
        const to = from + pages[number - 1].length - 1;
        assert.equal(summary, `${from} to ${to} of ${pages.flat().length} results`);
    }
}

/** Clicks something that loads nothing. */
async function staysAfter(page, element) {
    const before = await counts(page);
    await element.click();
    assert.deepEqual(await counts(page), before);
}

const numbered = (component, page, number) => component.links(page).getByText(`${number}`, { exact: true });

const rows = (page) =>
    page.locator("tr").evaluateAll((rows) => rows.map(({ cells }) => Array.from(cells, (cell) => cell.textContent)));

function pagesOf(rows, perPage) {
    const pages = [];
    for (let start = 0; start < rows.length; start += perPage) pages.push(rows.slice(start, start + perPage));
    return pages;
}
