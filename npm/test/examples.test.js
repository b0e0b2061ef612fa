// The examples, rendered by React on the pages of example-api.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { act, create } from "react-test-renderer";
import useSWRInfinite from "swr/infinite";
import ts from "typescript";

import { pageKey } from "folio-pages";

import { idsOf, startExample } from "../../tests/graphql/service.js";
import { simpleFirst } from "./fixtures.js";

const EXAMPLES = fileURLToPath(new URL("../example/", import.meta.url));

let service;
let folder;

before(async () => {
    service = await startExample("example-api");
    // Beside their sources, so that they find the same packages.
    folder = await mkdtemp(`${EXAMPLES}compiled-`);
    globalThis.IS_REACT_ACT_ENVIRONMENT = true;
    // What a browser has: relative URLs begin at the document's.
    globalThis.window = globalThis;
    globalThis.location = new URL(service.address);
});

after(async () => {
    await service?.stop();
    if (folder) await rm(folder, { recursive: true });
});

/** The component of an example. */
async function component(name) {
    const source = await readFile(`${EXAMPLES}${name}.tsx`, "utf8");
    const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, jsx: ts.JsxEmit.ReactJSX };
    await writeFile(`${folder}/${name}.js`, ts.transpileModule(source, { compilerOptions }).outputText);
    return (await import(`${folder}/${name}.js`)).Packages;
}

/** Waits until a condition holds. */
async function until(condition) {
    for (let tries = 0; !condition(); tries++) {
        assert.ok(tries < 200, "the list does not change");
        await act(() => new Promise((resolve) => setTimeout(resolve, 25)));
    }
}

const WALKED = idsOf("games", "DEPENDENCIES");

async function render(element) {
    let view;
    await act(async () => {
        view = create(element);
    });
    return view;
}

/** Presses the button until the list has its rows of three pages, and compares them. */
async function readThreePages(view) {
    const ids = () => view.root.findAllByType("li").map((item) => Number(item.props.id.slice("package-".length)));
    for (let pages = 1; pages <= 3; pages++) {
        await until(() => ids().length === pages * 15);
        assert.deepEqual(ids(), WALKED.slice(0, pages * 15));
        await act(async () => view.root.findByType("button").props.onClick());
    }
    await act(async () => view.unmount());
}

/** A list in a client of its own, without repeated requests. */
function inClient(element) {
    const client = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: 0 } } });
    return createElement(QueryClientProvider, { client }, element);
}

test("TanStack Query", async () => {
    const Packages = await component("tanstack");
    await readThreePages(await render(inClient(createElement(Packages, { query: "section=games" }))));
});

test("TanStack Query shows what is allowed", async () => {
    const Packages = await component("tanstack");
    const view = await render(inClient(createElement(Packages, { query: "sort=colour" })));
    await until(() => view.root.findAllByProps({ role: "alert" }).length === 1);
    const text = view.root.findByProps({ role: "alert" }).children.join("");
    assert.match(text, /`sort` .*\(id, name, section, dependencies\)$/);
    await act(async () => view.unmount());
});

test("SWR", async () => {
    const Packages = await component("swr");
    await readThreePages(await render(createElement(Packages, { query: "section=games" })));
});

test("with SWR, a list that leaves its origin is an error where it goes on", async () => {
    const page = { ...simpleFirst, next_page_url: "https://elsewhere.example/posts?page=2" };
    let goOn;
    const Posts = () => {
        const { data, setSize } = useSWRInfinite(pageKey("/posts"), async () => page);
        goOn = data && (() => setSize(2));
        return null;
    };
    const view = await render(createElement(Posts));
    await until(() => goOn);
    assert.throws(goOn, /^TypeError: the next page, .*, is of another origin/);
    await act(async () => view.unmount());
});
