// A site with the bundled pages, and with the service's answers under the same address.

import { createServer, request } from "node:http";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const PAGES = ["laravel-vue-pagination", "inertia-tables"];

/** Serves the pages, each under its name, and leaves all else to the service: its address, and what stops it. */
export async function startSite(service) {
    const files = await bundle();
    const server = createServer((asked, answer) => {
        const file = files.get(asked.url.split("?")[0]);
        if (file) {
            answer.writeHead(200, { "content-type": file.type }).end(file.text);
        } else {
            forward(service, asked, answer);
        }
    });
    await new Promise((resolve, reject) => server.on("error", reject).listen(0, "127.0.0.1", resolve));
    const stop = () => {
        server.close();
        server.closeAllConnections();
    };
    return { address: `http://127.0.0.1:${server.address().port}`, stop };
}

/** The pages, built for development: in this form Vue warns about a value of an unexpected type. */
async function bundle() {
    const { outputFiles } = await build({
        entryPoints: PAGES.map((name) => fileURLToPath(new URL(`../pages/${name}.js`, import.meta.url))),
        bundle: true,
        format: "esm",
        outdir: "/",
        write: false,
        // With the compiler of templates.
        alias: { vue: "vue/dist/vue.esm-bundler.js" },
        define: {
            "process.env.NODE_ENV": '"development"',
            __VUE_OPTIONS_API__: "true",
            __VUE_PROD_DEVTOOLS__: "false",
            __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
        },
    });
    const files = new Map();
    for (const { path, text } of outputFiles) {
        files.set(path, { type: "text/javascript; charset=utf-8", text });
    }
    for (const name of PAGES) {
        files.set(`/${name}`, { type: "text/html; charset=utf-8", text: html(name) });
    }
    return files;
}

const html = (name) => `<!doctype html>
<html lang="en">
    <title>${name}</title>
    <link rel="icon" href="data:,">
    <main></main>
    <script type="module" src="/${name}.js"></script>
</html>`;

function forward(service, asked, answer) {
    const { method, headers } = asked;
    const forwarded = request(new URL(asked.url, service), { method, headers }, (answered) => {
        answer.writeHead(answered.statusCode, answered.headers);
        answered.pipe(answer);
    });
    forwarded.on("error", (error) => answer.writeHead(502).end(String(error)));
    asked.pipe(forwarded);
}
