/** A graph of routers and links, as the view `graph` has it, as far as it is drawn. Pure. */

export interface PicturedNode {
  readonly id: string;
  /** The lowest at which it answered. */
  readonly ttl: number;
  /** Null: a silent hop. */
  readonly address: string | null;
  readonly flows: number;
  readonly rtt_median_ms?: number | null;
  readonly mpls_labels?: readonly unknown[];
  readonly is_destination?: boolean;
  readonly name?: string | null;
  readonly asn?: number | null;
  readonly as_name?: string | null;
  /** What it stands for, where that is not one router. */
  readonly kind?: "folded" | "as";
}

export interface PicturedLink {
  /** Ids of nodes. */
  readonly from: string;
  readonly to: string;
  readonly flows: number;
  /** Where two measurements are compared. */
  readonly state?: "appeared" | "gone" | "both";
}

export interface PicturedGraph {
  readonly nodes: readonly PicturedNode[];
  readonly links: readonly PicturedLink[];
  /** Whether there are more. */
  readonly is_cut: boolean;
}

/** What a reader calls a node: its address, or its AS, or words. */
export function labelOf({ id, address, kind }: PicturedNode): string {
  return kind === undefined ? (address ?? "no answer") : id;
}
