/** The wings of the house: what lies in each, and in which order they build on each other. */

export interface Wing {
  readonly path: string;
  /** For readers, in Markdown. */
  readonly holds: string;
  /** Wings of `lib` import those of lower rows only; wings of one row do not import each other. */
  readonly row: number;
}

export const wings: readonly Wing[] = [
  { path: "lib/base", holds: "files, text, tables, failures: nothing of networks", row: 0 },
  { path: "lib/net", holds: "addresses, packets, wire formats, BGP, BMP, RPKI", row: 1 },
  {
    path: "lib/measuring",
    holds: "probes, discovery, campaigns, experiments, and what results mean",
    row: 2,
  },
  { path: "lib/peering", holds: "leases, policies, routing daemons", row: 2 },
  { path: "lib/engines", holds: "broker, stores, HTTP, logins, and the frame of every service", row: 3 },
  { path: "lib/answers", holds: "the views of results, and what is known about their addresses", row: 4 },
  { path: "lib/command", holds: "the frame of every command, and the checks of `vantage doctor`", row: 5 },
];

/** The wing of a file of `lib`; null elsewhere. */
export function wingOf(path: string): Wing | null {
  return wings.find((wing) => path.startsWith(`${wing.path}/`)) ?? null;
}

/** Folders of apps, which may import `lib`. */
export const appWings: readonly Pick<Wing, "path" | "holds">[] = [
  { path: "apps/user", holds: "commands of users" },
  { path: "apps/operator", holds: "commands of operators" },
  { path: "apps/probing", holds: "agents and the gateway of probing" },
  {
    path: "apps/peering",
    holds: "the gateway of peering, exchange servers, a user's client, the BMP collector",
  },
  { path: "apps/console", holds: "the pages of both gateways" },
  { path: "apps/stack", holds: "all of it on one machine" },
];
