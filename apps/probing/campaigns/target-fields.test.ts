import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import * as v from "valibot";
import { atOnce, type Steps } from "../../../lib/base/list/steps.ts";
import { definitionSchema, probeLinesOf } from "./definition.ts";
import { probeTextSteps, readProbeText } from "./probe-text.ts";

const plain = { name: "watch", agents: "west", every: 60, max_runs: 1 };
const read = (given: object) => v.safeParse(definitionSchema, { ...plain, ...given });

function linesOf(given: object): string {
  const made = atOnce(probeLinesOf(v.parse(definitionSchema, { ...plain, ...given })));
  return made.ok ? made.lines : made.reason;
}

const targets = ["192.0.2.0/24", "2001:db8::1"];
const fields = { protocol: "icmp", ttl: "2-5", flows: 2, per_prefix: 3, src_port: 30_000, seed: 7 };

test("the lines are those of vantage probes every time, whatever the campaign's other settings", () => {
  const options = "-p icmp --ttl 2-5 --flows 2 --per-prefix 3 --src-port 30000 --seed 7".split(" ");
  const vantage = join(import.meta.dirname, "../../vantage.ts");
  const written = spawnSync(process.execPath, [vantage, "probes", ...options, ...targets]).stdout.toString();
  expect(written.split("\n")).toHaveLength(4 * 2 * 4 + 1);
  expect(linesOf({ targets, ...fields })).toBe(written);
  expect(linesOf({ targets: targets.join(" "), ...fields, name: "other", every: "1h" })).toBe(written);
  expect(linesOf({ targets, ...fields, packets: 2 })).toBe(written + written);
  expect(linesOf({ targets, ...fields, seed: 8 })).not.toBe(written);
});

test("targets as people type them are read", () => {
  const typed = ["[2001:DB8::1]", "::ffff:192.0.2.1", "198.51.100.0/255.255.255.0"];
  const plain = ["2001:db8::1", "192.0.2.1", "198.51.100.0/24"];
  expect(linesOf({ targets: typed, ...fields })).toBe(linesOf({ targets: plain, ...fields }));
});

test.each([
  [{}, 'needs either "probes" or "targets"'],
  [{ targets, probes: "192.0.2.1,1,2,3,udp" }, 'needs either "probes" or "targets"'],
  [{ probes: "192.0.2.1,1,2,3,udp", flows: 2 }, 'go only with "targets"'],
  [{ targets: ["192.0.2.1/24"] }, "must be addresses, or prefixes"],
  [{ targets: ["192.0.2.1:53"] }, '"192.0.2.1:53" has a port: write 192.0.2.1, and give port 53 by itself'],
  [{ targets: [] }, "must name a target"],
  [{ targets, ttl: "9-3" }, "must be a TTL, or a range"],
  [{ targets, ttl: 256 }, "must be a TTL, or a range"],
  [{ targets, packets: 101 }, "must be a whole number from 1 to 100"],
])("%j is refused", (given, message) => {
  expect(
    read(given)
      .issues?.map((issue) => issue.message)
      .join("; "),
  ).toContain(message);
});

test("19,000 targets are read in steps, and the schema, which has none, checks the first thousand", () => {
  const many = Array.from({ length: 19_000 }, (_, i) => `::ffff:10.0.${i >> 8}.${i & 255}`);
  expect(
    countedSteps(probeLinesOf(v.parse(definitionSchema, { ...plain, targets: many, ttl: 7 }))),
  ).toBeGreaterThan(150);
  const bad = many.map((_, i) => `bad ${i}`);
  expect(read({ targets: bad }).issues).toHaveLength(1000);
  expect(linesOf({ targets: [...many, "bad"], ttl: 7 })).toContain("bad is not an address or a prefix");
});

test("probe lines are read in steps, also in unusual forms", () => {
  const lines = Array.from(
    { length: 10_000 },
    (_, i) => `10.0.${i >> 8}.${i & 255} ,24000,33434,7,udp  `,
  ).join("\n");
  expect(countedSteps(probeTextSteps(lines))).toBeGreaterThanOrEqual(20);
  expect(readProbeText(`${lines}\n192.0.2.1,1,2,3,tcp`)).toEqual({
    ...{ probes: 10_001, hasTcp: true },
    areQueries: false,
  });
});

function countedSteps(steps: Steps<unknown>): number {
  let count = 0;
  while (steps.next().done !== true) {
    count++;
  }
  return count;
}

test("what cannot be sent, or would be too much, is refused with what to change", () => {
  expect(linesOf({ targets, protocol: "icmpv6" })).toContain("icmpv6 cannot go to 192.0.2.");
  expect(linesOf({ targets, flows: 60_000 })).toContain("only 41536 ports from src_port 24000");
  expect(linesOf({ targets, per_prefix: 256, flows: 16 })).toContain("give fewer targets");
});
