/** Every parser of foreign bytes. */
import type { FuzzTarget } from "../fuzz-target.ts";
import { packetTargets } from "./packets.ts";
import { rtrTargets } from "./rtr.ts";
import { serviceTargets } from "./services.ts";
import { textTargets } from "./text.ts";
import { wireTargets } from "./wire.ts";

export const targets: readonly FuzzTarget[] = [
  ...packetTargets,
  ...wireTargets,
  ...rtrTargets,
  ...textTargets,
  ...serviceTargets,
];
