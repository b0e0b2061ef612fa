// A browser without a window, and a page in it that is watched for trouble.

import { chromium } from "playwright-core";

const ARGUMENTS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
];

/** Starts Chromium with an empty profile: the one that `FOLIO_CHROMIUM` names, or Debian's. */
export function startBrowser() {
    const executablePath = process.env.FOLIO_CHROMIUM || "/usr/bin/chromium";
    return chromium.launch({ executablePath, args: ARGUMENTS, chromiumSandbox: false });
}

/** A page, and the troubles it had: warnings and errors on its console, exceptions, and requests that failed. */
export async function openPage(browser, url) {
    const page = await browser.newPage();
    page.setDefaultTimeout(20_000);
    const troubles = [];
    page.on("console", (message) => {
        if (["warning", "error"].includes(message.type())) troubles.push(message.text());
    });
    page.on("pageerror", (error) => troubles.push(String(error)));
    page.on("requestfailed", (request) => troubles.push(`${request.url()}: ${request.failure()?.errorText}`));
    page.on("response", (response) => {
        if (!response.ok()) troubles.push(`${response.url()}: ${response.status()}`);
    });
    await page.goto(url);
    return { page, troubles };
}

/** Clicks, and waits until what was asked for by that is shown. */
export async function follow(page, link) {
    const { asked } = await counts(page);
    await link.click();
    await shown(page, asked + 1);
}

/** How many pages of the list were asked for, and how many of them have been shown. */
export async function counts(page) {
    const { asked, shown } = await page.evaluate(() => ({ ...document.body.dataset }));
    return { asked: Number(asked), shown: Number(shown) };
}

/** Waits until pages of the list have been shown so many times. */
export const shown = (page, times) =>
    page.waitForFunction((times) => document.body.dataset.shown === `${times}`, times);
