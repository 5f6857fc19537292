import { expect, test } from "bun:test";
import { readCaches } from "./caches.ts";

/** As BIRD 2.0.12 prints them. */
const blocks: readonly (readonly string[])[] = [
  ["device1    Device     ---        up     2026-11-23 06:59:14.471  "],
  [
    "cache      RPKI       ---        up     2026-11-23 06:59:14.486  Established",
    "  Cache server:     2001:db8::8",
    "  Cache port:       323",
    "  Status:           Established",
    "  Last update:      before 3.002 s",
    "  Channel roa6",
    "    Routes:         230000 imported, 0 exported, 1 preferred",
  ],
  [
    "cache_second RPKI       ---        start  2026-11-23 06:59:14.471  Transport-Error",
    "  Cache server:     rtr.example.net",
    "  Cache port:       8282",
    "  Status:           Transport-Error",
    "  Last update:      ---",
  ],
];
const lines = blocks.flatMap(([head = "", ...details]) => [
  { code: 1002, text: head },
  ...details.map((text) => ({ code: 1006, text })),
]);

test("each cache has its state, its age, and how many ROAs it holds; other protocols are passed over", () => {
  expect(readCaches(lines)).toEqual([
    {
      ...{ name: "cache", isUp: true, status: "Established", server: "[2001:db8::8]:323" },
      ...{ ageSec: 3.002, roas: 230_000 },
    },
    {
      ...{ name: "cache_second", isUp: false, status: "Transport-Error", server: "rtr.example.net:8282" },
      ...{ ageSec: null, roas: 0 },
    },
  ]);
});
