/** What a service says of itself: the OpenAPI document and the page made of it. */
import { expect, test } from "bun:test";
import { sampleApp } from "./sample-app.ts";

test("the document says what each route takes, answers and refuses, and who may call it", async () => {
  const response = await sampleApp().app.request("/openapi.json");
  const document = JSON.parse(await response.text());
  expect(document).toMatchObject({ openapi: "3.1.0", info: { title: "Sample", version: "1.2.3" } });
  const { post } = document.paths["/items"];
  expect(post).toMatchObject({ summary: "Add", tags: ["items"], security: [{ user: [] }] });
  expect(post.requestBody.content["application/json"].schema).toMatchObject({
    type: "object",
    required: ["count", "kind"],
    properties: { kind: { enum: ["a", "b"] } },
  });
  expect(Object.keys(post.responses)).toEqual(["201", "400", "401", "413", "415", "422", "500"]);
  const { get } = document.paths["/items/{id}"];
  expect(get.parameters).toMatchObject([
    { in: "path", name: "id", required: true },
    { in: "query", name: "limit", schema: { type: "string" } },
  ]);
  expect(get.responses["404"]).toMatchObject({
    description: "No such item",
    content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
  });
});

test("a problem is as the document says", async () => {
  const { app } = sampleApp();
  const document = JSON.parse(await (await app.request("/openapi.json")).text());
  const { required, properties } = document.components.schemas.Problem;
  const problem = JSON.parse(await (await app.request("/items/1?limit=x")).text());
  expect(Object.keys(problem)).toEqual(expect.arrayContaining(required));
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(problem)));
});

test("the page shows every route, needs no script, and escapes what it shows", async () => {
  const response = await sampleApp().app.request("/docs");
  const page = await response.text();
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(page).toContain("<code>/items/{id}</code>");
  expect(page).toContain("And &lt;why&gt;.");
  expect(page).not.toContain("<script");
});

test("who opens a service that has no page of its own sees it there", async () => {
  const { app } = sampleApp();
  const response = await app.request("/");
  expect([response.status, await response.text()]).toEqual([200, await (await app.request("/docs")).text()]);
});
