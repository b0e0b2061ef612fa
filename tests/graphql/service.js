// The server under test, and the packages that it lists.

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";

import { program, WORKSPACE } from "../browser/support/program.js";

/** Runs example-graphql on a free port: the address of its route, and what stops it and waits for its end. */
export async function startService() {
    const example = spawn(await program("example-graphql"), {
        cwd: WORKSPACE,
        env: { ...process.env, PORT: "0" },
        stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = new Promise((resolve) => example.on("exit", resolve));
    const stop = () => {
        example.kill();
        return ended;
    };
    try {
        return { url: `${await announced(example)}/graphql`, stop };
    } catch (error) {
        example.kill();
        throw error;
    }
}

/** The address in the line in which the example says where it listens. */
function announced(example) {
    return new Promise((resolve, reject) => {
        let output = "";
        example.stdout.setEncoding("utf8").on("data", (text) => {
            output += text;
            const address = output.match(/^Listening on (http:\S+)\n/m)?.[1];
            if (address) resolve(address);
        });
        example.on("error", reject);
        example.on("exit", (code) => reject(new Error(`example-graphql ended with ${code}:\n${output}`)));
    });
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
