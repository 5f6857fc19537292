/** Messages from the main thread to the running consumer. */

import type { HostHold } from "../../../../lib/measuring/probing/host-hold.ts";
import type { Prefix } from "../../../../lib/net/ip/prefix.ts";
import type { DestinationFiles } from "./destinations.ts";
import type { ProgressReport } from "./measurement-progress.ts";

export type ConsumerOrder =
  /** The new source prefixes of each instance, in the order of the configuration. */
  | { readonly kind: "sources"; readonly prefixes: readonly (readonly Prefix[])[] }
  /** Measurements to stop. */
  | { readonly kind: "cancel"; readonly measurementIds: readonly string[] }
  /** Whether the agent's host lets it send; null = it does. */
  | { readonly kind: "hostHold"; readonly hold: HostHold | null }
  /** Lists to read again. */
  | { readonly kind: "destinations"; readonly files: DestinationFiles };

/** Messages from the consumer: the measurements whose figures have changed. */
export interface ConsumerUpdate {
  readonly progress: readonly ProgressReport[];
}
