import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { configPageText } from "./reference/configuration/keys-page.ts";
import { configurationPages, pagePath } from "./reference/configuration.ts";

test.each(configurationPages)("docs/$name.md is what the schema gives", (page) => {
  expect(readFileSync(pagePath(page), "utf8")).toBe(configPageText(page));
});
