// The front end of pages/inertia.js, on each of the two clients that are installed for the catalogue.

import { fileURLToPath } from "node:url";

import { build } from "esbuild";

import { CLIENTS } from "../catalogue/clients.js";

const local = (path) => fileURLToPath(new URL(path, import.meta.url));
const FRONT = local("../../../examples/catalogue/front");

/** The clients, and where esbuild finds each. The older one is told to read the page from the script element. */
const SOURCES = [`${FRONT}/node_modules/@inertiajs/vue3`, `${FRONT}/older-client.js`];

/** Each client with its name, and what bundles the front end with it. */
export const FRONT_ENDS = CLIENTS.map(({ name }, at) => ({ name, script: () => bundle(SOURCES[at]) }));

async function bundle(client) {
    const { outputFiles } = await build({
        entryPoints: [local("../pages/inertia.js")],
        bundle: true,
        format: "esm",
        write: false,
        absWorkingDir: local(".."),
        // With the compiler of templates.
        alias: { vue: "vue/dist/vue.esm-bundler.js", "@inertiajs/vue3": client },
        define: {
            "process.env.NODE_ENV": '"development"',
            __VUE_OPTIONS_API__: "true",
            __VUE_PROD_DEVTOOLS__: "false",
            __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
        },
    });
    return outputFiles[0].text;
}
