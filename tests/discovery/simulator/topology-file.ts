/** A simulated network as a file: fakeroute's lines, or the plan of an Internet as JSON, with what happens in it. */
import { GraphNetwork, readGraph } from "./graph-network.ts";
import type { InternetPlan } from "./internet-drawing.ts";
import { LevelledInternet } from "./levelled-internet.ts";
import { type Conditions, SimulatedNet } from "./simulated-net.ts";

/** Flows of a graph go by this seed; a plan has its own. */
const graphSeed = 1;

/** What answers on a wire: its time is the clock's. */
const onWire = { probesPerSec: Number.POSITIVE_INFINITY, roundGapSec: 0 } as const;

export interface PlanFile extends InternetPlan {
  /** Left out: nothing is lost, and nobody limits answers. */
  readonly conditions?: Pick<Conditions, "loss" | "limited">;
}

/** Throws an Error or a RangeError on what is neither. */
export function readSimulation(text: string): SimulatedNet {
  if (!text.trimStart().startsWith("{")) {
    return new SimulatedNet(new GraphNetwork(readGraph(text), graphSeed), { seed: graphSeed, ...onWire });
  }
  const { conditions, ...plan }: PlanFile = JSON.parse(text);
  return new SimulatedNet(new LevelledInternet(plan), { seed: plan.seed, ...onWire, ...conditions });
}
