/** A small run of faults; the large one is `npm run test:faults`. */
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { runToEnd } from "../run/said.ts";
import { isLongRun } from "../run/tier.ts";
import { type FaultName, killNames } from "./fault-names.ts";
import type { Report } from "./report.ts";

/** An outage, and the kill whose loss only counted packets show; the contract tests kill each of the others. */
const usual: readonly FaultName[] = ["kafka-killed", "agent-killed"];
/** One outage of each engine, and each Vantage process killed. */
const long: readonly FaultName[] = ["kafka-killed", "postgres-stopped", "disk-full", ...killNames];
const faults = isLongRun ? long : usual;

interface Judged extends Report {
  readonly problems: readonly string[];
}

let report: Judged;
beforeAll(async () => {
  const size = [`--probes=${isLongRun ? 50_000 : 10_000}`, "--outage=3", "--restart=0.2"];
  const script = join(import.meta.dirname, "main.ts");
  const { stdout: said, stderr: complaint } = await runToEnd([
    process.execPath,
    script,
    ...size,
    `--only=${faults.join(",")}`,
    "--json",
  ]);
  if (said === "") {
    throw new Error(`No report: ${complaint}`);
  }
  report = JSON.parse(said);
});

test.each(faults)("%s in the middle of a campaign loses nothing and doubles nothing", (name) => {
  expect(report.faults.map((fault) => fault.name)).toContain(name);
  expect(report.problems.filter((problem) => problem.startsWith(`${name}:`))).toEqual([]);
});

test("leases taken meanwhile are there, once, and the policy in force grants exactly those that live", () => {
  expect(report.leases.taken).toBeGreaterThan(isLongRun ? 50 : 10);
  expect([report.leases.lost, report.leases.doubled, report.isPolicyRight]).toEqual([0, 0, true]);
});

test("nothing else went wrong, and no Vantage process ended by itself", () => {
  expect(report.problems).toEqual([]);
});
