/** A box for each hop: what the API has of a single router, or all routers' times together. */
import { expect, test } from "bun:test";
import { pictureElement } from "../look.ts";
import { hopTimesPicture } from "./hop-times-picture.ts";

function router(address: string | null, samples: readonly number[]) {
  const sorted = samples.toSorted((a, b) => a - b);
  const known = (ms: number | undefined) => ms ?? null;
  return {
    ...{ address, rtt_samples_ms: samples, rtt_min_ms: known(sorted[0]), rtt_max_ms: known(sorted.at(-1)) },
    ...{ rtt_p10_ms: known(sorted[0]), rtt_median_ms: known(sorted[1]), rtt_p90_ms: known(sorted[2]) },
  };
}

function labelsOf(hops: Parameters<typeof hopTimesPicture>[0]["hops"]): string[] {
  const { text } = pictureElement(hopTimesPicture({ agent: "west", address: "203.0.113.9", hops }));
  return [...text.matchAll(/role="listitem" aria-label="([^"]*)"/g)].map(([, label = ""]) => label);
}

test("a router's figures are the API's; those of several are of all their times; silence has no box", () => {
  expect(
    labelsOf([
      { ttl: 1, routers: [router("198.51.100.1", [3, 1, 2])] },
      { ttl: 2, routers: [router("198.51.100.2", [10, 20]), router("198.51.100.3", [30]), router(null, [])] },
      { ttl: 3, routers: [router(null, [])] },
      { ttl: 4, routers: [] },
    ]),
  ).toEqual([
    "1  198.51.100.1: median 2 ms, 10th to 90th percentile 1 to 3 ms, 1 to 3 ms",
    "2  198.51.100.2 and 1 more: median 20 ms, 10th to 90th percentile 12 to 28 ms, 10 to 30 ms",
    "3  no reply: no time",
    "4  no reply: no time",
  ]);
});

test("a hop with the longest name, without any time, or with a time of 0 is drawn", () => {
  const long = "2001:db8:1111:2222:3333:4444:5555:6666";
  expect(labelsOf([{ ttl: 255, routers: [router(long, [0, 0, 0])] }])).toEqual([
    `255  ${long}: median 0 ms, 10th to 90th percentile 0 to 0 ms, 0 to 0 ms`,
  ]);
  expect(pictureElement(hopTimesPicture({ agent: "a", address: "b", hops: [] })).text).not.toContain("NaN");
  expect(
    pictureElement(
      hopTimesPicture({ agent: "a", address: "b", hops: [{ ttl: 1, routers: [router(long, [0])] }] }),
    ).text,
  ).not.toContain("NaN");
});
