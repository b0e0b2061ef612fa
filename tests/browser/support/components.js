// The components: the list that each one shows, where its links are, and the text that it shows on three pages of 50.

/** Asks for pages by number, and works out its entries from the number of the last page. */
const laravelVuePagination = {
    name: "laravel-vue-pagination",
    query: "section=x11&per_page=21",
    condition: "section = 'x11'",
    perPage: 21,
    entries: {
        1: "1 2 3 ... 50",
        25: "1 ... 23 24 25 26 27 ... 50",
        50: "1 ... 48 49 50",
    },
    jumps: [3, 5, 50, 48, 1],

    previous: (page) => page.getByLabel("Previous"),
    next: (page) => page.getByLabel("Next"),
    links: (page) => page.locator(".pagination-page-nav > a"),
    active: (page) => page.locator(".pagination-page-nav.active > [aria-current=page]"),
    leadsNowhere: (link) => link.evaluate((a) => a.tabIndex === -1 && a.parentElement.classList.contains("disabled")),
    summary: () => null,
};

/** Follows URLs, and shows the entries of the answer. Its list is one whose URLs have something to percent-encode. */
const inertiaTables = {
    name: "inertia-tables",
    query: "q=%2B%2B&per_page=12",
    condition: "instr(name, '++') > 0",
    perPage: 12,
    entries: {
        1: "1 2 3 4 5 6 7 8 9 10 ... 49 50",
        25: "1 2 ... 22 23 24 25 26 27 28 ... 49 50",
        50: "1 2 ... 41 42 43 44 45 46 47 48 49 50",
    },
    jumps: [10, 13, 49, 2, 50, 1],

    previous: (page) => page.locator("nav nav > :first-child"),
    next: (page) => page.locator("nav nav > :last-child"),
    links: (page) => page.locator("nav nav > div > :is(a, div)"),
    active: (page) => page.locator("nav nav > div > .bg-gray-100"),
    leadsNowhere: (link) => link.evaluate((element) => !element.hasAttribute("href")),
    summary: (page) => page.locator("nav p").innerText(),
};

export const COMPONENTS = [laravelVuePagination, inertiaTables];
