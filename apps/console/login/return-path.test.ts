import { expect, test } from "bun:test";
import { returnPath } from "./return-path.ts";

test.each([
  ["/console", "/console"],
  ["/console/measurements?status=running&cursor=a%20b", "/console/measurements?status=running&cursor=a%20b"],
  ["/console/../docs", "/console"],
  ["/consoles", "/console"],
  ["/console/login?to=/console/login", "/console"],
  ["/console/call/api/measurements", "/console"],
  ["//evil.example/console", "/console"],
  ["/\\evil.example/console", "/console"],
  ["https://evil.example/console", "/console"],
  ["javascript:alert(1)", "/console"],
  ["/console\r\nset-cookie: a=b", "/console"],
  [`/console?${"a".repeat(2000)}`, "/console"],
  ["", "/console"],
  [null, "/console"],
])("%s leads to %s", (given, wanted) => {
  expect(returnPath(given)).toBe(wanted);
});
