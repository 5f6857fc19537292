/** What `vantage experiment show` prints of the journal of a sweep of two sites, as a gateway serves it. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import * as v from "valibot";
import { experimentSchema } from "../../../lib/measuring/experiment/definition.ts";
import { planOf } from "../../../lib/measuring/experiment/plan.ts";
import { roundSettings } from "../../../lib/measuring/experiment/round-settings.ts";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";

const lines: object[] = [];
const [id, begunAt] = [crypto.randomUUID(), "2026-11-24T08:00:00.000Z"];
const listed = {
  ...{ id, name: "two sites", prefix: "2001:db8:51::/48", begun_at: begunAt, heard_at: begunAt },
  ...{
    state: "ended",
    ended_at: begunAt,
    reason: "finished",
    actions: 9,
    entries: 9,
    bytes: 999,
    grant_id: null,
  },
};
const gateway = Bun.serve({
  ...{ hostname: "127.0.0.1", port: 0 },
  routes: {
    "/api/experiments": () => Response.json([listed]),
    "/api/experiments/:id/journal": () =>
      new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join("")),
  },
});
const sites = ["ixp-1", "ixp-2"];

/** What each target would pay for a site; a prepend costs 1, and the cheapest site catches. Null: it never answers. */
const costs: Readonly<Record<string, readonly [number, number] | null>> = {
  "203.0.113.1": [0, 0.5],
  "203.0.113.2": [0, 1.5],
  "203.0.113.3": [0, 9],
  "198.51.100.1": [9, 0],
  "198.51.100.2": null,
};
const pace = { spacingSec: 600, perHourMax: 10 };
const agentOf: Readonly<Record<string, string>> = { "ixp-1": "west", "ixp-2": "east" };

const experiment = v.parse(experimentSchema, {
  experiment: "two sites",
  prefix: "2001:db8:51::/48",
  probe: {
    agents: ["west", "east"],
    targets: Object.keys(costs),
    protocol: "udp",
    sites: { west: "ixp-1", east: "ixp-2" },
  },
  sweep: { sites, prepends: [1, 2], wait: "1m" },
});

beforeAll(() => {
  const definition = JSON.stringify([experiment, sites, pace]);
  lines.push({ kind: "begun", name: experiment.experiment, startMs: 1_700_000_000_000, definition });
  const { actions } = planOf(experiment, {
    sites,
    targets: 5,
    agents: 2,
    probesPerPath: 32,
    leaseSec: null,
    pace,
    budgets: new Map(),
  });
  for (const [round, announced] of roundSettings(actions)) {
    const caught = Object.entries(costs).map(([target, cost]) => {
      const priced = [...announced].map(([site, { prepend }]) => {
        return { site, price: (cost?.[sites.indexOf(site)] ?? 0) + prepend };
      });
      const [best] = priced.sort((a, b) => a.price - b.price);
      return [target, cost === null || best === undefined ? [] : [agentOf[best.site] ?? ""]];
    });
    lines.push({ kind: "round", round, sites: Object.fromEntries(caught) });
  }
});
afterAll(() => gateway.stop(true));

async function vantage(...args: string[]) {
  const env = {
    PATH: process.env.PATH,
    VANTAGE_GATEWAY: `http://127.0.0.1:${gateway.port}`,
    VANTAGE_TOKEN: "anna",
  };
  const { stdout: out, stderr: err } = await runToEnd([...vantageCommand, "experiment", ...args], { env });
  return { out, err };
}

async function csv(view: string): Promise<string[]> {
  const { out } = await vantage("show", "two sites", "-v", view, "-o", "csv");
  return out.trim().split(/\r?\n/);
}

test("what each site catches with each number of prepends, and alone, by names of exchange servers", async () => {
  const { out } = await vantage("show", "two sites", "-v", "sites", "-o", "json");
  expect(JSON.parse(out)).toEqual([
    {
      site: "ixp-1",
      prepend_0: { targets: 3, of: 4 },
      prepend_1: { targets: 2, of: 4 },
      prepend_2: { targets: 1, of: 4 },
      alone: { targets: 4, of: 4 },
    },
    {
      site: "ixp-2",
      prepend_0: { targets: 1, of: 4 },
      prepend_1: { targets: 1, of: 4 },
      prepend_2: { targets: 1, of: 4 },
      alone: { targets: 4, of: 4 },
    },
  ]);
});

test("what each target prefers, what moves it, and how often its site changed; the same by network", async () => {
  // All, ixp-1 +1, ixp-1 +2, ixp-2 +1, ixp-2 +2, ixp-2 alone, ixp-1 alone.
  expect((await csv("targets")).slice(1)).toEqual([
    "203.0.113.1,203.0.113.0/24,,ixp-1,ixp-1 > ixp-2,1,ixp-2,4,0,0",
    "203.0.113.2,203.0.113.0/24,,ixp-1,ixp-1 > ixp-2,2,ixp-2,4,0,0",
    "203.0.113.3,203.0.113.0/24,,ixp-1,ixp-1 > ixp-2,,,2,0,0",
    "198.51.100.1,198.51.100.0/24,,ixp-1,ixp-2 > ixp-1,,,1,0,0",
    "198.51.100.2,198.51.100.0/24,,,,,,0,0,7",
  ]);
  expect((await csv("prefixes")).slice(1)).toEqual([
    '203.0.113.0/24,ixp-1 3,ixp-1 3,"1 1, 2 1, never 1"',
    "198.51.100.0/24,ixp-1 1,ixp-2 1,never 1",
  ]);
});

test("without a view, tables for people", async () => {
  const { out } = await vantage("show", id.slice(0, 8));
  expect(out).toContain("Targets that each site catches, by its prepends, and alone:");
  expect(out).toMatch(/site +\+0 +\+1 +\+2 +alone\nixp-1 +3\/4 +2\/4 +1\/4 +4\/4/);
});
