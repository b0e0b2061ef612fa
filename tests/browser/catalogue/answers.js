// Holds back answers of the service, so that a test decides in which order overlapping requests are answered.

/** Holds back the answers to the page's partial reloads for which `isHeld` is true of their props, once `hold` sets it. */
export async function holdAnswers(page) {
    const held = [];
    let isHeld = () => false;
    await page.route("**/*", async (route) => {
        const props = route.request().headers()["x-inertia-partial-data"]?.split(",");
        if (!props || !isHeld(props)) return route.continue();
        const response = await route.fetch();
        held.push(() => route.fulfill({ response }));
    });
    return {
        hold: (condition) => (isHeld = condition),
        /** How many answers are held. */
        count: () => held.length,
        /** Delivers the answer that has been held longest. */
        deliverOne: () => held.shift()(),
        /** Delivers all of them, and holds no more. */
        async deliverAll() {
            isHeld = () => false;
            for (const deliver of held.splice(0)) await deliver();
        },
    };
}
