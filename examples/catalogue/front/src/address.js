// The address of what is shown: its filters, and the places in its lists.

import { router, usePage } from "@inertiajs/vue3";

/** The query keys under which the lists on the page have their places. */
export const pageNames = () => Object.values(usePage().scrollProps ?? {}).map(({ pageName }) => pageName);

/** The same address with other filters, from the beginning of each list. */
export function withFilters(filters) {
    const url = new URL(location.href);
    for (const name of [...pageNames(), "page"]) url.searchParams.delete(name);
    for (const [name, value] of Object.entries(filters)) {
        if (value) url.searchParams.set(name, value);
        else url.searchParams.delete(name);
    }
    return url.pathname + url.search;
}

/** The lists to scroll through, by the page that they are on. */
const LISTS = { Largest: ["packages"], SideBySide: ["largest", "neediest"] };

/**
 * Shows the lists for these filters. Of a page with lists to scroll through, only those are asked for, and begin anew; the
 * whole page is, while one of them is still to come.
 */
export function narrow(filters, options) {
    const { component, scrollProps = {} } = usePage();
    const lists = LISTS[component] ?? [];
    const partial = lists.length > 0 && lists.every((list) => list in scrollProps);
    const asked = partial ? { only: ["filters", ...lists], reset: lists } : {};
    router.visit(withFilters(filters), { preserveState: true, ...asked, ...options });
}
