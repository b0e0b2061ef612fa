// Keeps the reader's place in a list while the page reloads.
//
// The URL names the page of rows that takes up most of the window, so after a reload that page is shown first. What is
// left is to scroll to the row that was at the top.

import { onMounted, onUnmounted } from "vue";

const KEY = "place";

/** Keeps the place in the list that scrolls with the window. */
export function useSamePlace() {
    onMounted(() => {
        addEventListener("pagehide", keep);
        goBack();
    });
    onUnmounted(() => removeEventListener("pagehide", keep));
}

/** Stores the first visible row of the page that the URL names. */
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
    // In the frame after the first, the client itself scrolls to the previous position of the window.
    requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(scroll)));
}
