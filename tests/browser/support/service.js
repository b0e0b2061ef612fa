// The service under test, and the database that it reads.

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";

import openSqlite from "sql.js";

import { program, WORKSPACE } from "./program.js";

/** Runs example-api on a free port: its address, the rows of its database, and what stops it. */
export async function startService() {
    const { address, database, stop } = await startExample("example-api", { PORT: "0" });
    try {
        return { address, rows: await rowsOf(database), stop };
    } catch (error) {
        stop();
        throw error;
    }
}

/** Runs an example: its address, the file of its database, and what stops it and waits for its end. */
export const startExample = (name, environment) => start(name, environment, { address: ADDRESS, database: /database.*: (.+)\n/ });

/** Runs the service of the Inertia pages: its address, and what stops it and waits for its end. */
export const startInertia = () => start("folio-browser-service", {}, { address: ADDRESS });

/** The line in which a service says where it listens. */
const ADDRESS = /^Listening on (http:\S+)\n/m;

/** Runs a package: what it announces, and what stops it and waits for its end. */
async function start(name, environment, announcements) {
    const example = spawn(await program(name), {
        cwd: WORKSPACE,
        env: { ...process.env, ...environment },
        stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = new Promise((resolve) => example.on("exit", resolve));
    const stop = () => {
        example.kill();
        return ended;
    };
    try {
        return { ...(await announced(name, example, announcements)), stop };
    } catch (error) {
        example.kill();
        throw error;
    }
}

/** What a package announces on its output, each by a pattern. */
function announced(name, example, announcements) {
    return new Promise((resolve, reject) => {
        let output = "";
        example.stdout.setEncoding("utf8").on("data", (text) => {
            output += text;
            const found = Object.entries(announcements).map(([name, pattern]) => [name, output.match(pattern)?.[1]]);
            if (found.every(([, text]) => text)) resolve(Object.fromEntries(found));
        });
        example.on("error", reject);
        example.on("exit", (code) => reject(new Error(`${name} ended with ${code}:\n${output}`)));
    });
}

/** What reads the rows for which a condition holds, straight from the file. A NULL is shown as nothing. */
async function rowsOf(file) {
    const sqlite = await openSqlite();
    const database = new sqlite.Database(await readFile(file));
    return (condition) => {
        const [result] = database.exec(`
            SELECT id, name, version, section, priority, installed_size_kib, download_bytes, depends_count
            FROM packages WHERE ${condition} ORDER BY id`);
        return result.values.map((row) => row.map((value) => String(value ?? "")));
    };
}
