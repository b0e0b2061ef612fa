// The service under test, and the database that it reads.

import { readFile } from "node:fs/promises";

import openSqlite from "sql.js";

import { ADDRESS, start } from "./program.js";

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
