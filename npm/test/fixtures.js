// @ts-check
// Responses of folio, each with its type. Written by tests/http/typescript.rs: see CONTRIBUTING.md.

/** @import * as folio from "folio-pages" */

/** @typedef {{ id: number, name: string }} Post */
/** @typedef {folio.ResourceObject<{ name: string }, "posts">} PostObject */
/** @typedef {folio.ResourceObject<{ title: string }, "articles">} ArticleObject */
/** @typedef {folio.CursorResourceObject<{ name: string }, "posts">} ProfiledPost */
/** @typedef {folio.CursorResourceObject<{ title: string }, "articles">} ProfiledArticle */

/** @satisfies {folio.NumberedPage<Post>} */
export const numberedFirst = {
    "current_page": 1,
    "data": [
        {
            "id": 1,
            "name": "package-1"
        }
    ],
    "first_page_url": "/posts?page=1",
    "from": 1,
    "last_page": 20,
    "last_page_url": "/posts?page=20",
    "links": [
        {
            "url": null,
            "label": "&laquo; Previous",
            "page": null,
            "active": false
        },
        {
            "url": "/posts?page=1",
            "label": "1",
            "page": 1,
            "active": true
        },
        {
            "url": "/posts?page=2",
            "label": "2",
            "page": 2,
            "active": false
        },
        {
            "url": "/posts?page=3",
            "label": "3",
            "page": 3,
            "active": false
        },
        {
            "url": "/posts?page=4",
            "label": "4",
            "page": 4,
            "active": false
        },
        {
            "url": "/posts?page=5",
            "label": "5",
            "page": 5,
            "active": false
        },
        {
            "url": "/posts?page=6",
            "label": "6",
            "page": 6,
            "active": false
        },
        {
            "url": "/posts?page=7",
            "label": "7",
            "page": 7,
            "active": false
        },
        {
            "url": "/posts?page=8",
            "label": "8",
            "page": 8,
            "active": false
        },
        {
            "url": "/posts?page=9",
            "label": "9",
            "page": 9,
            "active": false
        },
        {
            "url": "/posts?page=10",
            "label": "10",
            "page": 10,
            "active": false
        },
        {
            "url": null,
            "label": "...",
            "active": false
        },
        {
            "url": "/posts?page=19",
            "label": "19",
            "page": 19,
            "active": false
        },
        {
            "url": "/posts?page=20",
            "label": "20",
            "page": 20,
            "active": false
        },
        {
            "url": "/posts?page=2",
            "label": "Next &raquo;",
            "page": 2,
            "active": false
        }
    ],
    "next_page_url": "/posts?page=2",
    "path": "/posts",
    "per_page": 1,
    "prev_page_url": null,
    "to": 1,
    "total": 20
};

/** @satisfies {folio.NumberedPage<Post>} */
export const numberedMiddle = {
    "current_page": 10,
    "data": [
        {
            "id": 10,
            "name": "package-10"
        }
    ],
    "first_page_url": "/posts?page=1",
    "from": 10,
    "last_page": 20,
    "last_page_url": "/posts?page=20",
    "links": [
        {
            "url": "/posts?page=9",
            "label": "&laquo; Previous",
            "page": 9,
            "active": false
        },
        {
            "url": "/posts?page=1",
            "label": "1",
            "page": 1,
            "active": false
        },
        {
            "url": "/posts?page=2",
            "label": "2",
            "page": 2,
            "active": false
        },
        {
            "url": null,
            "label": "...",
            "active": false
        },
        {
            "url": "/posts?page=7",
            "label": "7",
            "page": 7,
            "active": false
        },
        {
            "url": "/posts?page=8",
            "label": "8",
            "page": 8,
            "active": false
        },
        {
            "url": "/posts?page=9",
            "label": "9",
            "page": 9,
            "active": false
        },
        {
            "url": "/posts?page=10",
            "label": "10",
            "page": 10,
            "active": true
        },
        {
            "url": "/posts?page=11",
            "label": "11",
            "page": 11,
            "active": false
        },
        {
            "url": "/posts?page=12",
            "label": "12",
            "page": 12,
            "active": false
        },
        {
            "url": "/posts?page=13",
            "label": "13",
            "page": 13,
            "active": false
        },
        {
            "url": null,
            "label": "...",
            "active": false
        },
        {
            "url": "/posts?page=19",
            "label": "19",
            "page": 19,
            "active": false
        },
        {
            "url": "/posts?page=20",
            "label": "20",
            "page": 20,
            "active": false
        },
        {
            "url": "/posts?page=11",
            "label": "Next &raquo;",
            "page": 11,
            "active": false
        }
    ],
    "next_page_url": "/posts?page=11",
    "path": "/posts",
    "per_page": 1,
    "prev_page_url": "/posts?page=9",
    "to": 10,
    "total": 20
};

/** @satisfies {folio.NumberedPage<Post>} */
export const numberedLast = {
    "current_page": 20,
    "data": [
        {
            "id": 20,
            "name": "package-20"
        }
    ],
    "first_page_url": "/posts?page=1",
    "from": 20,
    "last_page": 20,
    "last_page_url": "/posts?page=20",
    "links": [
        {
            "url": "/posts?page=19",
            "label": "&laquo; Previous",
            "page": 19,
            "active": false
        },
        {
            "url": "/posts?page=1",
            "label": "1",
            "page": 1,
            "active": false
        },
        {
            "url": "/posts?page=2",
            "label": "2",
            "page": 2,
            "active": false
        },
        {
            "url": null,
            "label": "...",
            "active": false
        },
        {
            "url": "/posts?page=11",
            "label": "11",
            "page": 11,
            "active": false
        },
        {
            "url": "/posts?page=12",
            "label": "12",
            "page": 12,
            "active": false
        },
        {
            "url": "/posts?page=13",
            "label": "13",
            "page": 13,
            "active": false
        },
        {
            "url": "/posts?page=14",
            "label": "14",
            "page": 14,
            "active": false
        },
        {
            "url": "/posts?page=15",
            "label": "15",
            "page": 15,
            "active": false
        },
        {
            "url": "/posts?page=16",
            "label": "16",
            "page": 16,
            "active": false
        },
        {
            "url": "/posts?page=17",
            "label": "17",
            "page": 17,
            "active": false
        },
        {
            "url": "/posts?page=18",
            "label": "18",
            "page": 18,
            "active": false
        },
        {
            "url": "/posts?page=19",
            "label": "19",
            "page": 19,
            "active": false
        },
        {
            "url": "/posts?page=20",
            "label": "20",
            "page": 20,
            "active": true
        },
        {
            "url": null,
            "label": "Next &raquo;",
            "page": null,
            "active": false
        }
    ],
    "next_page_url": null,
    "path": "/posts",
    "per_page": 1,
    "prev_page_url": "/posts?page=19",
    "to": 20,
    "total": 20
};

/** @satisfies {folio.NumberedPage<Post>} */
export const numberedPastEnd = {
    "current_page": 30,
    "data": [],
    "first_page_url": "/posts?page=1",
    "from": null,
    "last_page": 20,
    "last_page_url": "/posts?page=20",
    "links": [
        {
            "url": "/posts?page=29",
            "label": "&laquo; Previous",
            "page": 29,
            "active": false
        },
        {
            "url": "/posts?page=1",
            "label": "1",
            "page": 1,
            "active": false
        },
        {
            "url": "/posts?page=2",
            "label": "2",
            "page": 2,
            "active": false
        },
        {
            "url": null,
            "label": "...",
            "active": false
        },
        {
            "url": "/posts?page=11",
            "label": "11",
            "page": 11,
            "active": false
        },
        {
            "url": "/posts?page=12",
            "label": "12",
            "page": 12,
            "active": false
        },
        {
            "url": "/posts?page=13",
            "label": "13",
            "page": 13,
            "active": false
        },
        {
            "url": "/posts?page=14",
            "label": "14",
            "page": 14,
            "active": false
        },
        {
            "url": "/posts?page=15",
            "label": "15",
            "page": 15,
            "active": false
        },
        {
            "url": "/posts?page=16",
            "label": "16",
            "page": 16,
            "active": false
        },
        {
            "url": "/posts?page=17",
            "label": "17",
            "page": 17,
            "active": false
        },
        {
            "url": "/posts?page=18",
            "label": "18",
            "page": 18,
            "active": false
        },
        {
            "url": "/posts?page=19",
            "label": "19",
            "page": 19,
            "active": false
        },
        {
            "url": "/posts?page=20",
            "label": "20",
            "page": 20,
            "active": false
        },
        {
            "url": null,
            "label": "Next &raquo;",
            "page": null,
            "active": false
        }
    ],
    "next_page_url": null,
    "path": "/posts",
    "per_page": 1,
    "prev_page_url": "/posts?page=29",
    "to": null,
    "total": 20
};

/** @satisfies {folio.NumberedPage<Post>} */
export const numberedEmpty = {
    "current_page": 1,
    "data": [],
    "first_page_url": "/posts?page=1",
    "from": null,
    "last_page": 0,
    "last_page_url": "/posts?page=1",
    "links": [
        {
            "url": null,
            "label": "&laquo; Previous",
            "page": null,
            "active": false
        },
        {
            "url": null,
            "label": "Next &raquo;",
            "page": null,
            "active": false
        }
    ],
    "next_page_url": null,
    "path": "/posts",
    "per_page": 1,
    "prev_page_url": null,
    "to": null,
    "total": 0
};

/** @satisfies {folio.NumberedPage<Post>} */
export const numberedWithoutPath = {
    "current_page": 1,
    "data": [
        {
            "id": 1,
            "name": "package-1"
        }
    ],
    "first_page_url": "?page=1",
    "from": 1,
    "last_page": 20,
    "last_page_url": "?page=20",
    "links": [
        {
            "url": null,
            "label": "&laquo; Previous",
            "page": null,
            "active": false
        },
        {
            "url": "?page=1",
            "label": "1",
            "page": 1,
            "active": true
        },
        {
            "url": "?page=2",
            "label": "2",
            "page": 2,
            "active": false
        },
        {
            "url": "?page=3",
            "label": "3",
            "page": 3,
            "active": false
        },
        {
            "url": "?page=4",
            "label": "4",
            "page": 4,
            "active": false
        },
        {
            "url": "?page=5",
            "label": "5",
            "page": 5,
            "active": false
        },
        {
            "url": "?page=6",
            "label": "6",
            "page": 6,
            "active": false
        },
        {
            "url": "?page=7",
            "label": "7",
            "page": 7,
            "active": false
        },
        {
            "url": "?page=8",
            "label": "8",
            "page": 8,
            "active": false
        },
        {
            "url": "?page=9",
            "label": "9",
            "page": 9,
            "active": false
        },
        {
            "url": "?page=10",
            "label": "10",
            "page": 10,
            "active": false
        },
        {
            "url": null,
            "label": "...",
            "active": false
        },
        {
            "url": "?page=19",
            "label": "19",
            "page": 19,
            "active": false
        },
        {
            "url": "?page=20",
            "label": "20",
            "page": 20,
            "active": false
        },
        {
            "url": "?page=2",
            "label": "Next &raquo;",
            "page": 2,
            "active": false
        }
    ],
    "next_page_url": "?page=2",
    "per_page": 1,
    "prev_page_url": null,
    "to": 1,
    "total": 20
};

/** @satisfies {folio.SimplePage<Post>} */
export const simpleFirst = {
    "current_page": 1,
    "current_page_url": "/posts?page=1",
    "data": [
        {
            "id": 1,
            "name": "package-1"
        }
    ],
    "first_page_url": "/posts?page=1",
    "from": 1,
    "has_more": true,
    "next_page_url": "/posts?page=2",
    "path": "/posts",
    "per_page": 1,
    "prev_page_url": null,
    "to": 1
};

/** @satisfies {folio.SimplePage<Post>} */
export const simpleMiddle = {
    "current_page": 10,
    "current_page_url": "/posts?page=10",
    "data": [
        {
            "id": 10,
            "name": "package-10"
        }
    ],
    "first_page_url": "/posts?page=1",
    "from": 10,
    "has_more": true,
    "next_page_url": "/posts?page=11",
    "path": "/posts",
    "per_page": 1,
    "prev_page_url": "/posts?page=9",
    "to": 10
};

/** @satisfies {folio.SimplePage<Post>} */
export const simpleLast = {
    "current_page": 20,
    "current_page_url": "/posts?page=20",
    "data": [
        {
            "id": 20,
            "name": "package-20"
        }
    ],
    "first_page_url": "/posts?page=1",
    "from": 20,
    "has_more": false,
    "next_page_url": null,
    "path": "/posts",
    "per_page": 1,
    "prev_page_url": "/posts?page=19",
    "to": 20
};

/** @satisfies {folio.SimplePage<Post>} */
export const simpleEmpty = {
    "current_page": 1,
    "current_page_url": "/posts?page=1",
    "data": [],
    "first_page_url": "/posts?page=1",
    "from": null,
    "has_more": false,
    "next_page_url": null,
    "path": "/posts",
    "per_page": 1,
    "prev_page_url": null,
    "to": null
};

/** @satisfies {folio.SimplePage<Post>} */
export const simpleWithoutPath = {
    "current_page": 1,
    "current_page_url": "?page=1",
    "data": [
        {
            "id": 1,
            "name": "package-1"
        }
    ],
    "first_page_url": "?page=1",
    "from": 1,
    "has_more": true,
    "next_page_url": "?page=2",
    "per_page": 1,
    "prev_page_url": null,
    "to": 1
};

/** @satisfies {folio.CursorPage<Post>} */
export const cursorFirst = {
    "data": [
        {
            "id": 1,
            "name": "package-1"
        },
        {
            "id": 2,
            "name": "package-2"
        }
    ],
    "path": "/posts",
    "per_page": 2,
    "next_cursor": "cursor1",
    "next_page_url": "/posts?cursor=cursor1",
    "prev_cursor": null,
    "prev_page_url": null
};

/** @satisfies {folio.CursorPage<Post>} */
export const cursorMiddle = {
    "data": [
        {
            "id": 3,
            "name": "package-3"
        },
        {
            "id": 4,
            "name": "package-4"
        }
    ],
    "path": "/posts",
    "per_page": 2,
    "next_cursor": "cursor1",
    "next_page_url": "/posts?cursor=cursor1",
    "prev_cursor": "cursor2",
    "prev_page_url": "/posts?cursor=cursor2"
};

/** @satisfies {folio.CursorPage<Post>} */
export const cursorLast = {
    "data": [
        {
            "id": 19,
            "name": "package-19"
        },
        {
            "id": 20,
            "name": "package-20"
        }
    ],
    "path": "/posts",
    "per_page": 2,
    "next_cursor": null,
    "next_page_url": null,
    "prev_cursor": "cursor1",
    "prev_page_url": "/posts?cursor=cursor1"
};

/** @satisfies {folio.CursorPage<Post>} */
export const cursorEmpty = {
    "data": [],
    "path": "/posts",
    "per_page": 2,
    "next_cursor": null,
    "next_page_url": null,
    "prev_cursor": null,
    "prev_page_url": null
};

/** @satisfies {folio.CursorPage<Post>} */
export const cursorWithoutPath = {
    "data": [
        {
            "id": 1,
            "name": "package-1"
        },
        {
            "id": 2,
            "name": "package-2"
        }
    ],
    "per_page": 2,
    "next_cursor": "cursor1",
    "next_page_url": "?cursor=cursor1",
    "prev_cursor": null,
    "prev_page_url": null
};

/** @satisfies {folio.CursorPage<Post>} */
export const cursorCounted = {
    "data": [
        {
            "id": 1,
            "name": "package-1"
        },
        {
            "id": 2,
            "name": "package-2"
        }
    ],
    "path": "/posts",
    "per_page": 2,
    "next_cursor": "cursor1",
    "next_page_url": "/posts?cursor=cursor1",
    "prev_cursor": null,
    "prev_page_url": null,
    "total": 20,
    "row_cursors": [
        "cursor2",
        "cursor3"
    ],
    "start_cursor": "cursor4",
    "end_cursor": "cursor1"
};

/** @satisfies {folio.AroundPage<Post>} */
export const aroundFound = {
    "data": [
        {
            "id": 6,
            "name": "package-6"
        },
        {
            "id": 7,
            "name": "package-7"
        },
        {
            "id": 9,
            "name": "package-9"
        }
    ],
    "path": "/posts",
    "per_page": 3,
    "next_cursor": "cursor1",
    "next_page_url": "/posts?cursor=cursor1",
    "prev_cursor": "cursor2",
    "prev_page_url": "/posts?cursor=cursor2",
    "index": 1
};

/** @satisfies {folio.AroundPage<Post>} */
export const aroundGone = {
    "data": [
        {
            "id": 7,
            "name": "package-7"
        },
        {
            "id": 9,
            "name": "package-9"
        }
    ],
    "path": "/posts",
    "per_page": 3,
    "next_cursor": "cursor1",
    "next_page_url": "/posts?cursor=cursor1",
    "prev_cursor": "cursor2",
    "prev_page_url": "/posts?cursor=cursor2",
    "index": null
};

/** @satisfies {folio.Connection<Post>} */
export const connectionFirst = {
    "edges": [
        {
            "node": {
                "id": 1,
                "name": "package-1"
            },
            "cursor": "cursor1"
        },
        {
            "node": {
                "id": 2,
                "name": "package-2"
            },
            "cursor": "cursor2"
        }
    ],
    "pageInfo": {
        "hasNextPage": true,
        "hasPreviousPage": false,
        "startCursor": "cursor1",
        "endCursor": "cursor2"
    }
};

/** @satisfies {folio.Connection<Post>} */
export const connectionMiddle = {
    "edges": [
        {
            "node": {
                "id": 3,
                "name": "package-3"
            },
            "cursor": "cursor1"
        },
        {
            "node": {
                "id": 4,
                "name": "package-4"
            },
            "cursor": "cursor2"
        }
    ],
    "pageInfo": {
        "hasNextPage": true,
        "hasPreviousPage": true,
        "startCursor": "cursor1",
        "endCursor": "cursor2"
    }
};

/** @satisfies {folio.Connection<Post>} */
export const connectionLast = {
    "edges": [
        {
            "node": {
                "id": 19,
                "name": "package-19"
            },
            "cursor": "cursor1"
        },
        {
            "node": {
                "id": 20,
                "name": "package-20"
            },
            "cursor": "cursor2"
        }
    ],
    "pageInfo": {
        "hasNextPage": false,
        "hasPreviousPage": true,
        "startCursor": "cursor1",
        "endCursor": "cursor2"
    }
};

/** @satisfies {folio.Connection<Post>} */
export const connectionEmpty = {
    "edges": [],
    "pageInfo": {
        "hasNextPage": false,
        "hasPreviousPage": false,
        "startCursor": null,
        "endCursor": null
    }
};

/** @satisfies {folio.Connection<Post>} */
export const connectionCounted = {
    "edges": [
        {
            "node": {
                "id": 1,
                "name": "package-1"
            },
            "cursor": "cursor1"
        },
        {
            "node": {
                "id": 2,
                "name": "package-2"
            },
            "cursor": "cursor2"
        }
    ],
    "pageInfo": {
        "hasNextPage": true,
        "hasPreviousPage": false,
        "startCursor": "cursor1",
        "endCursor": "cursor2"
    },
    "totalCount": 20
};

/** @satisfies {folio.GraphqlConnection<Post>} */
export const graphqlFirst = {
    "edges": [
        {
            "node": {
                "id": 1,
                "name": "package-1"
            },
            "cursor": "cursor1"
        },
        {
            "node": {
                "id": 2,
                "name": "package-2"
            },
            "cursor": "cursor2"
        }
    ],
    "nodes": [
        {
            "id": 1,
            "name": "package-1"
        },
        {
            "id": 2,
            "name": "package-2"
        }
    ],
    "pageInfo": {
        "hasNextPage": true,
        "hasPreviousPage": false,
        "startCursor": "cursor1",
        "endCursor": "cursor2"
    },
    "totalCount": null
};

/** @satisfies {folio.GraphqlConnection<Post>} */
export const graphqlCounted = {
    "edges": [
        {
            "node": {
                "id": 1,
                "name": "package-1"
            },
            "cursor": "cursor1"
        },
        {
            "node": {
                "id": 2,
                "name": "package-2"
            },
            "cursor": "cursor2"
        }
    ],
    "nodes": [
        {
            "id": 1,
            "name": "package-1"
        },
        {
            "id": 2,
            "name": "package-2"
        }
    ],
    "pageInfo": {
        "hasNextPage": true,
        "hasPreviousPage": false,
        "startCursor": "cursor1",
        "endCursor": "cursor2"
    },
    "totalCount": 20
};

/** @satisfies {folio.NumberedPageDocument<PostObject>} */
export const numberedDocumentFirst = {
    "data": [
        {
            "type": "posts",
            "id": "1",
            "attributes": {
                "name": "package-1"
            }
        }
    ],
    "meta": {
        "pagination": {
            "total": 20,
            "per_page": 1,
            "current_page": 1,
            "last_page": 20
        }
    },
    "links": {
        "self": "/posts?page=1",
        "first": "/posts?page=1",
        "last": "/posts?page=20",
        "next": "/posts?page=2"
    }
};

/** @satisfies {folio.NumberedPageDocument<PostObject>} */
export const numberedDocumentMiddle = {
    "data": [
        {
            "type": "posts",
            "id": "10",
            "attributes": {
                "name": "package-10"
            }
        }
    ],
    "meta": {
        "pagination": {
            "total": 20,
            "per_page": 1,
            "current_page": 10,
            "last_page": 20
        }
    },
    "links": {
        "self": "/posts?page=10",
        "first": "/posts?page=1",
        "last": "/posts?page=20",
        "prev": "/posts?page=9",
        "next": "/posts?page=11"
    }
};

/** @satisfies {folio.NumberedPageDocument<PostObject>} */
export const numberedDocumentLast = {
    "data": [
        {
            "type": "posts",
            "id": "20",
            "attributes": {
                "name": "package-20"
            }
        }
    ],
    "meta": {
        "pagination": {
            "total": 20,
            "per_page": 1,
            "current_page": 20,
            "last_page": 20
        }
    },
    "links": {
        "self": "/posts?page=20",
        "first": "/posts?page=1",
        "last": "/posts?page=20",
        "prev": "/posts?page=19"
    }
};

/** @satisfies {folio.NumberedPageDocument<ArticleObject>} */
export const numberedDocumentWhole = {
    "data": [
        {
            "type": "articles",
            "id": "1",
            "attributes": {
                "title": "Article 1"
            },
            "relationships": {
                "author": {
                    "links": {
                        "self": "/articles/1/relationships/author",
                        "related": "/articles/1/author"
                    },
                    "data": {
                        "type": "people",
                        "id": "7",
                        "meta": {
                            "since": 2026
                        }
                    }
                },
                "editor": {
                    "data": null
                },
                "tags": {
                    "data": [
                        {
                            "type": "tags",
                            "id": "rust"
                        }
                    ],
                    "meta": {
                        "count": 1
                    }
                },
                "history": {
                    "links": {
                        "related": "/articles/1/history"
                    }
                },
                "versions": {
                    "links": {
                        "self": "/articles/1/relationships/versions"
                    },
                    "data": []
                }
            },
            "links": {
                "self": "/articles/1"
            },
            "meta": {
                "words": 900
            }
        }
    ],
    "included": [
        {
            "type": "people",
            "id": "7",
            "attributes": {
                "name": "Ada"
            }
        }
    ],
    "meta": {
        "pagination": {
            "total": 1,
            "per_page": 15,
            "current_page": 1,
            "last_page": 1
        }
    },
    "links": {
        "self": "?page=1",
        "first": "?page=1",
        "last": "?page=1"
    }
};

/** @satisfies {folio.SimplePageDocument<PostObject>} */
export const simpleDocumentFirst = {
    "data": [
        {
            "type": "posts",
            "id": "1",
            "attributes": {
                "name": "package-1"
            }
        }
    ],
    "meta": {
        "pagination": {
            "per_page": 1,
            "current_page": 1,
            "has_more": true
        }
    },
    "links": {
        "self": "/posts?page=1",
        "first": "/posts?page=1",
        "next": "/posts?page=2"
    }
};

/** @satisfies {folio.SimplePageDocument<PostObject>} */
export const simpleDocumentMiddle = {
    "data": [
        {
            "type": "posts",
            "id": "10",
            "attributes": {
                "name": "package-10"
            }
        }
    ],
    "meta": {
        "pagination": {
            "per_page": 1,
            "current_page": 10,
            "has_more": true
        }
    },
    "links": {
        "self": "/posts?page=10",
        "first": "/posts?page=1",
        "prev": "/posts?page=9",
        "next": "/posts?page=11"
    }
};

/** @satisfies {folio.SimplePageDocument<PostObject>} */
export const simpleDocumentLast = {
    "data": [
        {
            "type": "posts",
            "id": "20",
            "attributes": {
                "name": "package-20"
            }
        }
    ],
    "meta": {
        "pagination": {
            "per_page": 1,
            "current_page": 20,
            "has_more": false
        }
    },
    "links": {
        "self": "/posts?page=20",
        "first": "/posts?page=1",
        "prev": "/posts?page=19"
    }
};

/** @satisfies {folio.SimplePageDocument<ArticleObject>} */
export const simpleDocumentWhole = {
    "data": [
        {
            "type": "articles",
            "id": "1",
            "attributes": {
                "title": "Article 1"
            },
            "relationships": {
                "author": {
                    "links": {
                        "self": "/articles/1/relationships/author",
                        "related": "/articles/1/author"
                    },
                    "data": {
                        "type": "people",
                        "id": "7",
                        "meta": {
                            "since": 2026
                        }
                    }
                },
                "editor": {
                    "data": null
                },
                "tags": {
                    "data": [
                        {
                            "type": "tags",
                            "id": "rust"
                        }
                    ],
                    "meta": {
                        "count": 1
                    }
                },
                "history": {
                    "links": {
                        "related": "/articles/1/history"
                    }
                },
                "versions": {
                    "links": {
                        "self": "/articles/1/relationships/versions"
                    },
                    "data": []
                }
            },
            "links": {
                "self": "/articles/1"
            },
            "meta": {
                "words": 900
            }
        }
    ],
    "included": [
        {
            "type": "people",
            "id": "7",
            "attributes": {
                "name": "Ada"
            }
        }
    ],
    "meta": {
        "pagination": {
            "per_page": 15,
            "current_page": 1,
            "has_more": false
        }
    },
    "links": {
        "self": "?page=1",
        "first": "?page=1"
    }
};

/** @satisfies {folio.CursorPageDocument<PostObject>} */
export const cursorDocumentFirst = {
    "data": [
        {
            "type": "posts",
            "id": "1",
            "attributes": {
                "name": "package-1"
            }
        },
        {
            "type": "posts",
            "id": "2",
            "attributes": {
                "name": "package-2"
            }
        }
    ],
    "meta": {
        "pagination": {
            "next_cursor": "cursor1",
            "prev_cursor": null
        }
    },
    "links": {
        "next": "/posts?cursor=cursor1"
    }
};

/** @satisfies {folio.CursorPageDocument<PostObject>} */
export const cursorDocumentLast = {
    "data": [
        {
            "type": "posts",
            "id": "19",
            "attributes": {
                "name": "package-19"
            }
        },
        {
            "type": "posts",
            "id": "20",
            "attributes": {
                "name": "package-20"
            }
        }
    ],
    "meta": {
        "pagination": {
            "next_cursor": null,
            "prev_cursor": "cursor1"
        }
    },
    "links": {
        "prev": "/posts?cursor=cursor1"
    }
};

/** @satisfies {folio.CursorPageDocument<PostObject>} */
export const cursorDocumentCounted = {
    "data": [
        {
            "type": "posts",
            "id": "1",
            "attributes": {
                "name": "package-1"
            }
        },
        {
            "type": "posts",
            "id": "2",
            "attributes": {
                "name": "package-2"
            }
        }
    ],
    "meta": {
        "pagination": {
            "next_cursor": "cursor1",
            "prev_cursor": null,
            "start_cursor": "cursor2",
            "end_cursor": "cursor1",
            "total": 20
        }
    },
    "links": {
        "next": "/posts?cursor=cursor1"
    }
};

/** @satisfies {folio.CursorPageDocument<PostObject>} */
export const cursorDocumentEstimated = {
    "data": [
        {
            "type": "posts",
            "id": "1",
            "attributes": {
                "name": "package-1"
            }
        },
        {
            "type": "posts",
            "id": "2",
            "attributes": {
                "name": "package-2"
            }
        }
    ],
    "meta": {
        "pagination": {
            "next_cursor": "cursor1",
            "prev_cursor": null,
            "estimatedTotal": {
                "bestGuess": 2
            }
        }
    },
    "links": {
        "next": "/posts?cursor=cursor1"
    }
};

/** @satisfies {folio.CursorPageDocument<ArticleObject>} */
export const cursorDocumentWhole = {
    "data": [
        {
            "type": "articles",
            "id": "1",
            "attributes": {
                "title": "Article 1"
            },
            "relationships": {
                "author": {
                    "links": {
                        "self": "/articles/1/relationships/author",
                        "related": "/articles/1/author"
                    },
                    "data": {
                        "type": "people",
                        "id": "7",
                        "meta": {
                            "since": 2026
                        }
                    }
                },
                "editor": {
                    "data": null
                },
                "tags": {
                    "data": [
                        {
                            "type": "tags",
                            "id": "rust"
                        }
                    ],
                    "meta": {
                        "count": 1
                    }
                },
                "history": {
                    "links": {
                        "related": "/articles/1/history"
                    }
                },
                "versions": {
                    "links": {
                        "self": "/articles/1/relationships/versions"
                    },
                    "data": []
                }
            },
            "links": {
                "self": "/articles/1"
            },
            "meta": {
                "words": 900
            }
        }
    ],
    "included": [
        {
            "type": "people",
            "id": "7",
            "attributes": {
                "name": "Ada"
            }
        }
    ],
    "meta": {
        "pagination": {
            "next_cursor": null,
            "prev_cursor": null
        }
    },
    "links": {}
};

/** @satisfies {folio.CursorProfileDocument<ProfiledPost>} */
export const profileFirst = {
    "jsonapi": {
        "profile": [
            "https://jsonapi.org/profiles/ethanresnick/cursor-pagination"
        ]
    },
    "data": [
        {
            "type": "posts",
            "id": "1",
            "attributes": {
                "name": "package-1"
            },
            "meta": {
                "page": {
                    "cursor": "cursor1"
                }
            }
        },
        {
            "type": "posts",
            "id": "2",
            "attributes": {
                "name": "package-2"
            },
            "meta": {
                "page": {
                    "cursor": "cursor2"
                }
            }
        }
    ],
    "links": {
        "first": "/posts?page%5Bsize%5D=2",
        "prev": null,
        "next": "/posts?page%5Bsize%5D=2&page%5Bafter%5D=cursor3"
    }
};

/** @satisfies {folio.CursorProfileDocument<ProfiledPost>} */
export const profileMiddle = {
    "jsonapi": {
        "profile": [
            "https://jsonapi.org/profiles/ethanresnick/cursor-pagination"
        ]
    },
    "data": [
        {
            "type": "posts",
            "id": "3",
            "attributes": {
                "name": "package-3"
            },
            "meta": {
                "page": {
                    "cursor": "cursor1"
                }
            }
        },
        {
            "type": "posts",
            "id": "4",
            "attributes": {
                "name": "package-4"
            },
            "meta": {
                "page": {
                    "cursor": "cursor2"
                }
            }
        }
    ],
    "links": {
        "first": "/posts?page%5Bsize%5D=2",
        "prev": "/posts?page%5Bsize%5D=2&page%5Bbefore%5D=cursor3",
        "next": "/posts?page%5Bsize%5D=2&page%5Bafter%5D=cursor4"
    }
};

/** @satisfies {folio.CursorProfileDocument<ProfiledPost>} */
export const profileTruncated = {
    "jsonapi": {
        "profile": [
            "https://jsonapi.org/profiles/ethanresnick/cursor-pagination"
        ]
    },
    "data": [
        {
            "type": "posts",
            "id": "2",
            "attributes": {
                "name": "package-2"
            },
            "meta": {
                "page": {
                    "cursor": "cursor1"
                }
            }
        }
    ],
    "meta": {
        "page": {
            "rangeTruncated": true
        }
    },
    "links": {
        "first": "/posts?page%5Bsize%5D=1",
        "prev": "/posts?page%5Bsize%5D=1&page%5Bbefore%5D=cursor2",
        "next": "/posts?page%5Bsize%5D=1&page%5Bafter%5D=cursor3"
    }
};

/** @satisfies {folio.CursorProfileDocument<ProfiledPost>} */
export const profileEmpty = {
    "jsonapi": {
        "profile": [
            "https://jsonapi.org/profiles/ethanresnick/cursor-pagination"
        ]
    },
    "data": [],
    "links": {
        "first": "/posts",
        "prev": null,
        "next": null
    }
};

/** @satisfies {folio.CursorProfileDocument<ProfiledPost>} */
export const profileCounted = {
    "jsonapi": {
        "profile": [
            "https://jsonapi.org/profiles/ethanresnick/cursor-pagination"
        ]
    },
    "data": [
        {
            "type": "posts",
            "id": "1",
            "attributes": {
                "name": "package-1"
            },
            "meta": {
                "page": {
                    "cursor": "cursor1"
                }
            }
        },
        {
            "type": "posts",
            "id": "2",
            "attributes": {
                "name": "package-2"
            },
            "meta": {
                "page": {
                    "cursor": "cursor2"
                }
            }
        }
    ],
    "meta": {
        "page": {
            "total": 20
        },
        "startCursor": "cursor3",
        "endCursor": "cursor4"
    },
    "links": {
        "first": "/posts?page%5Bsize%5D=2",
        "prev": null,
        "next": "/posts?page%5Bsize%5D=2&page%5Bafter%5D=cursor4"
    }
};

/** @satisfies {folio.CursorProfileDocument<ProfiledPost>} */
export const profileEstimated = {
    "jsonapi": {
        "profile": [
            "https://jsonapi.org/profiles/ethanresnick/cursor-pagination"
        ]
    },
    "data": [
        {
            "type": "posts",
            "id": "1",
            "attributes": {
                "name": "package-1"
            },
            "meta": {
                "page": {
                    "cursor": "cursor1"
                }
            }
        },
        {
            "type": "posts",
            "id": "2",
            "attributes": {
                "name": "package-2"
            },
            "meta": {
                "page": {
                    "cursor": "cursor2"
                }
            }
        }
    ],
    "meta": {
        "page": {
            "estimatedTotal": {
                "bestGuess": 2
            }
        }
    },
    "links": {
        "first": "/posts?page%5Bsize%5D=2",
        "prev": null,
        "next": "/posts?page%5Bsize%5D=2&page%5Bafter%5D=cursor3"
    }
};

/** @satisfies {folio.CursorProfileDocument<ProfiledPost>} */
export const profilePlaced = {
    "jsonapi": {
        "profile": [
            "https://jsonapi.org/profiles/ethanresnick/cursor-pagination"
        ]
    },
    "data": [
        {
            "type": "posts",
            "id": "1",
            "attributes": {
                "name": "package-1"
            },
            "meta": {
                "page": {
                    "cursor": "cursor1"
                }
            }
        },
        {
            "type": "posts",
            "id": "2",
            "attributes": {
                "name": "package-2"
            },
            "meta": {
                "page": {
                    "cursor": "cursor2"
                }
            }
        }
    ],
    "meta": {
        "startCursor": "cursor3",
        "endCursor": "cursor4"
    },
    "links": {
        "first": "/posts?page%5Bsize%5D=2",
        "prev": null,
        "next": "/posts?page%5Bsize%5D=2&page%5Bafter%5D=cursor4"
    }
};

/** @satisfies {folio.CursorProfileDocument<ProfiledArticle>} */
export const profileWhole = {
    "jsonapi": {
        "profile": [
            "https://jsonapi.org/profiles/ethanresnick/cursor-pagination"
        ]
    },
    "data": [
        {
            "type": "articles",
            "id": "1",
            "attributes": {
                "title": "Article 1"
            },
            "relationships": {
                "author": {
                    "links": {
                        "self": "/articles/1/relationships/author",
                        "related": "/articles/1/author"
                    },
                    "data": {
                        "type": "people",
                        "id": "7",
                        "meta": {
                            "since": 2026
                        }
                    }
                },
                "editor": {
                    "data": null
                },
                "tags": {
                    "data": [
                        {
                            "type": "tags",
                            "id": "rust"
                        }
                    ],
                    "meta": {
                        "count": 1
                    }
                },
                "history": {
                    "links": {
                        "related": "/articles/1/history"
                    }
                },
                "versions": {
                    "links": {
                        "self": "/articles/1/relationships/versions"
                    },
                    "data": []
                }
            },
            "links": {
                "self": "/articles/1"
            },
            "meta": {
                "words": 900,
                "page": {
                    "cursor": "cursor1"
                }
            }
        }
    ],
    "included": [
        {
            "type": "people",
            "id": "7",
            "attributes": {
                "name": "Ada"
            }
        }
    ],
    "links": {
        "first": "/posts",
        "prev": null,
        "next": "/posts?page%5Bafter%5D=cursor2"
    }
};

/** @satisfies {folio.ErrorBody} */
export const errorPlain = {
    "message": "Invalid pagination cursor"
};

/** @satisfies {folio.ErrorBody} */
export const errorParameter = {
    "message": "`state` has a value that is not allowed",
    "parameter": "state"
};

/** @satisfies {folio.ErrorBody} */
export const errorAllowed = {
    "message": "`state` has a value that is not allowed",
    "parameter": "state",
    "allowed": [
        "open",
        "closed"
    ]
};

/** @satisfies {folio.ErrorBody} */
export const errorInternal = {
    "message": "Internal Server Error"
};

/** @satisfies {folio.ErrorBody} */
export const errorTimedOut = {
    "message": "reading this list took longer than 200ms, which is the limit: narrow the filter, or ask for fewer rows or a page nearer to the beginning"
};

/** @satisfies {folio.ErrorDocument} */
export const errorDocumentPlain = {
    "errors": [
        {
            "status": "410",
            "title": "Gone",
            "detail": "this is gone"
        }
    ]
};

/** @satisfies {folio.ErrorDocument} */
export const errorDocumentParameter = {
    "errors": [
        {
            "status": "400",
            "title": "Bad Request",
            "detail": "`state` has a value that is not allowed",
            "source": {
                "parameter": "state"
            }
        }
    ]
};

/** @satisfies {folio.ErrorDocument} */
export const errorDocumentAllowed = {
    "errors": [
        {
            "status": "400",
            "title": "Bad Request",
            "detail": "`state` has a value that is not allowed",
            "source": {
                "parameter": "state"
            },
            "meta": {
                "allowed": [
                    "open",
                    "closed"
                ]
            }
        }
    ]
};

/** @satisfies {folio.ErrorDocument} */
export const errorDocumentInternal = {
    "errors": [
        {
            "status": "500",
            "title": "Internal Server Error"
        }
    ]
};

/** @satisfies {folio.ErrorDocument} */
export const errorDocumentTimedOut = {
    "errors": [
        {
            "status": "503",
            "title": "Service Unavailable",
            "detail": "reading this list took longer than 200ms, which is the limit: narrow the filter, or ask for fewer rows or a page nearer to the beginning"
        }
    ]
};

/** @satisfies {folio.ErrorDocument} */
export const errorDocumentUncommon = {
    "errors": [
        {
            "status": "418",
            "detail": "this is uncommon"
        }
    ]
};

/** @satisfies {folio.ErrorDocument} */
export const errorDocumentProfile = {
    "jsonapi": {
        "profile": [
            "https://jsonapi.org/profiles/ethanresnick/cursor-pagination"
        ]
    },
    "errors": [
        {
            "status": "400",
            "title": "Bad Request",
            "detail": "Invalid pagination cursor",
            "source": {
                "parameter": "page[after]"
            }
        }
    ]
};

/** @satisfies {folio.ErrorDocument} */
export const errorDocumentMaxSize = {
    "jsonapi": {
        "profile": [
            "https://jsonapi.org/profiles/ethanresnick/cursor-pagination"
        ]
    },
    "errors": [
        {
            "links": {
                "type": "https://jsonapi.org/profiles/ethanresnick/cursor-pagination/max-size-exceeded"
            },
            "status": "400",
            "title": "Bad Request",
            "detail": "`page[size]` is larger than the maximum, 100",
            "source": {
                "parameter": "page[size]"
            },
            "meta": {
                "page": {
                    "maxSize": 100
                }
            }
        }
    ]
};

/** @satisfies {folio.GraphqlErrorExtensions} */
export const graphqlUnauthenticated = {
    "code": "UNAUTHENTICATED"
};

/** @satisfies {folio.GraphqlErrorExtensions} */
export const graphqlForbidden = {
    "code": "FORBIDDEN"
};

/** @satisfies {folio.GraphqlErrorExtensions} */
export const graphqlNotFound = {
    "code": "NOT_FOUND"
};

/** @satisfies {folio.GraphqlErrorExtensions} */
export const graphqlAllowed = {
    "allowed": [
        "open",
        "closed"
    ],
    "code": "BAD_USER_INPUT",
    "parameter": "state"
};

/** @satisfies {folio.GraphqlErrorExtensions} */
export const graphqlInternal = {
    "code": "INTERNAL_SERVER_ERROR"
};

/** @satisfies {folio.InertiaPage<{ posts: folio.NumberedPage<Post> }>} */
export const inertiaNumbered = {
    "component": "Posts",
    "props": {
        "errors": {
            "name": "is missing"
        },
        "posts": {
            "current_page": 10,
            "data": [
                {
                    "id": 10,
                    "name": "package-10"
                }
            ],
            "first_page_url": "/posts?page=1",
            "from": 10,
            "last_page": 20,
            "last_page_url": "/posts?page=20",
            "links": [
                {
                    "url": "/posts?page=9",
                    "label": "&laquo; Previous",
                    "page": 9,
                    "active": false
                },
                {
                    "url": "/posts?page=1",
                    "label": "1",
                    "page": 1,
                    "active": false
                },
                {
                    "url": "/posts?page=2",
                    "label": "2",
                    "page": 2,
                    "active": false
                },
                {
                    "url": null,
                    "label": "...",
                    "active": false
                },
                {
                    "url": "/posts?page=7",
                    "label": "7",
                    "page": 7,
                    "active": false
                },
                {
                    "url": "/posts?page=8",
                    "label": "8",
                    "page": 8,
                    "active": false
                },
                {
                    "url": "/posts?page=9",
                    "label": "9",
                    "page": 9,
                    "active": false
                },
                {
                    "url": "/posts?page=10",
                    "label": "10",
                    "page": 10,
                    "active": true
                },
                {
                    "url": "/posts?page=11",
                    "label": "11",
                    "page": 11,
                    "active": false
                },
                {
                    "url": "/posts?page=12",
                    "label": "12",
                    "page": 12,
                    "active": false
                },
                {
                    "url": "/posts?page=13",
                    "label": "13",
                    "page": 13,
                    "active": false
                },
                {
                    "url": null,
                    "label": "...",
                    "active": false
                },
                {
                    "url": "/posts?page=19",
                    "label": "19",
                    "page": 19,
                    "active": false
                },
                {
                    "url": "/posts?page=20",
                    "label": "20",
                    "page": 20,
                    "active": false
                },
                {
                    "url": "/posts?page=11",
                    "label": "Next &raquo;",
                    "page": 11,
                    "active": false
                }
            ],
            "next_page_url": "/posts?page=11",
            "path": "/posts",
            "per_page": 1,
            "prev_page_url": "/posts?page=9",
            "to": 10,
            "total": 20
        }
    },
    "url": "/inertia/numbered?page=10",
    "version": "",
    "mergeProps": [
        "posts.data"
    ],
    "scrollProps": {
        "posts": {
            "pageName": "page",
            "previousPage": 9,
            "nextPage": 11,
            "currentPage": 10,
            "reset": false
        }
    }
};

/** @satisfies {folio.InertiaPage<{ posts: folio.CursorPage<Post> }>} */
export const inertiaFirst = {
    "component": "Posts",
    "props": {
        "errors": {},
        "posts": {
            "data": [
                {
                    "id": 1,
                    "name": "package-1"
                },
                {
                    "id": 2,
                    "name": "package-2"
                }
            ],
            "path": "/posts",
            "per_page": 2,
            "next_cursor": "cursor1",
            "next_page_url": "/posts?cursor=cursor1",
            "prev_cursor": null,
            "prev_page_url": null
        }
    },
    "url": "/inertia/cursor/all",
    "version": "",
    "mergeProps": [
        "posts.data"
    ],
    "matchPropsOn": [
        "posts.data.id"
    ],
    "scrollProps": {
        "posts": {
            "pageName": "cursor",
            "previousPage": null,
            "nextPage": "cursor1",
            "currentPage": 1,
            "reset": false
        }
    }
};

/** @satisfies {folio.InertiaPage<{ posts: folio.CursorPage<Post> }>} */
export const inertiaMiddle = {
    "component": "Posts",
    "props": {
        "errors": {},
        "posts": {
            "data": [
                {
                    "id": 3,
                    "name": "package-3"
                },
                {
                    "id": 4,
                    "name": "package-4"
                }
            ],
            "path": "/posts",
            "per_page": 2,
            "next_cursor": "cursor1",
            "next_page_url": "/posts?cursor=cursor1",
            "prev_cursor": "cursor2",
            "prev_page_url": "/posts?cursor=cursor2"
        }
    },
    "url": "/inertia/cursor/all?cursor=cursor3",
    "version": "",
    "mergeProps": [
        "posts.data"
    ],
    "matchPropsOn": [
        "posts.data.id"
    ],
    "scrollProps": {
        "posts": {
            "pageName": "cursor",
            "previousPage": "cursor2",
            "nextPage": "cursor1",
            "currentPage": "cursor3",
            "reset": false
        }
    }
};

/** @satisfies {folio.InertiaPage<{ posts: folio.CursorPage<Post> }>} */
export const inertiaPrepended = {
    "component": "Posts",
    "props": {
        "errors": {},
        "posts": {
            "data": [
                {
                    "id": 1,
                    "name": "package-1"
                },
                {
                    "id": 2,
                    "name": "package-2"
                }
            ],
            "path": "/posts",
            "per_page": 2,
            "next_cursor": "cursor1",
            "next_page_url": "/posts?cursor=cursor1",
            "prev_cursor": null,
            "prev_page_url": null
        }
    },
    "url": "/inertia/cursor/all?cursor=cursor2",
    "version": "",
    "prependProps": [
        "posts.data"
    ],
    "matchPropsOn": [
        "posts.data.id"
    ],
    "scrollProps": {
        "posts": {
            "pageName": "cursor",
            "previousPage": null,
            "nextPage": "cursor1",
            "currentPage": 1,
            "reset": false
        }
    }
};

/** @satisfies {folio.InertiaPage<{ posts: folio.CursorPage<Post> }>} */
export const inertiaReset = {
    "component": "Posts",
    "props": {
        "errors": {},
        "posts": {
            "data": [
                {
                    "id": 1,
                    "name": "package-1"
                },
                {
                    "id": 2,
                    "name": "package-2"
                }
            ],
            "path": "/posts",
            "per_page": 2,
            "next_cursor": "cursor1",
            "next_page_url": "/posts?cursor=cursor1",
            "prev_cursor": null,
            "prev_page_url": null
        }
    },
    "url": "/inertia/cursor/all",
    "version": "",
    "scrollProps": {
        "posts": {
            "pageName": "cursor",
            "previousPage": null,
            "nextPage": "cursor1",
            "currentPage": 1,
            "reset": true
        }
    }
};

/** @satisfies {folio.InertiaPage<{ posts: folio.CursorPage<Post> }>} */
export const inertiaLast = {
    "component": "Posts",
    "props": {
        "errors": {},
        "posts": {
            "data": [
                {
                    "id": 19,
                    "name": "package-19"
                },
                {
                    "id": 20,
                    "name": "package-20"
                }
            ],
            "path": "/posts",
            "per_page": 2,
            "next_cursor": null,
            "next_page_url": null,
            "prev_cursor": "cursor1",
            "prev_page_url": "/posts?cursor=cursor1"
        }
    },
    "url": "/inertia/cursor/last",
    "version": "",
    "mergeProps": [
        "posts.data"
    ],
    "matchPropsOn": [
        "posts.data.id"
    ],
    "scrollProps": {
        "posts": {
            "pageName": "cursor",
            "previousPage": "cursor1",
            "nextPage": null,
            "currentPage": 1,
            "reset": false
        }
    }
};

/** @satisfies {folio.InertiaPage<{ posts: Post[] }>} */
export const inertiaUnknownPlace = {
    "component": "Posts",
    "props": {
        "errors": {},
        "posts": []
    },
    "url": "/inertia/unknown",
    "version": "",
    "mergeProps": [
        "posts"
    ],
    "scrollProps": {
        "posts": {
            "pageName": "page",
            "previousPage": null,
            "nextPage": 2,
            "currentPage": null,
            "reset": false
        }
    }
};

/** @satisfies {folio.InertiaPage<{ title: string }>} */
export const inertiaDeferred = {
    "component": "Posts",
    "props": {
        "errors": {},
        "title": "All posts"
    },
    "url": "/inertia/deferred",
    "version": "",
    "deferredProps": {
        "default": [
            "posts"
        ]
    }
};
