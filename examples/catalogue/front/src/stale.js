// Handles a reader who scrolls after a newer front end was deployed.

import { pageNames } from "./address.js";

/** In milliseconds: after this time the URL has followed the reader. The client waits 250 between two changes. */
const CAUGHT_UP = 500;

/**
* Reloads the page at the reader's place if the response to a request for more rows says that the front end is outdated.
* Version 3 of the client leaves this to the application, because the reader did not navigate. Version 2 visits the page
* of the rows itself.
*/
export function reloadWhenStale(router) {
    router.on("location", ({ detail: { url, versionChange } }) => {
        if (versionChange && withoutPages(url) === withoutPages(location)) setTimeout(() => location.reload(), CAUGHT_UP);
    });
}

/** A URL without the places in the lists that are shown. */
function withoutPages({ href }) {
    const url = new URL(href);
    url.hash = "";
    for (const name of pageNames()) url.searchParams.delete(name);
    return url.href;
}
