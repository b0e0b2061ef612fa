// The front end of the catalogue.

import { createInertiaApp, router } from "@inertiajs/vue3";
import { createApp, h } from "vue";

import "./style.css";
import Layout from "./Layout.vue";
import ByName from "./pages/ByName.vue";
import Largest from "./pages/Largest.vue";
import Problem from "./pages/Problem.vue";
import SideBySide from "./pages/SideBySide.vue";
import { reloadWhenStale } from "./stale.js";

const PAGES = { ByName, Largest, Problem, SideBySide };

createInertiaApp({
    // The layout stays while pages change, and with it the focus.
    resolve: (name) => Object.assign(PAGES[name], { layout: Layout }),
    title: (title) => `${title} – Catalogue`,
    progress: { color: "var(--accent)", delay: 150 },
    setup({ el, App, props, plugin }) {
        createApp({ render: () => h(App, props) })
            .use(plugin)
            .mount(el);
    },
});

reloadWhenStale(router);
