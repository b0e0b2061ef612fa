// The lists that the tests scroll through: the query of each, and the SQL condition of its packages.

/** Rows on a page. */
export const AT_ONCE = 50;

/** Some of its packages have no size, and many have the same. */
export const DEV = { query: "q=dev-", condition: "instr(name, 'dev-') > 0" };
export const GAMES = { query: "section=games", condition: "section = 'games'" };
export const EDITORS = { query: "section=editors", condition: "section = 'editors'" };
export const HTTPD = { query: "section=httpd", condition: "section = 'httpd'" };
