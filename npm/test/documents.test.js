// The TypeScript in the README and in the guide compiles.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import ts from "typescript";

const fileOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const { config } = ts.readConfigFile(fileOf("../tsconfig.json"), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, fileOf(".."));

/** The row type that examples share. */
const POST = "interface Post { id: number; title: string }\n";

/** The examples of a document that use the package. */
async function examples(path) {
    const text = await readFile(fileOf(path), "utf8");
    const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
    const own = blocks.filter((code) => code.includes('from "folio-pages"'));
    assert.ok(own.length >= 3, `${path}: ${own.length} examples`);
    return own.map((code) => (code.includes("interface Post") ? code : POST + code));
}

/** The compiler's messages about each of these modules, which are not on the disk. */
function mistakes(texts) {
    const modules = new Map(texts.map((text, at) => [fileOf(`./example-${at}.ts`), text]));
    const host = ts.createCompilerHost(options);
    const { fileExists, readFile } = host;
    host.fileExists = (path) => modules.has(path) || fileExists(path);
    host.readFile = (path) => modules.get(path) ?? readFile(path);
    const program = ts.createProgram([...modules.keys()], options, host);
    return [...modules.keys()].map((path) => {
        const found = ts.getPreEmitDiagnostics(program, program.getSourceFile(path));
        return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
    });
}

test("the examples in the README and the guide compile, and a wrong one does not", async () => {
    const wrong = 'import type { CursorPage } from "folio-pages";\n(null! as CursorPage<Post>).nextCursor;';
    const documents = await Promise.all(["../README.md", "../../runtime/src/guide/front_ends.md"].map(examples));
    const texts = documents.flat();
    const [noticed, ...found] = mistakes([POST + wrong, ...texts]);
    assert.equal(noticed.length, 1);
    for (const [at, messages] of found.entries()) assert.deepEqual(messages, [], texts[at]);
});
