/**
 * That `bench pressure` works, on so few probes that its figures mean nothing.
 *
 * @tier long: a bench that works changes seldom, and takes both cores
 */
import { afterAll, expect, test } from "bun:test";
import { BenchRun } from "../bench-run.ts";

const bench = new BenchRun();
afterAll(() => bench[Symbol.dispose]());

test.skipIf(process.getuid?.() !== 0)(
  "pressure: replies wait one step before what does not go on, and none is lost",
  async () => {
    const lines = await bench.figures("pressure", "--count=8000");
    const found = new Map<string, number>();
    for (const line of lines) {
      const { subject, value }: { subject: string; value: number } = JSON.parse(line);
      found.set(subject, value);
    }
    // Of 8,000: what came while the store was stopped, and what the spool holds.
    expect(found.get("store stopped: waiting in the broker at the end")).toBeGreaterThan(1000);
    expect(found.get("broker full: held by the agent meanwhile")).toBeGreaterThan(1000);
    expect(found.get("store stopped: sent meanwhile")).toBeGreaterThan(0);
    expect(found.get("broker full: sent meanwhile")).toBe(0);
    expect([...found.values()].every((value) => value >= 0)).toBe(true);
  },
  120_000,
);
