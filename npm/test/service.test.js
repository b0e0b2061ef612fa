// The helpers over HTTP, on the pages of example-api and the connections of example-graphql.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";

import { InfiniteQueryObserver, QueryClient } from "@tanstack/query-core";

import {
    fetchPage,
    FolioError,
    isCursorPage,
    isNumberedPage,
    isPageDocument,
    isSimplePage,
    nextPageParam,
    previousPageParam,
    rows,
} from "folio-pages";

import { idsOf, startExample } from "../../tests/graphql/service.js";

let api;
let graphql;

before(async () => {
    api = await startExample("example-api");
    graphql = await startExample("example-graphql");
});

after(() => Promise.all([api?.stop(), graphql?.stop()]));

const WALKED = idsOf("games", "DEPENDENCIES");
const NUMBERED = [...WALKED].sort((a, b) => a - b);

/** The ids of a list, in its order. */
async function read(path, options) {
    const ids = [];
    for await (const { id } of rows(`${api.address}${path}`, options)) ids.push(Number(id));
    return ids;
}

for (const [path, expected] of [
    ["/packages?section=games&per_page=100", NUMBERED],
    ["/packages/simple?section=games&per_page=100", NUMBERED],
    ["/packages/cursor?section=games&per_page=100", WALKED],
    ["/api/packages?section=games&page[size]=100", NUMBERED],
    ["/api/packages/simple?section=games&page[size]=100", NUMBERED],
    ["/api/packages/cursor?section=games&page[size]=100", WALKED],
    ["/api/packages/window?section=games&page[size]=100", WALKED],
]) {
    test(`all rows of ${path}, each once`, async () => {
        assert.deepEqual(await read(path), expected);
    });
}

test("all rows of a connection, each once", async () => {
    const query = `query ($after: String) {
        packages(filter: { section: "games" }, orderBy: DEPENDENCIES, first: 100, after: $after) {
            nodes { id }
            pageInfo { hasNextPage endCursor }
        }
    }`;
    const ids = [];
    const connection = async (after) => {
        const response = await fetch(`${graphql.address}/graphql`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ query, variables: { after } }),
        });
        return (await response.json()).data.packages;
    };
    for await (const { id } of rows(connection)) ids.push(id);
    assert.deepEqual(ids, WALKED);
});

test("a relative URL begins at `base`", async () => {
    const options = { base: `${api.address}/packages/` };
    const { data } = await fetchPage("cursor?section=games&per_page=1", options);
    assert.equal(data[0].id, WALKED[0]);
    for await (const { id } of rows("simple?section=games&per_page=1", options)) {
        assert.equal(id, NUMBERED[0]);
        break;
    }
});

/** An infinite list of TanStack Query. */
async function infinite(path, name, initialPageParam) {
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    const observer = new InfiniteQueryObserver(client, {
        queryKey: [path],
        queryFn: ({ pageParam, signal }) => fetchPage(`${api.address}${path}&${name}=${pageParam}`, { signal }),
        initialPageParam,
        getNextPageParam: nextPageParam,
        getPreviousPageParam: previousPageParam,
    });
    const unsubscribe = observer.subscribe(() => {});
    await observer.refetch();
    return { observer, unsubscribe };
}

for (const [path, name, first, expected] of [
    ["/packages?section=games&per_page=100", "page", 1, NUMBERED],
    ["/packages/simple?section=games&per_page=100", "page", 1, NUMBERED],
    ["/packages/cursor?section=games&per_page=100", "cursor", "", WALKED],
    ["/api/packages?section=games&page[size]=100", "page[number]", 1, NUMBERED],
    ["/api/packages/cursor?section=games&page[size]=100", "page[cursor]", "", WALKED],
]) {
    test(`TanStack Query reads ${path} to its end`, async () => {
        const { observer, unsubscribe } = await infinite(path, name, first);
        while (observer.getCurrentResult().hasNextPage) await observer.fetchNextPage();
        const { data, isError } = observer.getCurrentResult();
        assert.equal(isError, false);
        assert.deepEqual(data.pages.flatMap((page) => page.data.map(({ id }) => Number(id))), expected);
        unsubscribe();
    });
}

test("TanStack Query begins in the middle, and reads to both ends", async () => {
    const path = "/packages/cursor?section=games&per_page=100";
    let page = await fetchPage(`${api.address}${path}`);
    for (let pages = 1; pages < 5; pages++) page = await fetchPage(`${api.address}${path}&cursor=${page.next_cursor}`);
    const { observer, unsubscribe } = await infinite(path, "cursor", page.next_cursor);
    assert.equal(observer.getCurrentResult().hasPreviousPage, true);
    while (observer.getCurrentResult().hasPreviousPage) await observer.fetchPreviousPage();
    while (observer.getCurrentResult().hasNextPage) await observer.fetchNextPage();
    const { data } = observer.getCurrentResult();
    assert.deepEqual(data.pages.flatMap((page) => page.data.map(({ id }) => id)), WALKED);
    unsubscribe();
});

test("an error has the status, the body and what is allowed", async () => {
    const error = await read("/packages?sort=colour").catch((error) => error);
    assert.ok(error instanceof FolioError);
    assert.deepEqual([error.status, error.parameter], [400, "sort"]);
    assert.deepEqual(error.allowed, ["id", "name", "section", "dependencies"]);
    assert.equal(error.message, error.body.message);
    assert.equal(error.document, null);

    const cursor = await read("/packages/cursor?cursor=undefined").catch((error) => error);
    assert.deepEqual([cursor.status, cursor.body], [400, { message: "Invalid pagination cursor" }]);
});

test("an error of JSON:API has its document", async () => {
    const error = await read("/api/packages/window?page[size]=101").catch((error) => error);
    assert.deepEqual([error.status, error.parameter, error.body], [400, "page[size]", null]);
    assert.equal(error.document.errors[0].meta.page.maxSize, 100);
    assert.equal(error.message, "`page[size]` is larger than the maximum, 100");
});

test("something that is not a page is an error", async () => {
    const error = await read("/openapi.json").catch((error) => error);
    assert.ok(error instanceof TypeError);
    assert.match(error.message, /^the response of `http.*\/openapi\.json` is not a page of folio's: \{"openapi"/);
});

test("the guards tell pages apart", async () => {
    const pages = ["/packages", "/packages/simple", "/packages/cursor", "/api/packages"];
    const guards = [isNumberedPage, isSimplePage, isCursorPage, isPageDocument];
    for (const [at, path] of pages.entries()) {
        const page = await fetchPage(`${api.address}${path}`);
        assert.deepEqual(guards.map((guard) => guard(page)), guards.map((_, guard) => guard === at), path);
    }
});

test("the examples' saved response is the service's", async () => {
    const saved = JSON.parse(await readFile(new URL("../example/packages.json", import.meta.url)));
    assert.deepEqual(await fetchPage(`${api.address}/packages/cursor?q=libc6-i386`), saved);
});
