// The URL of what is shown: its filters, and the places in its lists.

import { router, usePage } from "@inertiajs/vue3";

/** The query keys of the places in the lists on the page. */
export const pageNames = () => Object.values(usePage().scrollProps ?? {}).map(({ pageName }) => pageName);

/** The same URL with other filters, at the beginning of each list. */
export function withFilters(filters) {
    const url = new URL(location.href);
    for (const name of [...pageNames(), "page"]) url.searchParams.delete(name);
    for (const [name, value] of Object.entries(filters)) {
        if (value) url.searchParams.set(name, value);
        else url.searchParams.delete(name);
    }
    return url.pathname + url.search;
}

/** The lists that scroll, by the page that they are on. */
const LISTS = { Largest: ["packages"], SideBySide: ["largest", "neediest"] };

/**
 * Shows the lists for these filters. A page with lists that scroll requests only those, and resets them, whether or not they
 * have arrived: a list that is not reset would continue from its place in the old list.
 */
export function narrow(filters, options) {
    const lists = LISTS[usePage().component];
    const asked = lists ? { only: ["filters", ...lists], reset: lists } : {};
    router.visit(withFilters(filters), { preserveState: true, onBeforeUpdate: dropOldRows, ...asked, ...options });
}

/** The client would add rows that were requested with the old filters to the new lists, because both have one path. */
const dropOldRows = () => router.cancelAll({ sync: false, prefetch: false });
