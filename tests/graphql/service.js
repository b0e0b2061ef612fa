// The server under test, and the packages that it lists.

import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";

import { ADDRESS, start } from "../browser/support/program.js";

/** Runs example-graphql on a free port: the address of its route, and what stops it and waits for its end. */
export async function startService() {
    const { address, stop } = await startExample("example-graphql");
    return { url: `${address}/graphql`, stop };
}

/** Runs an example on a free port: its address, and what stops it and waits for its end. */
export function startExample(name) {
    return start(name, { PORT: "0" }, { address: ADDRESS });
}

const list = await readFile(new URL("../../examples/quickstart/data/packages.csv.gz", import.meta.url));

/** The packages, straight from the list that the database is made of. No field of it is quoted. */
const PACKAGES = gunzipSync(list)
    .toString()
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line, at) => {
        const [name, , section, , size, , dependencies] = line.split(",");
        const number = (text) => (text === "" ? -1 : Number(text));
        return { id: at + 1, name, section, size: number(size), dependencies: number(dependencies) };
    });

/** The orders of the schema. NULL is last, and packages that tie are in the order of the last column. */
const ORDERS = {
    DEPENDENCIES: (a, b) => b.dependencies - a.dependencies || b.id - a.id,
    SIZE: (a, b) => b.size - a.size || b.id - a.id,
    NAME: (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id),
};

/** The ids of the packages of a section, in an order. */
export function idsOf(section, order) {
    return PACKAGES.filter((row) => row.section === section)
        .sort(ORDERS[order])
        .map((row) => row.id);
}

/** The names of the sections. */
export const SECTIONS = [...new Set(PACKAGES.map((row) => row.section))].sort();
