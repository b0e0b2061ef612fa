// The component tells a URL, which the service wrote.

import { Pagination } from "@protonemedia/inertiajs-tables-laravel-query-builder";
import { createApp } from "vue";

import { Rows, query, useList } from "./list.js";

createApp({
    components: { Pagination, Rows },
    setup() {
        const { list, load } = useList();
        load(`/packages?${query()}`);
        // What leads nowhere has no URL. The table component of the same package passes over it, too.
        return { list, follow: (url) => url && load(url), sizes: [15, 30, 50, 100] };
    },
    template: `
        <Rows :items="list.data" />
        <Pagination :meta="list" :has-data="list.total > 0" :on-click="follow" :per-page-options="sizes" />`,
}).mount("main");
