/**
 * Every process of an experiment is killed at each of its steps: what BGP hears outside is what it hears without kills,
 * no more and no less, and every catchment is there. `VANTAGE_LAB_KILLS=all` kills all of them, else the command
 * alone.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { until } from "../../exchange/until.ts";
import { forwardingTruth } from "./forwarding.ts";
import { LabExperiment } from "./lab-experiment.ts";
import { platformAsn } from "./plan.ts";
import { notedUpdates } from "./told-updates.ts";
import { World } from "./world.ts";

setDefaultTimeout(180_000);
let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world?.[Symbol.asyncDispose]());

const catchment = { catchment: { after: 3 } };
const steps = [
  { at: 0, announce: { sites: ["ixp-1", "ixp-2", "ixp-3"] }, probe: catchment },
  { at: 10, announce: { sites: ["ixp-1"], prepend: 2 }, probe: catchment },
  { at: 20, withdraw: { sites: ["ixp-2"] }, probe: catchment },
];
/** A busy machine starts a gateway again within half of it. */
const intervalSec = 15;
/** Numbers of the actions that begin each step, and of its catchment's. */
const killedAt = ['"kind":"asked","action":0', '"kind":"done","action":4', '"kind":"asked","action":6'];
const routers = ["bird", "frr", "gobgp"] as const;

/** What upstreams heard from exchange servers since then, in order. */
async function heardSince(beginUs: number): Promise<Record<string, string[]>> {
  const lists = await Promise.all(
    routers.map(async (node) => {
      const noted = await notedUpdates(world.parts.routers.mrtOf(node));
      const own = noted.filter(
        ({ timeUs, text }) => timeUs >= beginUs && text.split(" ")[2] === String(platformAsn),
      );
      return [node, own.map(({ text }) => text)] as const;
    }),
  );
  return Object.fromEntries(lists);
}

/** Whether every stub, or none, has a way to the prefix. */
async function isAnnounced(expected: boolean): Promise<boolean> {
  const truth = await forwardingTruth(world.parts.net);
  return [...truth.values()].every((site) => (site !== null) === expected);
}

interface Run {
  readonly heard: Record<string, string[]>;
  readonly rounds: (readonly [string, string])[][];
}

/** `kill` ends something, and starts it again. */
async function runWith(name: string, kill: (experiment: LabExperiment) => Promise<void>): Promise<Run> {
  // Files of MRT have whole seconds.
  await Bun.sleep(1500);
  const beginUs = 1_000_000 * Math.floor(Date.now() / 1000);
  const experiment = new LabExperiment(world, name, steps);
  experiment.start(intervalSec);
  for (const text of killedAt) {
    await experiment.reached(text);
    await kill(experiment);
  }
  expect((await experiment.ended()).said).toContain("Ended: finished");
  await until("no route", () => isAnnounced(false));
  const rounds = steps.map((_, round) =>
    [...experiment.round(round)].map(([target, sites]) => [target, sites.join()] as const),
  );
  return { heard: await heardSince(beginUs), rounds };
}

const kills: Record<string, (experiment: LabExperiment) => Promise<void>> = {
  "the command": async (experiment) => {
    await experiment.kill();
    experiment.start(intervalSec);
  },
  "the peering gateway": async () => world.parts.platform.stack.killPart("peering"),
  "the client stack": async () => {
    const site = world.parts.sites.get("west");
    await site?.killClient();
    site?.startClient();
  },
  "the policy generator": async () => {
    const server = world.parts.exchanges.get("ixp-1");
    await server?.killGenerator();
    server?.startGenerator();
  },
  "the probing gateway": async () => world.parts.platform.stack.killPart("gateway"),
  "the column store": async () => world.parts.platform.stack.killPart("store"),
  "the ingester": async () => world.parts.platform.stack.killPart("ingest"),
  "the agent that asks": async () => {
    const site = world.parts.sites.get("west");
    await site?.killAgent();
    await site?.startAgent();
  },
};
const few = ["the command"];
const chosen = process.env.VANTAGE_LAB_KILLS === "all" ? Object.keys(kills) : few;

let undisturbed: Run;
test("an experiment that nobody disturbs", async () => {
  undisturbed = await runWith("undisturbed", async () => undefined);
  expect(undisturbed.heard.bird?.length).toBe(3);
});

test.each(chosen)("%s is killed at each step", async (victim) => {
  const run = await runWith(victim.replaceAll(" ", "-"), kills[victim] ?? (async () => undefined));
  expect(run).toEqual(undisturbed);
});

test("without its command the prefix is gone within two intervals, everywhere", async () => {
  const experiment = new LabExperiment(world, "abandoned", steps);
  experiment.start();
  await until("the routes", () => isAnnounced(true));
  await experiment.kill();
  const killedMs = Date.now();
  await until("no route", () => isAnnounced(false));
  // Two intervals of 5 s, and what the last daemon takes.
  expect(Date.now() - killedMs).toBeLessThan(13_000);
});
