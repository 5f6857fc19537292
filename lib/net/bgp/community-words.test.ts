import { expect, test } from "bun:test";
import { communityMeaning, rpkiStateOf } from "./community-words.ts";

test("well-known communities have words, others are their AS's own", () => {
  expect(communityMeaning("65535:65281")).toBe("no export");
  expect(communityMeaning("65535:0")).toBe("graceful shutdown");
  expect(communityMeaning("64500:65281")).toBeNull();
});

test("the origin validation state is the last byte of its community (RFC 8097)", () => {
  expect(rpkiStateOf(["0002fde800000001", "4300000000000002"])).toBe("invalid");
  expect(rpkiStateOf(["4300000000000000"])).toBe("valid");
  expect(rpkiStateOf(["4300000000000009"])).toBeNull();
  expect(rpkiStateOf([])).toBeNull();
});
