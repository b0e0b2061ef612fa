// Walks the lists with openapi-fetch and the types of openapi-typescript. All types of pages and rows are generated.

import createClient from "openapi-fetch";

import type { components, paths } from "./generated/openapi.js";

type Package = components["schemas"]["Package"];
type Query<Path extends keyof paths> = NonNullable<paths[Path]["get"]["parameters"]["query"]>;

/** The three lists of the service at an address. */
export function lists(baseUrl: string) {
    // The document says how each list is written, but the types do not: names of orders are separated by commas.
    const client = createClient<paths>({ baseUrl, querySerializer: { array: { style: "form", explode: false } } });

    async function* numbered(query: Query<"/packages">): AsyncGenerator<Package[]> {
        for (let page = 1, last = 1; page <= last; page++) {
            const { data, error } = await client.GET("/packages", { params: { query: { ...query, page } } });
            if (error) throw new Error(error.message);
            last = data.last_page;
            yield data.data;
        }
    }

    async function* simple(query: Query<"/packages/simple">): AsyncGenerator<Package[]> {
        for (let page = 1, more = true; more; page++) {
            const { data, error } = await client.GET("/packages/simple", { params: { query: { ...query, page } } });
            if (error) throw new Error(error.message);
            more = data.has_more;
            yield data.data;
        }
    }

    async function* cursor(query: Query<"/packages/cursor">): AsyncGenerator<Package[]> {
        let next: string | null | undefined;
        do {
            const params = { query: { ...query, ...(next && { cursor: next }) } };
            const { data, error } = await client.GET("/packages/cursor", { params });
            if (error) throw new Error(error.message);
            next = data.next_cursor;
            yield data.data;
        } while (next !== null);
    }

    return { numbered, simple, cursor };
}

/** What the types refuse. */
export function refused(page: components["schemas"]["CursorPaginator_Package"]): Query<"/packages"> {
    // @ts-expect-error A row has no such field.
    void page.data[0]?.title;
    // @ts-expect-error The last page has no cursor.
    void page.next_cursor.length;
    // @ts-expect-error Only a counted list has a total.
    void page.total.toFixed();
    // @ts-expect-error There is no such order.
    return { sort: ["size"] };
}
