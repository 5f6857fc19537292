/**
 * An experiment on everything real: what it says of catchments is what the routers' tables say, and pings; what our
 * collector says of BGP is what the daemons have noted themselves.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { forwardingTruth } from "./forwarding.ts";
import { LabExperiment } from "./lab-experiment.ts";
import { pingCatchments } from "./verfploeter.ts";
import { World } from "./world.ts";

const limitMs = 180_000;
let world: World;
beforeAll(async () => {
  world = await World.start();
}, limitMs);
afterAll(() => world?.[Symbol.asyncDispose]());

const catchment = { catchment: { after: 4 } };
const steps = [
  { at: 0, announce: { sites: "all" }, probe: catchment },
  { at: 12, announce: { sites: ["ixp-1", "ixp-3"], prepend: 2 }, probe: catchment },
  { at: 24, withdraw: { sites: ["ixp-2"] }, probe: catchment },
  { at: 36, announce: { sites: ["ixp-2"], prepend: 1 }, probe: catchment },
  { at: 48, withdraw: { sites: ["ixp-1"] }, probe: catchment },
];

/** Sites with a comma between them, where there are several. */
const caught = (round: ReadonlyMap<string, readonly string[]>) =>
  new Map<string, string | null>(
    [...round].map(([target, sites]) => [target, sites.join() || null] as const),
  );

test(
  "each target is caught where the routers' tables lead, and where a ping finds it, in every round",
  async () => {
    const experiment = new LabExperiment(world, "catchments", steps);
    experiment.start();
    const rounds: string[][] = [];
    for (const round of steps.keys()) {
      await experiment.reached(`"kind":"round","round":${round},`);
      const [truth, pinged] = await Promise.all([
        forwardingTruth(world.parts.net),
        pingCatchments(world.parts.net),
      ]);
      expect(caught(experiment.round(round))).toEqual(truth);
      expect(pinged).toEqual(truth);
      rounds.push([...truth.values()].map(String));
    }
    expect(await experiment.ended()).toEqual({ code: 0, said: expect.stringContaining("Ended: finished") });
    // The steps have moved somebody each time, or the rounds would show little.
    expect(new Set(rounds.map((sites) => sites.join())).size).toBeGreaterThanOrEqual(4);
    process.stderr.write(`${rounds.map((sites) => sites.join(" ")).join("\n")}\n`);
  },
  limitMs,
);
