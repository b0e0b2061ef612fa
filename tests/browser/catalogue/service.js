// The catalogue under test: it can be started again at the same address, as another release of it.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const WORKSPACE = fileURLToPath(new URL("../../..", import.meta.url));

/** A key that seals cursors. It stays while the service is started again, so its cursors do as well. */
const KEY = Buffer.alloc(32, 7).toString("base64");

/** Starts the catalogue: its address, the file of its database, and what stops it or starts it again. */
export async function startCatalogue() {
    let service = await start({ PORT: "0" });
    const { address, database } = service;
    return {
        address,
        database,
        stop: () => service.stop(),
        async restart(environment) {
            await service.stop();
            service = await start({ PORT: new URL(address).port, ...environment });
        },
    };
}

async function start(environment) {
    const service = spawn("cargo", ["run", "--quiet", "-p", "example-catalogue"], {
        cwd: WORKSPACE,
        env: { ...process.env, APP_KEY: KEY, ...environment },
        stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = new Promise((resolve) => service.on("exit", resolve));
    const stop = () => {
        service.kill();
        return ended;
    };
    try {
        return { ...(await announced(service)), stop };
    } catch (error) {
        service.kill();
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
        service.on("exit", (code) => reject(new Error(`example-catalogue ended with ${code}:\n${output}`)));
    });
}
