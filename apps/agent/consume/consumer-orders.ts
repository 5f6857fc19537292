/** What the main thread tells the consumer while it runs. */
import type { Prefix } from "../../../lib/ip/prefix.ts";
import type { DestinationFiles } from "./destinations.ts";
import type { ProgressReport } from "./measurement-progress.ts";

export type ConsumerOrder =
  /** Of each instance, in the order of the configuration: from now on these are its sources. */
  | { readonly kind: "sources"; readonly prefixes: readonly (readonly Prefix[])[] }
  /** Nothing more of these leaves. */
  | { readonly kind: "cancel"; readonly measurementIds: readonly string[] }
  /** Read these lists again. */
  | { readonly kind: "destinations"; readonly files: DestinationFiles };

/** What it says itself: the measurements whose figures are new. */
export interface ConsumerNews {
  readonly progress: readonly ProgressReport[];
}
