/**
 * The types of everything that folio sends, and helpers that follow its pages.
 *
 * A key with `?` is left out if it has no value; a key with `| null` is always present. Both are exactly as folio writes
 * them. `T` is the type of a row, as your service serializes it.
 *
 * Numbers are JSON numbers, which JavaScript rounds above 2⁵³.
 */

// ---- Pages

/** A page with its number and the number of rows in the list: a `LengthAwarePaginator`, from `paginate`. */
export interface NumberedPage<T> {
    /** The number of this page, from 1. It may be above `last_page`, and then there are no rows. */
    current_page: number;
    /** The rows. */
    data: T[];
    /** The URL of page 1. */
    first_page_url: string;
    /** The position of the first row in the list, from 1. `null` if the page has no rows. */
    from: number | null;
    /** The number of the last page. 0 if the list has no rows. */
    last_page: number;
    /** The URL of the last page; of page 1 if the list has no rows. */
    last_page_url: string;
    /** The row of page links: the previous page, page numbers, the next page. */
    links: PageLink[];
    /** The URL of the next page. `null` at the end of the list. */
    next_page_url: string | null;
    /** The path of the URLs, without their query. Absent if the service has not set a path. */
    path?: string;
    /** The maximum number of rows on a page. */
    per_page: number;
    /** The URL of the previous page. `null` on page 1. */
    prev_page_url: string | null;
    /** The position of the last row in the list, from 1. `null` if the page has no rows. */
    to: number | null;
    /** The number of rows in the list, which may be an estimate. */
    total: number;
}

/** An entry in the row of page links of a {@link NumberedPage}. */
export interface PageLink {
    /** The URL of the page. `null` for omitted pages, and for a previous or next page that does not exist. */
    url: string | null;
    /** The text, with HTML entities: `&laquo; Previous`, a page number, `...` or `Next &raquo;`. */
    label: string;
    /** The number of the page. `null` for a previous or next page that does not exist, absent for omitted pages. */
    page?: number | null;
    /** Whether this is the entry of the current page. */
    active: boolean;
}

/** A page with its number, but without a total: a `Paginator`, from `simple_paginate`. */
export interface SimplePage<T> {
    /** The number of this page, from 1. */
    current_page: number;
    /** The URL of this page. */
    current_page_url: string;
    /** The rows. */
    data: T[];
    /** The URL of page 1. */
    first_page_url: string;
    /** The position of the first row in the list, from 1. `null` if the page has no rows. */
    from: number | null;
    /** Whether the list has rows after these. */
    has_more: boolean;
    /** The URL of the next page. `null` at the end of the list. */
    next_page_url: string | null;
    /** The path of the URLs, without their query. Absent if the service has not set a path. */
    path?: string;
    /** The maximum number of rows on a page. */
    per_page: number;
    /** The URL of the previous page. `null` on page 1. */
    prev_page_url: string | null;
    /** The position of the last row in the list, from 1. `null` if the page has no rows. */
    to: number | null;
}

/** A page between two cursors: a `CursorPaginator`, from `cursor_paginate`. */
export interface CursorPage<T> {
    /** The rows, in the order of the list. */
    data: T[];
    /** The path of the URLs, without their query. Absent if the service has not set a path. */
    path?: string;
    /** The maximum number of rows on a page. */
    per_page: number;
    /** The cursor of the next page. `null` at the end of the list. */
    next_cursor: string | null;
    /** The URL of the next page. `null` at the end of the list. */
    next_page_url: string | null;
    /** The cursor of the previous page. `null` at the beginning of the list. */
    prev_cursor: string | null;
    /** The URL of the previous page. `null` at the beginning of the list. */
    prev_page_url: string | null;
    /** The number of rows in the list, which may be an estimate. Absent unless the query is `counted`. */
    total?: number;
    /** The cursor of each row, in the order of `data`. Absent unless the query is `with_row_cursors`. */
    row_cursors?: string[];
    /** The position of the first row. Absent unless the query is `with_positions`. */
    start_cursor?: string;
    /** The position of the last row. Absent unless the query is `with_positions`. */
    end_cursor?: string;
}

/** A row with the rows before and after it: an `Around`, from `around`. */
export interface AroundPage<T> extends CursorPage<T> {
    /** The index of the row in `data`. `null` if the list does not have the row. */
    index: number | null;
}

// ---- Connections

/** A page of a list with a cursor for each row, as Relay defines it: from `connection`, serialized. */
export interface Connection<T> {
    /** The rows, in the order of the list. */
    edges: Edge<T>[];
    /** Whether there are rows on both sides of these, and the outermost cursors. */
    pageInfo: PageInfo;
    /** The number of rows in the list, which may be an estimate. Absent unless the query is `counted`. */
    totalCount?: number;
}

/**
 * The same as a field of a GraphQL schema (feature `async-graphql`), with all of its fields. A response has those that
 * the query selects.
 */
export interface GraphqlConnection<T> {
    /** The rows with their cursors, in the order of the list. */
    edges: Edge<T>[];
    /** The rows without their cursors. */
    nodes: T[];
    /** Whether there are rows on both sides of these, and the outermost cursors. */
    pageInfo: PageInfo;
    /** The number of rows in the list, which may be an estimate. `null` unless the query is `counted`. */
    totalCount: number | null;
}

/** A row with its cursor. */
export interface Edge<T> {
    /** The row. */
    node: T;
    /** The row's cursor, for `after` and `before`. */
    cursor: string;
}

/** Whether there are rows on both sides of a connection's rows, and the outermost cursors. */
export interface PageInfo {
    /** Whether the list has rows after these. */
    hasNextPage: boolean;
    /** Whether the list has rows before these. */
    hasPreviousPage: boolean;
    /** The cursor of the first edge. `null` if there are no edges. */
    startCursor: string | null;
    /** The cursor of the last edge. `null` if there are no edges. */
    endCursor: string | null;
}

// ---- JSON:API

/** A {@link NumberedPage} as a JSON:API document. `R` is the type of its resource objects. */
export interface NumberedPageDocument<R extends ResourceObject<unknown> = ResourceObject> {
    /** The rows. */
    data: R[];
    /** Related resources, each once. Absent unless the response has any to include. */
    included?: ResourceObject[];
    /** The place of the page in its list. */
    meta: { pagination: NumberedPagination };
    /** The URLs of this page and others. */
    links: NumberedPageLinks;
}

/** A {@link SimplePage} as a JSON:API document. `R` is the type of its resource objects. */
export interface SimplePageDocument<R extends ResourceObject<unknown> = ResourceObject> {
    /** The rows. */
    data: R[];
    /** Related resources, each once. Absent unless the response has any to include. */
    included?: ResourceObject[];
    /** The place of the page in its list. */
    meta: { pagination: SimplePagination };
    /** The URLs of this page and others. */
    links: SimplePageLinks;
}

/** A {@link CursorPage} as a JSON:API document. `R` is the type of its resource objects. */
export interface CursorPageDocument<R extends ResourceObject<unknown> = ResourceObject> {
    /** The rows. */
    data: R[];
    /** Related resources, each once. Absent unless the response has any to include. */
    included?: ResourceObject[];
    /** The place of the page in its list. */
    meta: { pagination: CursorPagination };
    /** The URLs of other pages. */
    links: CursorPageLinks;
}

/** `meta.pagination` of a {@link NumberedPageDocument}. */
export interface NumberedPagination {
    /** The number of rows in the list, which may be an estimate. */
    total: number;
    /** The maximum number of rows on a page. */
    per_page: number;
    /** The number of this page, from 1. */
    current_page: number;
    /** The number of the last page. 0 if the list has no rows. */
    last_page: number;
}

/** `links` of a {@link NumberedPageDocument}. */
export interface NumberedPageLinks {
    /** The URL of this page. */
    self: string;
    /** The URL of page 1. */
    first: string;
    /** The URL of the last page. */
    last: string;
    /** The URL of the previous page. Absent on page 1. */
    prev?: string;
    /** The URL of the next page. Absent at the end of the list. */
    next?: string;
}

/** `meta.pagination` of a {@link SimplePageDocument}. */
export interface SimplePagination {
    /** The maximum number of rows on a page. */
    per_page: number;
    /** The number of this page, from 1. */
    current_page: number;
    /** Whether the list has rows after these. */
    has_more: boolean;
}

/** `links` of a {@link SimplePageDocument}. */
export interface SimplePageLinks {
    /** The URL of this page. */
    self: string;
    /** The URL of page 1. */
    first: string;
    /** The URL of the previous page. Absent on page 1. */
    prev?: string;
    /** The URL of the next page. Absent at the end of the list. */
    next?: string;
}

/** `meta.pagination` of a {@link CursorPageDocument}. */
export interface CursorPagination {
    /** The cursor of the next page. `null` at the end of the list. */
    next_cursor: string | null;
    /** The cursor of the previous page. `null` at the beginning of the list. */
    prev_cursor: string | null;
    /** The position of the first row. Absent unless the query is `with_positions`. */
    start_cursor?: string;
    /** The position of the last row. Absent unless the query is `with_positions`. */
    end_cursor?: string;
    /** The number of rows in the list. Absent unless it is counted, and exact. */
    total?: number;
    /** The number of rows in the list, if it is not exact. Absent unless it is counted. */
    estimatedTotal?: EstimatedTotal;
}

/** `links` of a {@link CursorPageDocument}. */
export interface CursorPageLinks {
    /** The URL of the previous page. Absent at the beginning of the list. */
    prev?: string;
    /** The URL of the next page. Absent at the end of the list. */
    next?: string;
}

/** A total that is not exact. */
export interface EstimatedTotal {
    /** The best guess at the number of rows in the list. */
    bestGuess: number;
}

/**
 * A document of JSON:API's cursor pagination profile: from `cursor_window`. `R` is the type of its resource objects.
 */
export interface CursorProfileDocument<R extends CursorResourceObject<unknown> = CursorResourceObject> {
    /** Names the profile. */
    jsonapi: ProfiledJsonApi;
    /** The rows, each with its cursor. */
    data: R[];
    /** Related resources, each once. Absent unless the response has any to include. */
    included?: ResourceObject[];
    /** The place of the page in its list. Absent if nothing of it was requested. */
    meta?: CursorProfileMeta;
    /** The URLs of other pages. */
    links: CursorProfileLinks;
}

/** `jsonapi` of a document that follows the cursor pagination profile. */
export interface ProfiledJsonApi {
    /** The URI of the profile. */
    profile: ["https://jsonapi.org/profiles/ethanresnick/cursor-pagination"];
}

/** `meta` of a {@link CursorProfileDocument}. */
export interface CursorProfileMeta {
    /** What the profile defines. Absent if the list is not counted and no rows between two cursors are missing. */
    page?: CursorProfilePage;
    /** The position of the first row. Absent unless the query is `with_positions`. */
    startCursor?: string;
    /** The position of the last row. Absent unless the query is `with_positions`. */
    endCursor?: string;
}

/** `meta.page` of a {@link CursorProfileDocument}. */
export interface CursorProfilePage {
    /** The number of rows in the list. Absent unless it is counted, and exact. */
    total?: number;
    /** The number of rows in the list, if it is not exact. Absent unless it is counted. */
    estimatedTotal?: EstimatedTotal;
    /** `true` if more rows are between the two cursors of the request; otherwise absent. */
    rangeTruncated?: true;
}

/** `links` of a {@link CursorProfileDocument}. */
export interface CursorProfileLinks {
    /** The URL without cursors. */
    first: string;
    /** The URL of the previous page. `null` at the beginning of the list. */
    prev: string | null;
    /** The URL of the next page. `null` at the end of the list. */
    next: string | null;
}

/** A row as a resource object. `A` is the type of its attributes, `Type` the literal of its type. */
export interface ResourceObject<A = Record<string, unknown>, Type extends string = string> {
    /** The type, such as `articles`. */
    type: Type;
    /** The id, unique among the resources of its type. */
    id: string;
    /** The fields of the row, except those of its id and its relationships. */
    attributes: A;
    /** The relationships to other resources, by name. Absent if the resource has none. */
    relationships?: Record<string, Relationship>;
    /** The links of the resource itself. Absent if it has none. */
    links?: Record<string, unknown>;
    /** Further facts. Absent if there are none. */
    meta?: Record<string, unknown>;
}

/** A resource object of a {@link CursorProfileDocument}, with the cursor of its row. */
export interface CursorResourceObject<A = Record<string, unknown>, Type extends string = string>
    extends ResourceObject<A, Type> {
    /** The cursor, and further facts of the resource. */
    meta: CursorResourceMeta;
}

/** `meta` of a {@link CursorResourceObject}. */
export interface CursorResourceMeta {
    /** The cursor of the row, for `page[after]` and `page[before]`. */
    page: { cursor: string };
    [name: string]: unknown;
}

/** A relationship of a resource. It has `data`, `links`, or both. */
export interface Relationship {
    /** The URLs of the relationship. Absent if it has none. */
    links?: RelationshipLinks;
    /** The related resources: one, none, or a list. Absent if only `links` tell where they are. */
    data?: ResourceIdentifier | ResourceIdentifier[] | null;
    /** Further facts. Absent if there are none. */
    meta?: Record<string, unknown>;
}

/** `links` of a {@link Relationship}. */
export interface RelationshipLinks {
    /** The URL of the relationship itself. Absent unless the service adds it. */
    self?: string;
    /** The URL of the related resources. Absent unless the service adds it. */
    related?: string;
}

/** The type and the id of a related resource. */
export interface ResourceIdentifier {
    /** The type of the resource. */
    type: string;
    /** The id of the resource. */
    id: string;
    /** Further facts. Absent if there are none. */
    meta?: Record<string, unknown>;
}

// ---- Errors

/** The body of an error response: an `ErrorBody`. */
export interface ErrorBody {
    /** What is wrong, for the client. `Internal Server Error` for a 5xx, unless it is about a time limit. */
    message: string;
    /** The parameter of the request that is wrong. Absent if the error is not about one. */
    parameter?: string;
    /** The values that the parameter may have. Absent if they cannot be listed. */
    allowed?: string[];
}

/** The document of an error response of a JSON:API service: a `JsonApiError`. */
export interface ErrorDocument {
    /** Names the cursor pagination profile, if the error is about one of its parameters; otherwise absent. */
    jsonapi?: ProfiledJsonApi;
    /** The error. */
    errors: [ErrorObject];
}

/** An error of an {@link ErrorDocument}. */
export interface ErrorObject {
    /** The kind of the error, if `page[size]` is larger than its maximum; otherwise absent. */
    links?: { type: "https://jsonapi.org/profiles/ethanresnick/cursor-pagination/max-size-exceeded" };
    /** The HTTP status, such as `400`. */
    status: string;
    /** The text of the status, such as `Bad Request`. Absent for a status that is not common. */
    title?: string;
    /** What is wrong, for the client. Absent for a 5xx, unless it is about a time limit. */
    detail?: string;
    /** The parameter of the request that is wrong. Absent if the error is not about one. */
    source?: { parameter: string };
    /** What is allowed. Absent if it cannot be told. */
    meta?: ErrorMeta;
}

/** `meta` of an {@link ErrorObject}. It has one of these. */
export interface ErrorMeta {
    /** The maximum of `page[size]`. */
    page?: { maxSize: number };
    /** The values that the parameter may have. */
    allowed?: string[];
}

/** `extensions` of a GraphQL error (feature `async-graphql`). */
export interface GraphqlErrorExtensions {
    /** The kind of the error. */
    code: "UNAUTHENTICATED" | "FORBIDDEN" | "NOT_FOUND" | "BAD_USER_INPUT" | "INTERNAL_SERVER_ERROR";
    /** The argument or parameter that is wrong. Absent if the error is not about one. */
    parameter?: string;
    /** The values that the parameter may have. Absent if they cannot be listed. */
    allowed?: string[];
}

// ---- Inertia

/** The page object of an Inertia front end. `Props` are the props of its component. */
export interface InertiaPage<Props = Record<string, unknown>> {
    /** The name of the component. */
    component: string;
    /** The props, and the errors of a form by field. */
    props: Props & { errors: Record<string, unknown> };
    /** The URL of the page. */
    url: string;
    /** The version of the assets; empty if the service has not set one. */
    version: string;
    /** The paths of the lists whose rows are appended. Absent if there are none. */
    mergeProps?: string[];
    /** The paths of the lists whose rows are prepended. Absent if there are none. */
    prependProps?: string[];
    /** The paths of the keys by which a row replaces one that the client has. Absent if there are none. */
    matchPropsOn?: string[];
    /** The place of each list that the client scrolls through, by prop. Absent if there are none. */
    scrollProps?: Record<string, ScrollProp>;
    /** The props that the client requests next, by group. Absent if there are none. */
    deferredProps?: Record<string, string[]>;
}

/** The place of a page in a list that the client scrolls through. A page is a number, or a cursor. */
export interface ScrollProp {
    /** The name of the parameter that chooses a page. */
    pageName: string;
    /** The previous page. `null` at the beginning of the list. */
    previousPage: number | string | null;
    /** The next page. `null` at the end of the list. */
    nextPage: number | string | null;
    /** This page; 1 for the first page of a cursor list. `null` if the service does not tell. */
    currentPage: number | string | null;
    /** Whether the client drops the rows that it has. */
    reset: boolean;
}

// ---- Any of them

/** A page of any kind that a list responds with. */
export type Page<T = unknown> = NumberedPage<T> | SimplePage<T> | CursorPage<T>;

/** A JSON:API document of a page of any kind. */
export type PageDocument =
    | NumberedPageDocument<ResourceObject<unknown>>
    | SimplePageDocument<ResourceObject<unknown>>
    | CursorPageDocument<ResourceObject<unknown>>
    | CursorProfileDocument<CursorResourceObject<unknown>>;

/** What {@link nextPageParam} reads of a connection. A query may select less than a {@link Connection} has. */
export interface ForwardConnection {
    pageInfo: { hasNextPage: boolean; endCursor?: string | null | undefined };
}

/** What {@link previousPageParam} reads of a connection. */
export interface BackwardConnection {
    pageInfo: { hasPreviousPage: boolean; startCursor?: string | null | undefined };
}

/** The parameter that chooses a page of the kind `P`: its number, or a cursor. */
export type PageParam<P> = P extends
    { current_page: number } | { meta: { pagination: { current_page: number } } } ? number : string;

/** The rows of a page of the kind `P`. */
export type Row<P> =
    P extends { data: (infer T)[] } ? T
    : P extends { nodes: (infer T)[] } ? T
    : P extends { edges: { node: infer T }[] } ? T
    : never;

// ---- Helpers

/**
 * The number or the cursor of the page after `page`. `null` at the end of the list.
 *
 * It is a `getNextPageParam` of TanStack Query. Begin with the `initialPageParam` 1 for a page with a number, and with
 * an empty text for one with cursors.
 *
 * @throws TypeError if `page` is not a page of folio's, or is a connection with a next page but without `endCursor`.
 */
export function nextPageParam<P extends Page | PageDocument | ForwardConnection>(page: P): PageParam<P> | null;

/**
 * The number or the cursor of the page before `page`. `null` at the beginning of the list.
 *
 * It is a `getPreviousPageParam` of TanStack Query.
 *
 * @throws TypeError if `page` is not a page of folio's, or is a connection with a previous page but without
 * `startCursor`.
 */
export function previousPageParam<P extends Page | PageDocument | BackwardConnection>(page: P): PageParam<P> | null;

/**
 * The keys of a list for `useSWRInfinite`: `path` for its first page, and then the URL in each page of the page that
 * follows. For that, the service calls `with_query_string`, so that the URL keeps sorts and filters.
 *
 * The keys throw a `TypeError` if the previous page is not a page of folio's, as with SWR's option `parallel`, or if
 * its next page is of another origin. `setSize` throws it.
 */
export function pageKey(path: string): (index: number, previous: Page | PageDocument | null) => string | null;

/** The options of {@link fetchPage}: those of `fetch`, and these. */
export interface FetchOptions extends RequestInit {
    /** What requests a page, instead of the global `fetch`. */
    fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
    /** The URL that a relative one begins at. The default is the URL of the document, which only browsers have. */
    base?: string | URL | undefined;
}

/**
 * Requests a page. Any page or document of folio's is one; `P` says which of them to expect.
 *
 * @throws {@link FolioError} for a status other than 2xx.
 * @throws TypeError if the response is not a page of folio's.
 */
export function fetchPage<P extends Page | PageDocument>(url: string | URL, options?: FetchOptions): Promise<P>;

/**
 * All rows of the list at `url`, page by page: it follows the URL of the next page until there is none. Resource
 * objects are the rows of a JSON:API document.
 *
 * The next page is requested when the rows of the page before it are used up.
 *
 * @throws {@link FolioError} for a status other than 2xx.
 * @throws TypeError if a response is not a page of folio's, or if the URL of a next page is of another origin or was
 * requested already.
 */
export function rows<T>(url: string | URL, options?: FetchOptions): AsyncGenerator<T, void, undefined>;

/**
 * All rows of a list that `read` reads page by page, such as a GraphQL connection. It gets the number or the cursor of
 * the page, which is `undefined` for the first one.
 *
 * @throws What `read` throws.
 * @throws TypeError if it returns something that is not a page of folio's, or whose next page was read already.
 */
export function rows<P extends Page | PageDocument | ForwardConnection>(
    read: (param: PageParam<P> | undefined, signal: AbortSignal | undefined) => Promise<P>,
    options?: { signal?: AbortSignal | undefined },
): AsyncGenerator<Row<P>, void, undefined>;

/** A response with a status other than 2xx. */
export class FolioError extends Error {
    constructor(response: { status: number; url: string }, body: unknown);
    /** The HTTP status. */
    readonly status: number;
    /** The URL that was requested. */
    readonly url: string;
    /** The body, if it is folio's. `null` for a JSON:API document, and for what another server responds. */
    readonly body: ErrorBody | null;
    /** The JSON:API document, if it is one; otherwise `null`. */
    readonly document: ErrorDocument | null;
    /** The parameter of the request that is wrong, from the body or the document. */
    readonly parameter: string | undefined;
    /** The values that the parameter may have, if they can be listed. */
    readonly allowed: readonly string[] | undefined;
}

/** Whether a value is a {@link NumberedPage}. The rows are not checked. */
export function isNumberedPage<T = unknown>(value: unknown): value is NumberedPage<T>;

/** Whether a value is a {@link SimplePage}. The rows are not checked. */
export function isSimplePage<T = unknown>(value: unknown): value is SimplePage<T>;

/** Whether a value is a {@link CursorPage}. The rows are not checked. */
export function isCursorPage<T = unknown>(value: unknown): value is CursorPage<T>;

/** Whether a value is a {@link Connection}, or one of GraphQL with its edges. The rows are not checked. */
export function isConnection<T = unknown>(value: unknown): value is Connection<T>;

/** Whether a value is a {@link PageDocument}. The resource objects are not checked. */
export function isPageDocument(value: unknown): value is PageDocument;

/** Whether a value is an {@link ErrorBody}. */
export function isErrorBody(value: unknown): value is ErrorBody;

/** Whether a value is an {@link ErrorDocument}. */
export function isErrorDocument(value: unknown): value is ErrorDocument;
