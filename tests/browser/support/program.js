// The programs of the workspace's packages.

import { execFile } from "node:child_process";
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
