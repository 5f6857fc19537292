import { expect, test } from "bun:test";
import { nextPageQuery } from "./link.ts";

test("the next page's query is taken, and no other link, nor the address in it", () => {
  const next = '<https://evil.example/api/measurements?limit=2&cursor=a%2Bb>; rel="next"';
  expect(nextPageQuery(next, "https://gateway.example")).toEqual({ limit: "2", cursor: "a+b" });
  expect(nextPageQuery(`</x?a=1>; rel="first", </x?b=2>; rel=next`, "https://gateway.example/at")).toEqual({
    b: "2",
  });
  expect(nextPageQuery('</x?a=1>; rel="first"', "https://gateway.example")).toBeNull();
  expect(nextPageQuery(null, "https://gateway.example")).toBeNull();
});
