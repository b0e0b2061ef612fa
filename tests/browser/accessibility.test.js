// Every page of example-shop, and folio's markup in every theme and state: axe-core finds nothing, and nothing is wider
// than the window. FOLIO_SCREENSHOTS names a folder for pictures of all of them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { violations } from "./shop/axe.js";
import { stylesheets } from "./shop/themes.js";
import { visit } from "./shop/visitor.js";
import { startBrowser } from "./support/browser.js";
import { startExample, startInertia } from "./support/service.js";

const TIMEOUT = { timeout: 60_000 };

/** Pages with few rows, because axe looks at each. */
const PAGES = {
    table: "/?per_page=7",
    filtered: "/?q=data&section=games&size%5Bgte%5D=1000&per_page=7&sort=name&page=3",
    last: "/?section=httpd&per_page=50&page=4",
    beyond: "/?section=httpd&page=90",
    nothing: "/?q=nothing-has-this-name",
    endless: "/endless?section=httpd&per_page=50",
    button: "/endless?section=httpd&per_page=7&more=button",
    reader: "/packages/7?sort=name",
    invalid: "/?sort=colour",
    missing: "/packages/one",
    german: "/?lang=de&per_page=7",
    arabic: "/?lang=ar&section=games&q=data&per_page=7&page=2",
    "arabic reader": "/packages/7?lang=ar&sort=name",
};

let shop, service, styles, browser;

before(async () => {
    shop = await startExample("example-shop", { PORT: "0" });
    service = await startInertia();
    styles = await stylesheets(service.address);
    browser = await startBrowser();
});

after(async () => {
    await browser?.close();
    await shop?.stop();
    await service?.stop();
});

for (const colorScheme of ["light", "dark"]) {
    for (const width of [375, 1280]) {
        const look = { colorScheme, viewport: { width, height: 800 }, expected: ["status of 40"] };
        const see = (url, visitor) => visit(browser, url, visitor, look);

        test(`example-shop, ${colorScheme}, ${width} px`, TIMEOUT, () =>
            see("about:blank", async (page) => {
                for (const [name, path] of Object.entries(PAGES)) {
                    await page.goto(shop.address + path);
                    await isAccessible(page, `${name}-${colorScheme}-${width}`);
                }
            }));

        for (const theme of ["plain", "bootstrap", "tailwind"]) {
            test(`the theme ${theme}, ${colorScheme}, ${width} px`, TIMEOUT, () =>
                see("about:blank", async (page) => {
                    await page.route("**/theme.css", (route) => route.fulfill({ contentType: "text/css", body: styles[theme] }));
                    for (const language of colorScheme === "light" ? ["", "&lang=ar"] : [""]) {
                        await page.goto(`${service.address}/links?theme=${theme}&colours=${colorScheme}${language}`);
                        await isAccessible(page, `${theme}-${colorScheme}-${width}${language && "-rtl"}`);
                    }
                }));
        }
    }
}

async function isAccessible(page, name) {
    const folder = process.env.FOLIO_SCREENSHOTS;
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
    assert.deepEqual(await violations(page), [], name);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wider <= 0, `${name} is ${wider} px wider than the window`);
}
