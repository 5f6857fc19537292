/** An experiment of three steps, disturbed at each of them: what upstreams heard, and what came of it. */
import { expect } from "bun:test";
import { until } from "../../exchange/until.ts";
import { forwardingTruth } from "./forwarding.ts";
import { LabExperiment } from "./lab-experiment.ts";
import { platformAsn, prefix } from "./plan.ts";
import { notedMessages } from "./told-updates.ts";
import type { World } from "./world.ts";

/** A client stack whose gateway was away asks it again after 5 s. */
const catchment = { catchment: { after: 6 } };
export const steps = [
  { at: 0, announce: { sites: ["ixp-1", "ixp-2", "ixp-3"] }, probe: catchment },
  { at: 10, announce: { sites: ["ixp-1"], prepend: 2 }, probe: catchment },
  { at: 20, withdraw: { sites: ["ixp-2"] }, probe: catchment },
];
/** A busy machine starts a gateway again within half of it. */
export const intervalSec = 15;
/** Numbers of the actions that begin each step, and of its catchment's. */
const disturbedAt = ['"kind":"asked","action":0', '"kind":"done","action":4', '"kind":"asked","action":6'];
const routers = ["bird", "frr", "gobgp"] as const;

export interface Run {
  readonly experiment: LabExperiment;
  /** Messages of exchange servers about the prefix, in order, by upstream; and `L` for a session that was lost. */
  readonly heard: Readonly<Record<string, readonly string[]>>;
  /** By round: each target with its sites. */
  readonly rounds: readonly (readonly (readonly [string, string])[])[];
}

/** What upstreams heard from exchange servers since then, in order. */
async function heardSince(world: World, beginUs: number): Promise<Run["heard"]> {
  const lists = await Promise.all(
    routers.map(async (node) => {
      const noted = await notedMessages(world.parts.routers.mrtOf(node));
      const own = noted.filter(
        ({ timeUs, text }) => timeUs >= beginUs && text.split(" ")[2] === String(platformAsn),
      );
      return [node, own.map(({ text }) => text)] as const;
    }),
  );
  return Object.fromEntries(lists);
}

/** Whether every stub, or none, has a way to the prefix. */
export async function isAnnounced(world: World, expected: boolean): Promise<boolean> {
  const truth = await forwardingTruth(world.parts.net);
  return [...truth.values()].every((site) => (site !== null) === expected);
}

/** Resolves when nobody has a route any more. `disturb`: ends something, and starts it again. */
export async function runDisturbed(
  world: World,
  name: string,
  disturb: (experiment: LabExperiment, step: number) => Promise<void>,
): Promise<Run> {
  // Files of MRT have whole seconds.
  await Bun.sleep(1500);
  const beginUs = 1_000_000 * Math.floor(Date.now() / 1000);
  const experiment = new LabExperiment(world, name, steps);
  experiment.start(intervalSec);
  for (const [step, text] of disturbedAt.entries()) {
    await experiment.reached(text);
    await disturb(experiment, step);
  }
  expect((await experiment.ended()).said).toContain("Ended: finished");
  await until("no route", () => isAnnounced(world, false));
  for (const { bird } of world.parts.exchanges.values()) {
    expect(await bird.hears(prefix)).toBe(false);
  }
  const rounds = await Promise.all(
    steps.map(async (_, round) =>
      [...(await experiment.round(round))].map(([target, sites]) => [target, sites.join()] as const),
    ),
  );
  return { experiment, heard: await heardSince(world, beginUs), rounds };
}
