// The programs of the workspace's packages.

import { execFile, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const WORKSPACE = fileURLToPath(new URL("../../..", import.meta.url));

/** The program of a package, which is built once: a service that starts again must not wait for another build. */
export const program = (name) => programs[name] ??= build(name);
const programs = {};

async function build(name) {
    // With a test of the workspace, its dependencies have the features that they have in `cargo test --workspace`, so
    // they are not compiled again.
    const command = ["build", "--quiet", "--workspace", "--bin", name, "--test", "layers", "--message-format", "json"];
    const { stdout } = await promisify(execFile)("cargo", command, { cwd: WORKSPACE, maxBuffer: 1 << 28 });
    const messages = stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line));
    return messages.find((message) => message.executable && message.target.name === name).executable;
}

/** The line in which a service says where it listens. */
export const ADDRESS = /^Listening on (http:\S+)\n/m;

/** Runs a package: what it announces, and what stops it and waits for its end. */
export async function start(name, environment, announcements) {
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
