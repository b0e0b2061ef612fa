// Runs a command while PGlite, which is PostgreSQL in WebAssembly, listens at the address in its FOLIO_POSTGRES_URL.

import { spawn } from "node:child_process";

import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";

const db = await PGlite.create();
const server = new PGLiteSocketServer({ db, port: 0 });
await server.start();
const address = `postgres://postgres@${server.getServerConn()}/postgres?sslmode=disable`;
const [program, ...parameters] = process.argv.slice(2);
const command = spawn(program, parameters, {
    env: { ...process.env, FOLIO_POSTGRES_URL: address },
    stdio: "inherit",
});
process.exitCode = await new Promise((resolve, reject) => {
    command.on("error", reject);
    command.on("exit", (code) => resolve(code ?? 1));
});
await server.stop();
await db.close();
