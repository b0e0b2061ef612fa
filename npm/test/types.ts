// What the compiler infers. This file is compiled, not run.

import { InfiniteQueryObserver, QueryClient } from "@tanstack/query-core";
import { useInfiniteQuery } from "@tanstack/react-query";
import * as folio from "folio-pages";
import useSWRInfinite from "swr/infinite";

import saved from "../example/packages.json" with { type: "json" };

/** Compiles only if both types are the same. */
function same<A, B>(
    ..._: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? [] : ["the types differ"]
): void {}

interface Post {
    id: number;
    title: string;
}

// The saved response of the examples is a page, and its rows have the types of the columns.
saved satisfies folio.CursorPage<folio.Row<typeof saved>>;
same<folio.Row<typeof saved>["id"], number>();
same<folio.Row<typeof saved>["installed_size_kib"], number | null>();
same<folio.Row<typeof saved>["depends_count"], number | null>();

// The rows of each page.
type PostObject = folio.ResourceObject<{ title: string }, "posts">;
same<folio.Row<folio.NumberedPage<Post>>, Post>();
same<folio.Row<folio.AroundPage<Post>>, Post>();
same<folio.Row<folio.Connection<Post>>, Post>();
same<folio.Row<folio.GraphqlConnection<Post>>, Post>();
same<folio.Row<folio.SimplePageDocument<PostObject>>, PostObject>();

// The parameter that chooses a page.
same<folio.PageParam<folio.NumberedPage<Post>>, number>();
same<folio.PageParam<folio.SimplePage<Post>>, number>();
same<folio.PageParam<folio.CursorPage<Post>>, string>();
same<folio.PageParam<folio.Connection<Post>>, string>();
same<folio.PageParam<folio.NumberedPageDocument<PostObject>>, number>();
same<folio.PageParam<folio.SimplePageDocument<PostObject>>, number>();
same<folio.PageParam<folio.CursorPageDocument<PostObject>>, string>();
same<folio.PageParam<folio.CursorProfileDocument>, string>();

// TanStack Query infers the parameter from the first one, and the rows from the request.
export function useCursors() {
    const list = useInfiniteQuery({
        queryKey: ["cursors"],
        queryFn: ({ pageParam }) => {
            same<typeof pageParam, string>();
            return folio.fetchPage<folio.CursorPage<Post>>(`/posts?cursor=${pageParam}`);
        },
        initialPageParam: "",
        getNextPageParam: folio.nextPageParam,
        getPreviousPageParam: folio.previousPageParam,
    });
    same<NonNullable<typeof list.data>["pages"][number], folio.CursorPage<Post>>();
}

export function useNumbers() {
    const list = useInfiniteQuery({
        queryKey: ["numbers"],
        queryFn: ({ pageParam }) => {
            same<typeof pageParam, number>();
            return folio.fetchPage<folio.NumberedPage<Post>>(`/posts?page=${pageParam}`);
        },
        initialPageParam: 1,
        getNextPageParam: folio.nextPageParam,
        getPreviousPageParam: folio.previousPageParam,
    });
    same<NonNullable<typeof list.data>["pages"][number], folio.NumberedPage<Post>>();
}

/** A page number is no cursor. */
export const mixed = () =>
    new InfiniteQueryObserver(new QueryClient(), {
        queryKey: ["mixed"],
        queryFn: () => folio.fetchPage<folio.NumberedPage<Post>>("/posts"),
        initialPageParam: "",
        // @ts-expect-error
        getNextPageParam: folio.nextPageParam,
    });

export function useKeys() {
    const list = useSWRInfinite(folio.pageKey("/posts"), (url) => {
        same<typeof url, string>();
        return folio.fetchPage<folio.SimplePage<Post>>(url);
    });
    same<typeof list.data, folio.SimplePage<Post>[] | undefined>();
}

export async function iterate(read: (after: string | undefined) => Promise<folio.Connection<Post>>) {
    for await (const post of folio.rows<Post>("/posts")) same<typeof post, Post>();
    for await (const post of folio.rows(read)) same<typeof post, Post>();
    // What a GraphQL query selects may be less than a connection has.
    const selected = { nodes: [{ id: 1 }], pageInfo: { hasNextPage: false, endCursor: null } };
    for await (const { id } of folio.rows(async () => selected)) same<typeof id, number>();
    // @ts-expect-error: without `endCursor`, the page is only good for its rows
    folio.nextPageParam({ edges: [], pageInfo: { hasPreviousPage: true } });
}

export function narrowed(value: unknown) {
    if (folio.isCursorPage<Post>(value)) same<typeof value.next_cursor, string | null>();
    if (value instanceof folio.FolioError && value.body) same<typeof value.body.message, string>();
    if (folio.isErrorDocument(value)) same<(typeof value.errors)[0]["status"], string>();
}
