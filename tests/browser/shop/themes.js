// The stylesheets of folio's themes.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

import { compile } from "tailwindcss";

const path = createRequire(import.meta.url).resolve;

/** The stylesheet of each theme. Tailwind's has the classes that folio lists, and no others. */
export async function stylesheets(service) {
    const tailwind = await compile(await readFile(path("tailwindcss/index.css"), "utf8"));
    const classNames = await (await fetch(`${service}/class-names`)).text();
    return {
        plain: await readFile(fileURLToPath(new URL("../../../examples/shop/assets/shop.css", import.meta.url)), "utf8"),
        bootstrap: await readFile(path("bootstrap/dist/css/bootstrap.min.css"), "utf8"),
        tailwind: tailwind.build(classNames.split(" ")),
    };
}
