/** A topology as a file: fakeroute's lines, or the plan of an Internet as JSON. */
import { GraphNetwork, readGraph } from "./graph-network.ts";
import type { InternetPlan } from "./internet-drawing.ts";
import { LevelledInternet } from "./levelled-internet.ts";
import type { Topology } from "./topology.ts";

/** Flows of a graph go by this seed; a plan has its own. */
const graphSeed = 1;

/** Throws an Error or a RangeError on what is neither. */
export function readTopology(text: string): Topology {
  if (!text.trimStart().startsWith("{")) {
    return new GraphNetwork(readGraph(text), graphSeed);
  }
  const plan: InternetPlan = JSON.parse(text);
  return new LevelledInternet(plan);
}
