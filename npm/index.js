// Helpers that follow folio's pages. Their types and documentation are in index.d.ts.

const PROFILE = "https://jsonapi.org/profiles/ethanresnick/cursor-pagination";

/** The names of what leads to the page after and before a page, in each kind of page. */
const NEXT = {
    step: 1,
    url: "next_page_url",
    cursor: "next_cursor",
    link: "next",
    parameter: "page[after]",
    flag: "hasNextPage",
    edge: "endCursor",
};
const PREVIOUS = {
    step: -1,
    url: "prev_page_url",
    cursor: "prev_cursor",
    link: "prev",
    parameter: "page[before]",
    flag: "hasPreviousPage",
    edge: "startCursor",
};

export const nextPageParam = (page) => pageParam(page, NEXT);

export const previousPageParam = (page) => pageParam(page, PREVIOUS);

function pageParam(page, side) {
    if (isNumberedPage(page) || isSimplePage(page)) {
        return page[side.url] === null ? null : page.current_page + side.step;
    }
    if (isCursorPage(page)) return page[side.cursor];
    if (isPageDocument(page)) {
        const { links, meta } = page;
        // The profile has cursors in its links alone.
        if (isProfiled(page)) return links[side.link] === null ? null : parameterOf(links[side.link], side.parameter);
        if (isCursorPagination(meta.pagination)) return meta.pagination[side.cursor];
        return links[side.link] === undefined ? null : meta.pagination.current_page + side.step;
    }
    const info = isObject(page) ? page.pageInfo : undefined;
    if (!isObject(info) || typeof info[side.flag] !== "boolean") throw notAPage(page);
    if (!info[side.flag]) return null;
    // Without rows there is no cursor, so a window of 0 rows does not advance.
    if (typeof info[side.edge] !== "string") {
        throw new TypeError(
            `the connection has \`${side.flag}\` but no \`${side.edge}\`: select it, and request at least one row`,
        );
    }
    return info[side.edge];
}

function parameterOf(url, name) {
    const value = new URL(url, "http://relative.invalid").searchParams.get(name);
    if (value === null) throw new TypeError(`the link \`${url}\` has no \`${name}\``);
    return value;
}

/** The URL of the page after one that was requested at `url`, or `null` at the end. */
function nextUrl(page, url) {
    if (!isPage(page) && !isPageDocument(page)) throw notAPage(page);
    const next = isPage(page) ? page.next_page_url : (page.links.next ?? null);
    if (next === null) return null;
    const resolved = new URL(next, url);
    // A request has the headers of the first one, among them its credentials.
    if (resolved.origin !== new URL(url).origin) {
        throw new TypeError(`the next page, \`${next}\`, is of another origin than \`${url}\``);
    }
    return resolved.href;
}

export function pageKey(path) {
    const base = new URL(globalThis.location?.href ?? "http://relative.invalid");
    return (index, previous) => {
        if (index === 0) return path;
        // Links without a path begin at the path of the first page.
        const next = nextUrl(previous, new URL(path, base).href);
        if (next === null || isAbsolute(path)) return next;
        const { origin, pathname, search, hash } = new URL(next);
        return origin === base.origin ? pathname + search + hash : next;
    };
}

export async function fetchPage(url, options = {}) {
    return (await request(url, options)).page;
}

/** Requests a page: the page, and the URL to which its own URLs are relative. */
async function request(url, { fetch = globalThis.fetch, base = globalThis.location?.href, ...init }) {
    if (base === undefined && !isAbsolute(url)) {
        throw new TypeError(`\`${url}\` is relative, and there is no document that it begins at: set \`base\``);
    }
    const { href } = new URL(url, base);
    const response = await fetch(href, init);
    // A `fetch` that is not the platform's may leave the URL empty.
    const at = response.url || href;
    const text = await response.text();
    let body;
    try {
        body = JSON.parse(text);
    } catch {
        body = text;
    }
    if (!response.ok) throw new FolioError({ status: response.status, url: at }, body);
    if (!isPage(body) && !isPageDocument(body)) throw notAPage(body, at);
    return { page: body, at };
}

export function rows(source, options = {}) {
    return typeof source === "function" ? rowsOfPages(source, options) : rowsAtUrls(source, options);
}

async function* rowsAtUrls(url, options) {
    const requested = new Set();
    for (let next = url; next !== null; ) {
        refuseAgain(requested, String(next));
        const { page, at } = await request(next, options);
        yield* rowsOf(page, options.signal);
        requested.add(at);
        next = nextUrl(page, at);
    }
}

async function* rowsOfPages(read, { signal }) {
    const requested = new Set();
    for (let param; param !== null; ) {
        refuseAgain(requested, param);
        signal?.throwIfAborted();
        const page = await read(param, signal);
        // Before the rows, so that something else than a page has none.
        const next = nextPageParam(page);
        yield* rowsOf(page, signal);
        param = next;
    }
}

/** Refuses a page that was read before, because then the list has no end. */
function refuseAgain(requested, page) {
    if (requested.has(page)) throw new TypeError(`the list does not end: its page \`${page}\` follows again`);
    requested.add(page);
}

function* rowsOf(page, signal) {
    const all = page.data ?? page.nodes ?? page.edges?.map((edge) => edge.node);
    if (all === undefined) throw new TypeError("the connection has no rows: select `nodes` or `edges`");
    for (const row of all) {
        signal?.throwIfAborted();
        yield row;
    }
}

export class FolioError extends Error {
    constructor({ status, url }, body) {
        const known = isErrorBody(body) ? body : null;
        const document = isErrorDocument(body) ? body : null;
        const error = document?.errors[0];
        super(known?.message ?? error?.detail ?? error?.title ?? `the response has the status ${status}`);
        this.name = "FolioError";
        this.status = status;
        this.url = url;
        this.body = known;
        this.document = document;
        this.parameter = known?.parameter ?? error?.source?.parameter;
        this.allowed = known?.allowed ?? error?.meta?.allowed;
    }
}

export function isNumberedPage(value) {
    return hasRows(value) && typeof value.current_page === "number" && typeof value.last_page === "number";
}

export function isSimplePage(value) {
    return hasRows(value) && typeof value.current_page === "number" && typeof value.has_more === "boolean";
}

export function isCursorPage(value) {
    return hasRows(value) && isCursor(value.next_cursor) && isCursor(value.prev_cursor);
}

export function isConnection(value) {
    return isObject(value) && Array.isArray(value.edges) && isObject(value.pageInfo);
}

export function isPageDocument(value) {
    if (!hasRows(value) || !isObject(value.links)) return false;
    const pagination = value.meta?.pagination;
    return isProfiled(value) || isCursorPagination(pagination) || typeof pagination?.current_page === "number";
}

export function isErrorBody(value) {
    return isObject(value) && typeof value.message === "string";
}

export function isErrorDocument(value) {
    return isObject(value) && Array.isArray(value.errors) && typeof value.errors[0]?.status === "string";
}

const isObject = (value) => typeof value === "object" && value !== null;

const isAbsolute = (url) => /^[a-z][a-z0-9+.-]*:/i.test(url);

const isCursor = (value) => typeof value === "string" || value === null;

const hasRows = (value) => isObject(value) && Array.isArray(value.data);

const isPage = (value) => isNumberedPage(value) || isSimplePage(value) || isCursorPage(value);

const isProfiled = (document) => document.jsonapi?.profile?.includes(PROFILE) === true;

const isCursorPagination = (pagination) => isCursor(pagination?.next_cursor);

function notAPage(value, url) {
    const text = (JSON.stringify(value) ?? String(value)).slice(0, 100);
    const subject = url === undefined ? "this" : `the response of \`${url}\``;
    return new TypeError(`${subject} is not a page of folio's: ${text}`);
}
