/**
 * ASes on a path. A new one counts only if its branch could not have been missed before: behind a router all of whose
 * next hops are known, or before any router.
 */
import { isKnownWhole, type Nodes } from "./nodes.ts";
import type { Hops } from "./series-run.ts";

/** Null = unknown. */
export type AsnOf = (address: string) => number | null;

interface Entry {
  readonly asn: number;
  /** The last responding router before it; null = none. */
  readonly near: string | null;
}

function entriesOf(flows: readonly Hops[], asnOf: AsnOf): Entry[] {
  return flows.flatMap((hops) => {
    let near: string | null = null;
    return [...hops.values()].flatMap((router) => {
      const before = near;
      near = router ?? near;
      const asn = router === null ? null : asnOf(router);
      return asn === null ? [] : [{ asn, near: before }];
    });
  });
}

/** All ASes of the run, and those behind routers that may have unknown next hops. */
export function asesOf(flows: readonly Hops[], nodes: Nodes, asnOf: AsnOf) {
  const entries = entriesOf(flows, asnOf);
  return {
    all: entries.map(({ asn }) => asn),
    ofUnknownBranches: entries
      .filter(({ near }) => near !== null && near in nodes && !isKnownWhole(nodes[near]))
      .map(({ asn }) => asn),
  };
}

interface KnownPaths {
  readonly ases: readonly number[];
  readonly nodes: Nodes;
}

/** An AS that was in no earlier run, nor behind a branch that may have been missed; null = none. */
export function newAsOf(flows: readonly Hops[], { ases, nodes }: KnownPaths, asnOf: AsnOf): number | null {
  const fresh = entriesOf(flows, asnOf).find(
    ({ asn, near }) =>
      !ases.includes(asn) && (near === null || !(near in nodes) || isKnownWhole(nodes[near])),
  );
  return fresh?.asn ?? null;
}
