/** The part of the view `graph` that is drawn: routers and links. Pure. */

export interface PicturedNode {
  readonly id: string;
  /** The lowest TTL at which it replied. */
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
  /** Set where the node is not one router. */
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
  /** Whether nodes or links were left out. */
  readonly is_cut: boolean;
}

/** The name of a node: its address, its AS, or words. */
export function labelOf({ id, address, kind }: PicturedNode): string {
  return kind === undefined ? (address ?? "no answer") : id;
}
