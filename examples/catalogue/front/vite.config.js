// Builds the front end into one script and one style sheet, which become part of the program.

import { fileURLToPath } from "node:url";

import vue from "@vitejs/plugin-vue";
import { defineConfig } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig(({ mode }) => ({
    plugins: [vue()],
    // The same front end on version 2.3 of the client, for the browser tests.
    resolve: mode === "older-client" ? { alias: { "@inertiajs/vue3": here("older-client.js") } } : {},
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
        outDir: here("../assets"),
        emptyOutDir: true,
        modulePreload: false,
        target: "es2022",
        // Those that know light-dark().
        cssTarget: ["chrome123", "firefox120", "safari17.5"],
        rolldownOptions: {
            input: here("src/main.js"),
            output: { entryFileNames: "app.js", assetFileNames: "app[extname]" },
        },
    },
}));
