// A client that is generated from the OpenAPI document; scripts/test-clients runs it.
import createClient from "openapi-fetch";
import type { paths } from "./binder-api.js";

declare const process: { argv: string[]; exit(code: number): never };

const client = createClient<paths>({ baseUrl: process.argv[2] ?? "" });

const one = await client.GET("/v1/is-a", {
    params: { query: { child: "dog.n.01", parent: "canine.n.02" } },
});
const many = await client.POST("/v1/is-a", { body: { pairs: [["dog.n.01", "canine.n.02"]] } });
const near = await client.GET("/v1/nearest", {
    params: { query: { name: "dog.n.01", by: "wu-palmer", limit: 3 } },
});
const page = await client.GET("/v1/hyponyms", { params: { query: { name: "dog.n.01", limit: 5 } } });
const wrong = await client.GET("/v1/concept", { params: { query: { name: "nobody" } } });

const right = one.data?.is_a === true && many.data?.is_a[0] === true &&
    near.data?.concepts.length === 3 && page.data?.next === "after-5" &&
    wrong.error?.status === 404;
console.log(right ? "a generated TypeScript client: right" : JSON.stringify([one, many, near, page, wrong]));
process.exit(right ? 0 : 1);
