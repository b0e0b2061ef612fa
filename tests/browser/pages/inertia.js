// The front end of the service: a component for each of its pages.

import { createInertiaApp, InfiniteScroll, Link } from "@inertiajs/vue3";
import { createApp, h } from "vue";

/** A list in a box of its own, which says when it has ended. */
const List = {
    components: { InfiniteScroll },
    props: { data: String, rows: Array },
    template: `
        <div class="scrolls" style="height: 180px; overflow-y: auto">
            <InfiniteScroll :data="data" as="ol" :aria-label="data">
                <template #previous="{ loading, hasMore }"><p v-if="hasMore">{{ loading ? "Loading…" : "More" }}</p></template>
                <li v-for="row in rows" :key="row.id" :data-row="row.id" style="height: 30px">{{ row.id }}</li>
                <template #next="{ loading, hasMore }">
                    <p>{{ loading ? "Loading…" : hasMore ? "More" : "That is all." }}</p>
                </template>
            </InfiniteScroll>
        </div>`,
};

const Feed = {
    components: { Link, List },
    props: { feed: Object, totals: Object, errors: Object },
    template: `
        <h1>{{ feed.title }}</h1>
        <p role="status">{{ totals?.posts ?? "Counting" }}</p>
        <p role="alert">{{ errors.name }}</p>
        <p id="flash">{{ $page.flash?.message }}</p>
        <List data="feed.posts" :rows="feed.posts" />
        <Link href="/leave">Leave</Link>`,
};

const Simple = {
    components: { List },
    props: { left: Array, right: Array, letters: Array },
    template: `
        <List data="left" :rows="left" />
        <List data="right" :rows="right" />
        <List data="letters" :rows="letters" />`,
};

const PAGES = { Feed, Simple };

createInertiaApp({
    resolve: (name) => PAGES[name],
    setup({ el, App, props, plugin }) {
        createApp({ render: () => h(App, props) })
            .use(plugin)
            .mount(el);
    },
});
