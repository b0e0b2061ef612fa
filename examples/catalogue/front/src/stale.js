// What becomes of a reader who scrolls while a newer front end is installed.

import { pageNames } from "./address.js";

/** By then the address has followed the reader, in milliseconds: the client lets it rest for 250 between two changes. */
const CAUGHT_UP = 500;

/**
 * Loads the page anew, at the place that the reader is at, where a request for more rows is told that the front end is of
 * an older version. Version 3 of the client leaves that to the application, for the reader asked for nothing; version 2
 * goes to the page of the rows by itself.
 */
export function reloadWhenStale(router) {
    router.on("location", ({ detail: { url, versionChange } }) => {
        if (versionChange && withoutPages(url) === withoutPages(location)) setTimeout(() => location.reload(), CAUGHT_UP);
    });
}

/** An address without its place in the lists that are shown. */
function withoutPages({ href }) {
    const url = new URL(href);
    url.hash = "";
    for (const name of pageNames()) url.searchParams.delete(name);
    return url.href;
}
