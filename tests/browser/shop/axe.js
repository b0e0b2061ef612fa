// What axe-core finds on a page.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const script = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules that a page violates, each with its elements. */
export async function violations(page) {
    await page.evaluate(script);
    const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, any }) => `${html} ${any[0]?.message ?? ""}`).join("\n")}`);
}
