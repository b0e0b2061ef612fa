// The two Inertia clients: the one of the built front end, and an older one, for which the front end is built again.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const FRONT = fileURLToPath(new URL("../../../examples/catalogue/front", import.meta.url));

/** A client: its name, a word that stands in its script alone, and its script where it is not the one that the service has. */
export const CLIENTS = [
    { name: `Inertia ${version("@inertiajs/vue3")}`, word: "httpException", script: async () => null },
    { name: `Inertia ${version("inertia2")}`, word: "useScriptElementForInitialPage", script: buildOlder },
];

function version(client) {
    return createRequire(`${FRONT}/package.json`)("./package.json").devDependencies[client].split("@").at(-1);
}

async function buildOlder() {
    const directory = await mkdtemp(join(tmpdir(), "catalogue-"));
    try {
        const vite = join(FRONT, "node_modules/vite/bin/vite.js");
        const build = [vite, "build", "--mode", "older-client", "--outDir", directory, "--logLevel", "error"];
        await promisify(execFile)(process.execPath, build, { cwd: FRONT });
        return await readFile(join(directory, "app.js"), "utf8");
    } finally {
        await rm(directory, { recursive: true });
    }
}
