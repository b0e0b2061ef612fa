// What the lists have to show, read straight from the database.

import { readFile } from "node:fs/promises";

import openSqlite from "sql.js";

/** What gives the ids of the packages for which a condition holds, in an order. */
export async function truth(file) {
    const sqlite = await openSqlite();
    const database = new sqlite.Database(await readFile(file));
    const ids = (order) => (condition) => {
        const [result] = database.exec(`SELECT id FROM packages WHERE ${condition} ORDER BY ${order}`);
        return result.values.flat();
    };
    return {
        byName: ids("name, id"),
        bySize: ids("installed_size_kib DESC NULLS LAST, id DESC"),
        byNeed: ids("depends_count DESC NULLS LAST, id DESC"),
        /** How many of these packages do not say how large they are. */
        withoutSize: (condition) => ids("id")(`${condition} AND installed_size_kib IS NULL`).length,
    };
}
