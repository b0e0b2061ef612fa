// The service under test, and the database that it reads.

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import openSqlite from "sql.js";

const WORKSPACE = fileURLToPath(new URL("../../..", import.meta.url));

/** Runs example-api on a free port: its address, the rows of its database, and what stops it. */
export async function startService() {
    const service = spawn("cargo", ["run", "--quiet", "-p", "example-api"], {
        cwd: WORKSPACE,
        env: { ...process.env, PORT: "0" },
        stdio: ["ignore", "pipe", "inherit"],
    });
    const stop = () => service.kill();
    try {
        const { database, address } = await announced(service);
        return { address, rows: await rowsOf(database), stop };
    } catch (error) {
        stop();
        throw error;
    }
}

/** The lines in which the service says which file it reads and where it listens. */
function announced(service) {
    return new Promise((resolve, reject) => {
        let output = "";
        service.stdout.setEncoding("utf8").on("data", (text) => {
            output += text;
            const database = output.match(/database.*: (.+)\n/)?.[1];
            const address = output.match(/^Listening on (http:\S+)\n/m)?.[1];
            if (database && address) resolve({ database, address });
        });
        service.on("error", reject);
        service.on("exit", (code) => reject(new Error(`example-api ended with ${code}:\n${output}`)));
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
