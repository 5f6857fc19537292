/**
 * The input of a path graph: a path in the form of `vantage replies -v paths -o json`, the gateway's API and
 * `vantage trace -o json`.
 */
export interface PicturedPath {
  readonly agent: string;
  /** The address of the destination. */
  readonly address: string;
  readonly reached: boolean;
  readonly hops: readonly PicturedHop[];
}

export interface PicturedHop {
  readonly ttl: number;
  readonly routers: readonly PicturedRouter[];
  /** Further responding routers that a limit has left out. */
  readonly more_routers?: number | undefined;
}

export interface PicturedRouter {
  /** Null = no reply. */
  readonly address: string | null;
  readonly name: string | null;
  /** Indexes of the path's flows. */
  readonly flows: readonly number[];
  readonly probes: number;
  readonly answered: number;
  readonly rtt_median_ms: number | null;
  readonly mpls_labels: readonly unknown[];
  /** The meaning of an unusual reply, in words. */
  readonly says: string;
  /** What a NAT has changed in the probes that it received. */
  readonly rewritten?: readonly string[] | undefined;
  /** Sources that are quoted in place of the probes' own. */
  readonly quoted_sources?: readonly string[] | undefined;
  /** The address's owner, if context was requested. */
  readonly asn?: number | null | undefined;
  readonly as_name?: string | null | undefined;
}
