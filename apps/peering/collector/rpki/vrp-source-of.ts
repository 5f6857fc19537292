/** The source of VRPs that a configuration asks for. */
import type { Logger } from "../../../../lib/engines/observe/log.ts";
import type { CollectorConfig } from "../config.ts";
import { RtrCaches } from "./rtr-caches.ts";
import { VrpFile } from "./vrp-file.ts";
import type { VrpSource } from "./vrp-source.ts";

/** Null = routes are not validated. */
export function vrpSourceOf({ vrpsFile, rtr }: CollectorConfig["rpki"], log: Logger): VrpSource | null {
  if (vrpsFile !== null) {
    return new VrpFile(vrpsFile, log);
  }
  const clockMs = () => performance.now();
  return rtr.length === 0 ? null : new RtrCaches({ addresses: rtr, log, clockMs });
}
