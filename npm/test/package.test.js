// What is packed, and under which version and licence.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const read = (path) => readFile(new URL(path, import.meta.url), "utf8");

test("the package has its two files, the README and the licences", async () => {
    const cwd = fileURLToPath(new URL("..", import.meta.url));
    const { stdout } = await promisify(execFile)("npm", ["pack", "--dry-run", "--json"], { cwd });
    const files = ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "index.d.ts", "index.js", "package.json"];
    const packed = JSON.parse(stdout);
    const [{ files: found }] = Array.isArray(packed) ? packed : Object.values(packed);
    assert.deepEqual(found.map(({ path }) => path).sort(), files);
    for (const name of files.slice(0, 2)) assert.equal(await read(`../${name}`), await read(`../../${name}`));
});

test("the version is that of the workspace, and the package has no dependencies", async () => {
    const { version, dependencies } = JSON.parse(await read("../package.json"));
    assert.equal(version, (await read("../../Cargo.toml")).match(/^version = "(.*)"$/m)[1]);
    assert.equal(dependencies, undefined);
});
