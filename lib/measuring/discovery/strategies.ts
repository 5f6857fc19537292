/** The discovery strategies by name: docs/measure/discovery.md explains when to choose which. */
import { diamondMinerStrategy } from "./diamond-miner.ts";
import { mdaStrategy } from "./mda.ts";
import { paris } from "./paris.ts";
import { sharedStrategy } from "./shared.ts";
import type { Strategy } from "./strategy.ts";

export const strategies = {
  shared: sharedStrategy,
  "diamond-miner": diamondMinerStrategy,
  mda: mdaStrategy,
  paris,
} as const satisfies Readonly<Record<string, Strategy>>;
