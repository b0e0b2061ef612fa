// Clients that are generated from the OpenAPI document of example-api compile, and walk all pages of its lists.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { ADDRESS, start } from "../browser/support/program.js";
import { idsOf } from "../graphql/service.js";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const SECTION = "games";

let service;
const clients = {};

before(async () => {
    service = await start("example-api", { PORT: "0" }, { address: ADDRESS });
    await rm(`${FOLDER}/generated`, { recursive: true, force: true });
    await mkdir(`${FOLDER}/generated`);
    const document = await fetch(`${service.address}/openapi.json`);
    await writeFile(`${FOLDER}/generated/openapi.json`, await document.text());
    await Promise.all([
        run("openapi-typescript", "generated/openapi.json", "--output", "generated/openapi.d.ts"),
        run("openapi-ts"),
    ]);
    await run("tsc");
    for (const name of ["openapi-fetch", "hey-api"]) clients[name] = await import(`./generated/js/${name}.js`);
});

after(() => service?.stop());

/** Runs a program of this package. Its output is only shown if it fails. */
async function run(program, ...parameters) {
    try {
        await promisify(execFile)(`${FOLDER}/node_modules/.bin/${program}`, parameters, { cwd: FOLDER });
    } catch ({ stdout, stderr }) {
        throw new Error(`${program} fails:\n${stdout}${stderr}`);
    }
}

/** The ids of all rows of a list, and the sizes of its pages. */
async function walk(pages) {
    const ids = [];
    const sizes = [];
    for await (const rows of pages) {
        ids.push(...rows.map((row) => row.id));
        sizes.push(rows.length);
    }
    return { ids, sizes };
}

for (const name of ["openapi-fetch", "hey-api"]) {
    for (const [list, query, order] of [
        ["numbered", { sort: ["name", "id"], per_page: 100 }, "NAME"],
        ["simple", { sort: ["name", "id"], per_page: 100 }, "NAME"],
        ["cursor", { per_page: 100 }, "DEPENDENCIES"],
        ["cursor", { sort: ["name", "id"], per_page: 70 }, "NAME"],
    ]) {
        test(`${name} walks the ${list} list by ${order}, each row once`, async () => {
            const expected = idsOf(SECTION, order);
            const pages = clients[name].lists(service.address)[list]({ section: [SECTION], ...query });
            const { ids, sizes } = await walk(pages);
            assert.deepEqual(ids, expected);
            assert.equal(sizes.length, Math.ceil(expected.length / query.per_page));
        });
    }

    test(`${name} knows the body of an error`, async () => {
        const pages = clients[name].lists(service.address).cursor({ cursor: "altered" });
        await assert.rejects(walk(pages), { message: "Invalid pagination cursor" });
    });
}
