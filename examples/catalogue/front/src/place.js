// The place of a reader in a list, kept while the page is loaded anew.
//
// The address names the page of rows that a reader sees most of, so after a reload that page is the first one shown. The
// rest of the way is a scroll to the row that was at the top.

import { onMounted, onUnmounted } from "vue";

const KEY = "place";

/** Keeps the place in the list that is scrolled through with the window. */
export function useSamePlace() {
    onMounted(() => {
        addEventListener("pagehide", keep);
        goBack();
    });
    onUnmounted(() => removeEventListener("pagehide", keep));
}

/** Notes the first row in view of the page that the address names. */
function keep() {
    const rows = [...document.querySelectorAll("[data-row]")];
    const named = new Set(new URL(location.href).searchParams.values());
    const inView = rows.filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
    });
    const row = inView.find((row) => named.has(row.dataset.infiniteScrollPage)) ?? inView[0];
    const place = row && { url: location.href, row: row.dataset.row, top: row.getBoundingClientRect().top };
    sessionStorage.setItem(KEY, JSON.stringify(place ?? null));
}

function goBack() {
    const place = JSON.parse(sessionStorage.getItem(KEY));
    sessionStorage.removeItem(KEY);
    const reloaded = performance.getEntriesByType("navigation")[0]?.type === "reload";
    if (!reloaded || place?.url !== location.href) return;
    const scroll = () => {
        const row = document.querySelector(`[data-row="${place.row}"]`);
        if (row) scrollBy({ top: row.getBoundingClientRect().top - place.top, behavior: "instant" });
    };
    // The client itself scrolls to where the window was, in the frame after the first.
    requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(scroll)));
}
