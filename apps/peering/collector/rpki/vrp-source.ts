/** Where the collector has its VRPs from: a file, or caches of RTR. */
import type { VrpTable } from "../../../../lib/net/rpki/vrp-table.ts";
import type { RtrCache } from "./rtr-cache.ts";

export interface VrpSource {
  /** Null = none are known. */
  readonly table: VrpTable | null;
  /** When all of them were there last; milliseconds since 1970. */
  readonly readAtMs: number | null;
  readonly counts: { readonly failures: number };
  /** Payloads of the file in use that could not be read; a cache that sends such ends its session. */
  readonly passedOver: number;
  /** In the order of preference; none where a file is read. */
  readonly caches: readonly RtrCache[];
  /** The cache whose VRPs are used; null = none, or those of a file. */
  readonly used: RtrCache | null;
  /** Until the signal. */
  run(stop: AbortSignal): Promise<void>;
}
