// With this option, version 2.3 of the client reads the first visit's page from the script element, as version 3 does.

import { createInertiaApp as create } from "inertia2";

export * from "inertia2";

export const createInertiaApp = (options) =>
    create({ ...options, defaults: { future: { useScriptElementForInitialPage: true } } });
