// What both pages share: the list that is shown, and its table.

import { nextTick, ref } from "vue";

/** The list that the address of this page asks for. */
export const query = () => new URLSearchParams(location.search);

/**
 * A page of the list, as the service answered it, and what loads another one.
 *
 * The body counts the pages that were asked for (`data-asked`) and those that have been shown (`data-shown`).
 */
export function useList() {
    const list = ref({});
    const counts = document.body.dataset;
    counts.asked = counts.shown = 0;

    async function load(url) {
        counts.asked++;
        const response = await fetch(url);
        if (!response.ok) throw new Error(`${url}: ${response.status}`);
        list.value = await response.json();
        await nextTick();
        counts.shown++;
    }
    return { list, load };
}

/** A row for each item, with its values in the order of their keys. */
export const Rows = {
    props: { items: { type: Array, default: () => [] } },
    template: `
        <table>
            <tr v-for="item in items" :key="item.id">
                <td v-for="value in item">{{ value }}</td>
            </tr>
        </table>`,
};
