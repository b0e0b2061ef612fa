// The catalogue under test: it can be started again at the same address, as another release of it.

import { startExample } from "../support/service.js";

/** A key that seals cursors. It stays while the service is started again, so its cursors do as well. */
const KEY = Buffer.alloc(32, 7).toString("base64");

/** Starts the catalogue: its address, the file of its database, and what stops it or starts it again. */
export async function startCatalogue() {
    let service = await start({ PORT: "0" });
    const { address, database } = service;
    return {
        address,
        database,
        stop: () => service.stop(),
        async restart(environment) {
            await service.stop();
            service = await start({ PORT: new URL(address).port, ...environment });
        },
    };
}

function start(environment) {
    return startExample("example-catalogue", { APP_KEY: KEY, ...environment });
}
