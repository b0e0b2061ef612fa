// What @hey-api/openapi-ts generates. The imports have extensions, so that Node.js runs the compiled client.
export default {
    input: "./generated/openapi.json",
    output: { path: "generated/sdk", importFileExtension: ".js" },
    plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
};
