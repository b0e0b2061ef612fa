// Apollo Client walks the connections of example-graphql with its own policy for them, `relayStylePagination`. What its
// cache holds is what the list of packages has.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { ApolloClient, CombinedGraphQLErrors, HttpLink, InMemoryCache, gql } from "@apollo/client/core";
import { relayStylePagination } from "@apollo/client/utilities";
import { filter, firstValueFrom } from "rxjs";

import { SECTIONS, idsOf, startService } from "./service.js";

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
            totalCount
            edges { cursor node { id name } }
            pageInfo { hasPreviousPage hasNextPage startCursor endCursor }
        }
    }
`;

const SECTIONS_WITH_PACKAGES = gql`
    query Sections($first: Int!, $after: String) {
        sections(first: $first, after: $after) {
            edges {
                cursor
                node {
                    name
                    packages(first: 3, orderBy: SIZE) {
                        edges { cursor node { id } }
                        pageInfo { hasPreviousPage hasNextPage startCursor endCursor }
                    }
                }
            }
            pageInfo { hasPreviousPage hasNextPage startCursor endCursor }
        }
    }
`;

const SECTION = gql`
    query Section($name: String!, $after: String) {
        section(name: $name) {
            name
            packages(first: 100, after: $after, orderBy: SIZE) {
                edges { cursor node { id } }
                pageInfo { hasPreviousPage hasNextPage startCursor endCursor }
            }
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
    const cache = new InMemoryCache({
        typePolicies: {
            Query: {
                fields: {
                    packages: relayStylePagination(["filter", "orderBy"]),
                    sections: relayStylePagination(),
                },
            },
            Section: {
                keyFields: ["name"],
                fields: { packages: relayStylePagination(["orderBy"]) },
            },
        },
    });
    return new ApolloClient({ cache, link: new HttpLink({ uri: service.url }) });
}

/** Shows a query, and waits for its first answer. */
async function show(client, query, variables) {
    const list = client.watchQuery({ query, variables });
    const shown = list.subscribe(() => {});
    await firstValueFrom(list.pipe(filter(({ loading }) => !loading)));
    return { list, hide: () => shown.unsubscribe() };
}

/** Fetches more of a query. What it shows changes a moment after the rows are in the cache. */
async function fetchMore(list, variables) {
    await list.fetchMore({ variables });
    await sleep(5);
}

const packagesOf = (list) => list.getCurrentResult().data.packages;
const ids = (connection) => connection.edges.map((edge) => edge.node.id);

/** Fetches the next rows of a list, or those before it, and returns what the list holds. */
async function more(list, forwards, rows) {
    const { startCursor, endCursor } = packagesOf(list).pageInfo;
    const variables = forwards
        ? { first: rows, after: endCursor, last: undefined, before: undefined }
        : { last: rows, before: startCursor, first: undefined, after: undefined };
    await fetchMore(list, variables);
    return packagesOf(list);
}

for (const order of ["DEPENDENCIES", "SIZE", "NAME"]) {
    test(`forwards to the end by ${order}, each row once`, async () => {
        const expected = idsOf("games", order);
        const { list, hide } = await show(newClient(), PACKAGES, { section: "games", order, first: 100 });
        assert.deepEqual(ids(packagesOf(list)), expected.slice(0, 100));
        assert.equal(packagesOf(list).totalCount, expected.length);
        for (let pages = 1; packagesOf(list).pageInfo.hasNextPage; pages++) {
            assert.ok(pages <= expected.length / 100, "the last page was passed");
            await more(list, true, 100);
        }
        const whole = packagesOf(list);
        assert.deepEqual(ids(whole), expected);
        assert.equal(whole.pageInfo.hasPreviousPage, false);
        hide();
    });

    test(`backwards from the end by ${order}, each row once`, async () => {
        const expected = idsOf("games", order);
        const { list, hide } = await show(newClient(), PACKAGES, { section: "games", order, last: 100 });
        assert.deepEqual(ids(packagesOf(list)), expected.slice(-100));
        for (let pages = 1; packagesOf(list).pageInfo.hasPreviousPage; pages++) {
            assert.ok(pages <= expected.length / 100, "the first page was passed");
            await more(list, false, 100);
        }
        const whole = packagesOf(list);
        assert.deepEqual(ids(whole), expected);
        assert.equal(whole.pageInfo.hasNextPage, false);
        hide();
    });
}

test("a list grows on both sides", async () => {
    const client = newClient();
    const expected = idsOf("web", "NAME");
    const variables = { section: "web", order: "NAME" };
    const { data } = await client.query({ query: PACKAGES, variables: { ...variables, first: 50 } });
    const from = data.packages.edges[39].cursor;
    const { list, hide } = await show(newClient(), PACKAGES, { ...variables, first: 20, after: from });
    assert.deepEqual(ids(packagesOf(list)), expected.slice(40, 60));
    assert.deepEqual(packagesOf(list).pageInfo.hasPreviousPage, true);
    assert.deepEqual(ids(await more(list, true, 10)), expected.slice(40, 70));
    assert.deepEqual(ids(await more(list, false, 30)), expected.slice(10, 70));
    const whole = await more(list, false, 30);
    assert.deepEqual(ids(whole), expected.slice(0, 70));
    assert.deepEqual([whole.pageInfo.hasPreviousPage, whole.pageInfo.hasNextPage], [false, true]);
    hide();
});

test("two lists with different arguments do not mix", async () => {
    const client = newClient();
    const variables = [
        { section: "games", order: "SIZE" },
        { section: "web", order: "SIZE" },
        { section: "games", order: "NAME" },
    ];
    const lists = await Promise.all(variables.map((variables) => show(client, PACKAGES, { ...variables, first: 10 })));
    for (let pages = 0; pages < 3; pages++) {
        await Promise.all(lists.map(({ list }) => more(list, true, 10)));
    }
    lists.forEach(({ list, hide }, at) => {
        const { section, order } = variables[at];
        assert.deepEqual(ids(packagesOf(list)), idsOf(section, order).slice(0, 40));
        hide();
    });
});

test("each section has packages of its own, which are fetched to their end", async () => {
    const client = newClient();
    const { list: sections, hide } = await show(client, SECTIONS_WITH_PACKAGES, { first: 20 });
    const read = () => sections.getCurrentResult().data.sections;
    for (let pages = 1; read().pageInfo.hasNextPage; pages++) {
        assert.ok(pages <= SECTIONS.length / 20, "the last section was passed");
        await fetchMore(sections, { after: read().pageInfo.endCursor });
    }
    assert.deepEqual(read().edges.map((edge) => edge.node.name), SECTIONS);

    const packages = (name) => read().edges.find((edge) => edge.node.name === name).node.packages;
    for (let pages = 0; packages("games").pageInfo.hasNextPage; pages++) {
        assert.ok(pages <= idsOf("games", "SIZE").length / 100 + 1, "the last package was passed");
        const variables = { name: "games", after: packages("games").pageInfo.endCursor };
        await client.query({ query: SECTION, variables, fetchPolicy: "network-only" });
        await sleep(5);
    }
    for (const name of SECTIONS) {
        const expected = idsOf(name, "SIZE");
        assert.deepEqual(ids(packages(name)), name === "games" ? expected : expected.slice(0, 3), name);
    }
    hide();
});

test("a cursor of another list is the client's mistake", async () => {
    const client = newClient();
    const variables = { section: "games", order: "SIZE", first: 1 };
    const { data } = await client.query({ query: PACKAGES, variables });
    const after = data.packages.pageInfo.endCursor;
    for (const other of [{ section: "web" }, { order: "NAME" }, { first: -1 }, { last: 1 }]) {
        const foreign = { ...variables, after, ...other };
        const query = client.query({ query: PACKAGES, variables: foreign, fetchPolicy: "no-cache" });
        await assert.rejects(query, (error) => {
            assert.ok(CombinedGraphQLErrors.is(error), String(error));
            assert.deepEqual(error.errors.map((error) => error.extensions.code), ["BAD_USER_INPUT"]);
            return true;
        });
    }
    const own = { query: PACKAGES, variables: { ...variables, after }, fetchPolicy: "network-only" };
    assert.deepEqual(ids((await client.query(own)).data.packages), idsOf("games", "SIZE").slice(0, 2));
});
