// Walks the lists with the client of @hey-api/openapi-ts. All types of pages and rows are generated.

import { createClient } from "./generated/sdk/client/index.js";
import * as sdk from "./generated/sdk/index.js";

/** The three lists of the service at an address. */
export function lists(baseUrl: string) {
    const client = createClient({ baseUrl });

    async function* numbered(query: NonNullable<sdk.NumberedData["query"]>): AsyncGenerator<sdk.Package[]> {
        for (let page = 1, last = 1; page <= last; page++) {
            const { data, error } = await sdk.numbered({ client, query: { ...query, page } });
            if (!data) throw new Error(error.message);
            last = data.last_page;
            yield data.data;
        }
    }

    async function* simple(query: NonNullable<sdk.SimpleData["query"]>): AsyncGenerator<sdk.Package[]> {
        for (let page = 1, more = true; more; page++) {
            const { data, error } = await sdk.simple({ client, query: { ...query, page } });
            if (!data) throw new Error(error.message);
            more = data.has_more;
            yield data.data;
        }
    }

    async function* cursor(query: NonNullable<sdk.CursorData["query"]>): AsyncGenerator<sdk.Package[]> {
        let next: string | null | undefined;
        do {
            const { data, error } = await sdk.cursor({ client, query: { ...query, ...(next && { cursor: next }) } });
            if (!data) throw new Error(error.message);
            next = data.next_cursor;
            yield data.data;
        } while (next !== null);
    }

    return { numbered, simple, cursor };
}

/** What the types refuse. */
export function refused(page: sdk.CursorPaginatorPackage): sdk.NumberedData {
    // @ts-expect-error A row has no such field.
    void page.data[0]?.title;
    // @ts-expect-error The last page has no cursor.
    void page.next_cursor.length;
    // @ts-expect-error There is no such order.
    return { url: "/packages", query: { sort: ["size"] } };
}
