// The component tells the number of a page, and this page writes the URL.

import { Bootstrap5Pagination } from "laravel-vue-pagination";
import { createApp } from "vue";

import { Rows, query, useList } from "./list.js";

createApp({
    components: { Bootstrap5Pagination, Rows },
    setup() {
        const { list, load } = useList();
        function show(number = 1) {
            const asked = query();
            asked.set("page", number);
            return load(`/packages?${asked}`);
        }
        show();
        return { list, show };
    },
    template: `
        <Rows :items="list.data" />
        <Bootstrap5Pagination :data="list" :limit="2" show-disabled @pagination-change-page="show" />`,
}).mount("main");
