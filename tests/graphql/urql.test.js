// urql walks the connections of example-graphql with its normalized cache and that cache's own `relayPagination`.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Client, fetchExchange, gql } from "@urql/core";
import { cacheExchange } from "@urql/exchange-graphcache";
import { relayPagination } from "@urql/exchange-graphcache/extras";

import { idsOf, startService } from "./service.js";

const PACKAGES = gql`
    query Packages($section: String!, $order: PackageOrder!, $first: Int, $after: String, $last: Int, $before: String) {
        packages(
            filter: { section: $section }
            orderBy: $order
            first: $first
            after: $after
            last: $last
            before: $before
        ) {
            edges { cursor node { id } }
            pageInfo { hasPreviousPage hasNextPage startCursor endCursor }
        }
    }
`;

let service;

before(async () => {
    service = await startService();
});

after(() => service?.stop());

/** A client with an empty cache. */
function newClient() {
    const cache = cacheExchange({ resolvers: { Query: { packages: relayPagination() } } });
    return new Client({ url: service.url, preferGetMethod: false, exchanges: [cache, fetchExchange] });
}

/** Queries a window. The answer has all rows of the list that the cache holds. */
async function read(client, variables) {
    const { data, error } = await client.query(PACKAGES, variables).toPromise();
    assert.equal(error, undefined);
    return data.packages;
}

const ids = (connection) => connection.edges.map((edge) => edge.node.id);

for (const order of ["DEPENDENCIES", "NAME"]) {
    test(`forwards to the end by ${order}, each row once`, async () => {
        const client = newClient();
        const expected = idsOf("games", order);
        const window = { section: "games", order, first: 100 };
        let whole = await read(client, window);
        for (let pages = 1; whole.pageInfo.hasNextPage; pages++) {
            assert.deepEqual(ids(whole), expected.slice(0, pages * 100));
            whole = await read(client, { ...window, after: whole.pageInfo.endCursor });
        }
        assert.deepEqual(ids(whole), expected);
        assert.equal(whole.pageInfo.hasPreviousPage, false);
    });

    test(`backwards from the end by ${order}, each row once`, async () => {
        const client = newClient();
        const expected = idsOf("games", order);
        const window = { section: "games", order, last: 100 };
        let whole = await read(client, window);
        for (let pages = 1; whole.pageInfo.hasPreviousPage; pages++) {
            assert.deepEqual(ids(whole), expected.slice(-pages * 100));
            whole = await read(client, { ...window, before: whole.pageInfo.startCursor });
        }
        assert.deepEqual(ids(whole), expected);
        assert.equal(whole.pageInfo.hasNextPage, false);
    });
}

test("two lists with different arguments do not mix", async () => {
    const client = newClient();
    const lists = [
        { section: "games", order: "SIZE", first: 10 },
        { section: "web", order: "SIZE", first: 10 },
        { section: "games", order: "NAME", first: 10 },
    ];
    const wholes = await Promise.all(lists.map((window) => read(client, window)));
    for (const [at, window] of lists.entries()) {
        wholes[at] = await read(client, { ...window, after: wholes[at].pageInfo.endCursor });
    }
    for (const [at, { section, order }] of lists.entries()) {
        assert.deepEqual(ids(wholes[at]), idsOf(section, order).slice(0, 20));
    }
});

test("a cursor of another list is the client's mistake", async () => {
    const client = newClient();
    const { pageInfo } = await read(client, { section: "games", order: "SIZE", first: 1 });
    const foreign = { section: "web", order: "SIZE", first: 1, after: pageInfo.endCursor };
    const { error } = await client.query(PACKAGES, foreign).toPromise();
    assert.deepEqual(
        error.graphQLErrors.map(({ message, extensions }) => [message, extensions.code]),
        [["Invalid pagination cursor", "BAD_USER_INPUT"]],
    );
});
