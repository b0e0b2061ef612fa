// The same list with SWR, which follows the URLs in the pages.

import { type CursorPage, fetchPage, pageKey, type Row } from "folio-pages";
import useSWRInfinite from "swr/infinite";

import saved from "./packages.json" with { type: "json" };

type Package = Row<typeof saved>;

export function Packages({ query }: { query: string }) {
    const list = useSWRInfinite(pageKey(`/packages/cursor?${query}`), (url) => fetchPage<CursorPage<Package>>(url), {
        // Otherwise SWR requests all pages again, because the cursors of the first page differ each time.
        revalidateFirstPage: false,
    });
    const packages = list.data?.flatMap((page) => page.data) ?? [];
    const last = list.data?.at(-1);
    return (
        <>
            <ul>{packages.map(({ id, name }) => <li key={id} id={`package-${id}`}>{name}</li>)}</ul>
            <button disabled={!last?.next_cursor} onClick={() => list.setSize((size) => size + 1)}>More</button>
        </>
    );
}
