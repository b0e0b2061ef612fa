// The packages of `cargo run -p example-api` as an infinite list of TanStack Query. No type of the JSON is written by
// hand: that of the page is the package's, and that of a row follows from a saved response.

import { useInfiniteQuery } from "@tanstack/react-query";
import { type CursorPage, fetchPage, FolioError, nextPageParam, previousPageParam, type Row } from "folio-pages";

import saved from "./packages.json" with { type: "json" };

type Package = Row<typeof saved>;

export function Packages({ query }: { query: string }) {
    const list = useInfiniteQuery({
        // A cursor is valid for one order, so each order is a list of its own, and so is each filter.
        queryKey: ["packages", query],
        queryFn: ({ pageParam, signal }) =>
            fetchPage<CursorPage<Package>>(`/packages/cursor?${query}&cursor=${pageParam}`, { signal }),
        initialPageParam: "",
        getNextPageParam: nextPageParam,
        getPreviousPageParam: previousPageParam,
    });
    if (list.error instanceof FolioError) {
        const { message, allowed } = list.error;
        return <p role="alert">{allowed ? `${message} (${allowed.join(", ")})` : message}</p>;
    }
    const packages = list.data?.pages.flatMap((page) => page.data) ?? [];
    return (
        <>
            <ul>
                {packages.map(({ id, name, installed_size_kib }) => (
                    <li key={id} id={`package-${id}`}>
                        {installed_size_kib === null ? name : `${name}, ${installed_size_kib} KiB`}
                    </li>
                ))}
            </ul>
            <button disabled={!list.hasNextPage} onClick={() => list.fetchNextPage()}>More</button>
        </>
    );
}
