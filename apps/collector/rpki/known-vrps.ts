/** What the collector knows of ROAs, wherever it has it from. */
import type { VrpTable } from "../../../lib/rpki/vrp-table.ts";

export interface KnownVrps {
  /** Null = none are known yet, or what was known has expired. */
  readonly table: VrpTable | null;
  /** When all that is in it was there last; milliseconds since 1970. */
  readonly readAtMs: number | null;
  readonly counts: { readonly failures: number };
  run(stop: AbortSignal): Promise<void>;
}
