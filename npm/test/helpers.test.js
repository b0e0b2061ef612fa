// The helpers, on the fixtures and on responses that no service of folio's sends.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
    fetchPage,
    FolioError,
    isConnection,
    isCursorPage,
    isErrorBody,
    isErrorDocument,
    isNumberedPage,
    isPageDocument,
    isSimplePage,
    nextPageParam,
    pageKey,
    previousPageParam,
    rows,
} from "folio-pages";

import * as fixtures from "./fixtures.js";

/** A `fetch` that responds with these bodies, by URL, and notes what is requested. */
function serving(bodies, requests = []) {
    return async (url, init) => {
        requests.push([url, init]);
        const body = bodies[url] ?? { message: "There is nothing here" };
        const text = typeof body === "string" ? body : JSON.stringify(body);
        return new Response(text, { status: bodies[url] === undefined ? 404 : 200 });
    };
}

const simple = (data, next_page_url) => ({ ...fixtures.simpleFirst, data, next_page_url });

async function collect(iterable) {
    const all = [];
    for await (const row of iterable) all.push(row);
    return all;
}

test("the parameters of the pages around a page", () => {
    const expected = {
        numberedFirst: [null, 2],
        numberedMiddle: [9, 11],
        numberedLast: [19, null],
        numberedPastEnd: [29, null],
        numberedEmpty: [null, null],
        numberedWithoutPath: [null, 2],
        simpleFirst: [null, 2],
        simpleMiddle: [9, 11],
        simpleLast: [19, null],
        simpleEmpty: [null, null],
        simpleWithoutPath: [null, 2],
        cursorFirst: [null, "cursor1"],
        cursorMiddle: ["cursor2", "cursor1"],
        cursorLast: ["cursor1", null],
        cursorEmpty: [null, null],
        cursorWithoutPath: [null, "cursor1"],
        cursorCounted: [null, "cursor1"],
        aroundFound: ["cursor2", "cursor1"],
        aroundGone: ["cursor2", "cursor1"],
        connectionFirst: [null, "cursor2"],
        connectionMiddle: ["cursor1", "cursor2"],
        connectionLast: ["cursor1", null],
        connectionEmpty: [null, null],
        connectionCounted: [null, "cursor2"],
        graphqlFirst: [null, "cursor2"],
        graphqlCounted: [null, "cursor2"],
        numberedDocumentFirst: [null, 2],
        numberedDocumentMiddle: [9, 11],
        numberedDocumentLast: [19, null],
        numberedDocumentWhole: [null, null],
        simpleDocumentFirst: [null, 2],
        simpleDocumentMiddle: [9, 11],
        simpleDocumentLast: [19, null],
        simpleDocumentWhole: [null, null],
        cursorDocumentFirst: [null, "cursor1"],
        cursorDocumentLast: ["cursor1", null],
        cursorDocumentCounted: [null, "cursor1"],
        cursorDocumentEstimated: [null, "cursor1"],
        cursorDocumentWhole: [null, null],
        profileFirst: [null, "cursor3"],
        profileMiddle: ["cursor3", "cursor4"],
        profileTruncated: ["cursor2", "cursor3"],
        profileEmpty: [null, null],
        profileCounted: [null, "cursor4"],
        profileEstimated: [null, "cursor3"],
        profilePlaced: [null, "cursor4"],
        profileWhole: [null, "cursor2"],
    };
    const pages = Object.entries(fixtures).filter(([name]) => !/^error|^inertia|^graphql[^FC]|Forbidden/.test(name));
    const found = pages.map(([name, page]) => [name, [previousPageParam(page), nextPageParam(page)]]);
    assert.deepEqual(Object.fromEntries(found), expected);
});

test("each fixture is what its guard says, and nothing else", () => {
    const pages = { isNumberedPage, isSimplePage, isCursorPage, isConnection, isPageDocument };
    const guards = { ...pages, isErrorBody, isErrorDocument };
    const of = (name) =>
        name.startsWith("errorDocument") ? "isErrorDocument"
        : name.startsWith("error") ? "isErrorBody"
        : /Document|^profile/.test(name) ? "isPageDocument"
        : name.startsWith("numbered") ? "isNumberedPage"
        : name.startsWith("simple") ? "isSimplePage"
        : /^cursor|^around/.test(name) ? "isCursorPage"
        : /^connection|^graphql(First|Counted)/.test(name) ? "isConnection"
        : undefined;
    for (const [name, value] of Object.entries(fixtures)) {
        const found = Object.keys(guards).filter((guard) => guards[guard](value));
        assert.deepEqual(found, of(name) === undefined ? [] : [of(name)], name);
    }
    const others = [null, undefined, 7, "data", [], {}, { data: [] }, { data: {}, current_page: 1, last_page: 1 }];
    for (const value of others) {
        assert.deepEqual(Object.keys(guards).filter((guard) => guards[guard](value)), [], JSON.stringify(value));
    }
});

test("a parameter of something that is not a page is an error", () => {
    for (const value of [null, undefined, {}, [], { data: [] }, fixtures.errorPlain]) {
        assert.throws(() => nextPageParam(value), /^TypeError: this is not a page of folio's/);
        assert.throws(() => previousPageParam(value), /^TypeError: this is not a page of folio's/);
    }
});

test("a connection that cannot go on is an error, not the end", () => {
    for (const pageInfo of [{ hasNextPage: true }, { hasNextPage: true, endCursor: null }]) {
        assert.throws(() => nextPageParam({ edges: [], pageInfo }), /has `hasNextPage` but no `endCursor`: select it/);
    }
    assert.throws(() => previousPageParam({ edges: [], pageInfo: { hasNextPage: false } }), /is not a page/);
});

test("keys of SWR follow the pages", () => {
    const key = pageKey("/posts?sort=title");
    assert.equal(key(0, null), "/posts?sort=title");
    assert.equal(key(1, fixtures.cursorFirst), "/posts?cursor=cursor1");
    assert.equal(key(2, fixtures.cursorLast), null);
    assert.equal(key(1, fixtures.numberedWithoutPath), "/posts?page=2");
    assert.equal(key(1, fixtures.numberedDocumentLast), null);
    assert.equal(key(1, fixtures.profileFirst), "/posts?page%5Bsize%5D=2&page%5Bafter%5D=cursor3");

    const elsewhere = pageKey("//api.example/posts");
    assert.equal(elsewhere(1, fixtures.cursorFirst), "http://api.example/posts?cursor=cursor1");
    const whole = pageKey("https://api.example/posts");
    assert.equal(whole(1, fixtures.cursorFirst), "https://api.example/posts?cursor=cursor1");
    assert.throws(() => whole(1, simple([], "https://elsewhere.example/posts?page=2")), /is of another origin/);
    assert.throws(() => key(1, simple([], "//elsewhere.example/posts?page=2")), /is of another origin/);
    // With the option `parallel`, SWR does not tell the previous page.
    assert.throws(() => key(1, null), /is not a page/);
});

test("rows follow the URLs, with the options of each request", async () => {
    const requests = [];
    const fetch = serving({
        "https://api.example/v1/posts?tag=a": simple([1, 2], "?page=2"),
        "https://api.example/v1/posts?page=2": simple([], "/v1/posts?page=3"),
        "https://api.example/v1/posts?page=3": simple([3], "https://api.example/v1/posts?page=4"),
        "https://api.example/v1/posts?page=4": simple([4], null),
    }, requests);
    const headers = { authorization: "Bearer a" };
    const all = rows("posts?tag=a", { base: "https://api.example/v1/", fetch, headers });
    assert.deepEqual(await collect(all), [1, 2, 3, 4]);
    assert.equal(requests.length, 4);
    for (const [, init] of requests) assert.deepEqual(init, { headers });
});

test("rows are requested when they are needed", async () => {
    const requests = [];
    const fetch = serving({
        "https://api.example/a": simple([1, 2], "/b"),
        "https://api.example/b": simple([3], null),
    }, requests);
    const all = rows("https://api.example/a", { fetch });
    assert.equal(requests.length, 0);
    await all.next();
    await all.next();
    assert.equal(requests.length, 1);
    assert.deepEqual((await all.next()).value, 3);
    assert.equal(requests.length, 2);
    // A loop that ends early requests nothing more.
    for await (const row of rows("https://api.example/a", { fetch })) if (row === 1) break;
    assert.equal(requests.length, 3);
});

test("a list that leads back to itself is an error", async () => {
    const pages = {
        "https://api.example/a": simple([1], "/b"),
        "https://api.example/b": simple([2], "/c"),
        "https://api.example/c": simple([3], "/b"),
        "https://api.example/self": simple([1], "/self"),
    };
    const fetch = serving(pages);
    const seen = [];
    await assert.rejects(async () => {
        for await (const row of rows("https://api.example/a", { fetch })) seen.push(row);
    }, /^TypeError: the list does not end: its page `https:\/\/api\.example\/b` follows again/);
    assert.deepEqual(seen, [1, 2, 3]);
    await assert.rejects(collect(rows("/self", { base: "https://api.example", fetch })), /follows again/);

    const connection = { nodes: [1], pageInfo: { hasNextPage: true, endCursor: "same" } };
    await assert.rejects(collect(rows(async () => connection)), /its page `same` follows again/);
});

test("a next page of another origin is an error, and is not requested", async () => {
    for (const next of ["https://elsewhere.example/b", "//elsewhere.example/b", "http://api.example/b"]) {
        const requests = [];
        const fetch = serving({ "https://api.example/a": simple([1], next) }, requests);
        await assert.rejects(collect(rows("https://api.example/a", { fetch })), /is of another origin/);
        assert.equal(requests.length, 1);
    }
});

test("an aborted list ends with the reason, between rows as well", async () => {
    const fetch = serving({ "https://api.example/a": simple([1, 2, 3], null) });
    const controller = new AbortController();
    const all = rows("https://api.example/a", { fetch, signal: controller.signal });
    assert.equal((await all.next()).value, 1);
    controller.abort(new Error("enough"));
    await assert.rejects(all.next(), /enough/);

    let reads = 0;
    const read = async () => (reads++, fixtures.connectionFirst);
    await assert.rejects(collect(rows(read, { signal: AbortSignal.abort(new Error("early")) })), /early/);
    assert.equal(reads, 0);
});

test("a function gets the parameter of its page, and its signal", async () => {
    const { signal } = new AbortController();
    const calls = [];
    const read = async (param, signal) => {
        calls.push([param, signal]);
        return param === undefined ? fixtures.connectionFirst : fixtures.connectionLast;
    };
    const ids = (await collect(rows(read, { signal }))).map(({ id }) => id);
    assert.deepEqual(ids, [1, 2, 19, 20]);
    assert.deepEqual(calls, [[undefined, signal], ["cursor2", signal]]);

    const unselected = async () => ({ pageInfo: { hasNextPage: false } });
    await assert.rejects(collect(rows(unselected)), /has no rows: select `nodes` or `edges`/);
    const failed = async () => ({ message: "no" });
    await assert.rejects(collect(rows(failed)), /is not a page of folio's: \{"message":"no"\}/);
});

test("a response that is not folio's has its status", async () => {
    const fetch = async () => new Response("<h1>Bad Gateway</h1>", { status: 502 });
    const error = await fetchPage("https://api.example/a", { fetch }).catch((error) => error);
    assert.ok(error instanceof FolioError && error instanceof Error);
    assert.equal(error.name, "FolioError");
    assert.equal(error.message, "the response has the status 502");
    assert.equal(error.url, "https://api.example/a");
    assert.deepEqual([error.status, error.body, error.document, error.allowed], [502, null, null, undefined]);
});

test("each error of the fixtures has its message, parameter and allowed values", () => {
    const of = (body) => {
        const { message, parameter, allowed } = new FolioError({ status: 400, url: "/" }, body);
        return [message, parameter, allowed];
    };
    const invalid = "`state` has a value that is not allowed";
    assert.deepEqual(of(fixtures.errorPlain), ["Invalid pagination cursor", undefined, undefined]);
    assert.deepEqual(of(fixtures.errorParameter), [invalid, "state", undefined]);
    assert.deepEqual(of(fixtures.errorAllowed), [invalid, "state", ["open", "closed"]]);
    assert.deepEqual(of(fixtures.errorDocumentAllowed), [invalid, "state", ["open", "closed"]]);
    assert.deepEqual(of(fixtures.errorDocumentInternal), ["Internal Server Error", undefined, undefined]);
    assert.equal(of(fixtures.errorDocumentMaxSize)[1], "page[size]");
});

test("a response that is not JSON, or a relative URL outside a browser, is an error that says so", async () => {
    const fetch = serving({ "https://api.example/a": "<html>" });
    const page = fetchPage("https://api.example/a", { fetch });
    await assert.rejects(page, /^TypeError: the response of `https:.*\/a` is not a page of folio's: "<html>"/);
    await assert.rejects(fetchPage("/a", { fetch }), /^TypeError: `\/a` is relative, .*: set `base`/);
});
