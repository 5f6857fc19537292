import { expect, test } from "bun:test";
import { jsonLog } from "./log.ts";
import { SampledWarnings } from "./sampled-warnings.ts";

test("of a flood there is a line at once, and one for all the others; each kind has its own", async () => {
  const lines: { code: string; count: number; level: string; reason: string }[] = [];
  const warnings = new SampledWarnings(
    jsonLog("test", (line) => lines.push(JSON.parse(line))),
    50,
  );
  for (let i = 0; i < 1000; i++) {
    warnings.warn("no_room", "Refused for lack of room", { reason: `r${i}` });
  }
  warnings.warn("store_busy", "Refused for lack of room", { reason: "s" });
  expect(lines).toMatchObject([
    { level: "warn", code: "no_room", count: 1, reason: "r0" },
    { level: "warn", code: "store_busy", count: 1, reason: "s" },
  ]);
  while (lines.length < 3) {
    await Bun.sleep(5);
  }
  expect(lines[2]).toMatchObject({ code: "no_room", count: 999, reason: "r999" });
  await Bun.sleep(120);
  warnings.warn("no_room", "Refused for lack of room", { reason: "later" });
  expect(lines.slice(3)).toMatchObject([{ code: "no_room", count: 1, reason: "later" }]);
});

test("within a kind, each has lines of its own", () => {
  const lines: { code: string; peer: string }[] = [];
  const warnings = new SampledWarnings(jsonLog("test", (line) => lines.push(JSON.parse(line))));
  for (const peer of ["a", "b", "a"]) {
    warnings.warn("malformed", "Malformed", { peer }, peer);
  }
  expect(lines.map(({ code, peer }) => [code, peer])).toEqual([
    ["malformed", "a"],
    ["malformed", "b"],
  ]);
});
