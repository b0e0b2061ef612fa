// Version 2.3 of the client reads a first visit's page from the script, as version 3 does, where it is told to.

import { createInertiaApp as create } from "inertia2";

export * from "inertia2";

export const createInertiaApp = (options) =>
    create({ ...options, defaults: { future: { useScriptElementForInitialPage: true } } });
