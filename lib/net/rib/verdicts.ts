/** The router's policy verdict on a path, by the table in `live-table.ts`. */
import type { Prefix } from "../ip/prefix.ts";
import type { LivePath } from "./live-path.ts";
import type { LivePeers, Source } from "./live-peers.ts";
import type { PathRow } from "./path-rows.ts";
import type { PathStore } from "./path-store.ts";
import type { Refusals } from "./refusals.ts";

type Verdict = Pick<LivePath, "verdict" | "reason">;

interface VerdictParts {
  /** By large community, `asn:first:second`. */
  readonly reasons: ReadonlyMap<string, string>;
  readonly store: Pick<PathStore, "attributesOf">;
  readonly peers: Pick<LivePeers, "sourceOf" | "hasPostPolicy">;
  readonly refusals: Refusals;
}

interface Around {
  readonly prefix: Prefix;
  readonly all: readonly PathRow[];
}

export class Verdicts {
  readonly #parts: VerdictParts;

  constructor(parts: VerdictParts) {
    this.#parts = parts;
  }

  /** `all`: the paths to the same prefix. */
  of({ peer, table }: Source, row: PathRow, { prefix, all }: Around): Verdict {
    if (table !== "in" && table !== "in-post-policy") {
      return { verdict: null, reason: null };
    }
    const taken = this.#parts.peers.sourceOf(peer, "in-post-policy")?.id;
    const after = all.find(({ source, pathId }) => source === taken && pathId === row.pathId);
    const reason = this.#reasonOf(row) ?? (after === undefined ? null : this.#reasonOf(after));
    if (reason !== null || after !== undefined) {
      return { verdict: reason === null ? "accepted" : "rejected", reason };
    }
    return this.#parts.peers.hasPostPolicy(peer.router)
      ? { verdict: "rejected", reason }
      : this.#bySaying(peer, row, prefix);
  }

  /** For routers that do not send their post-policy table, but can list what they refused. */
  #bySaying({ router, address }: Source["peer"], row: PathRow, prefix: Prefix): Verdict {
    // With several paths of a peer, it is unknown which one was refused.
    const reason =
      row.pathId === null
        ? this.#parts.refusals.reasonOf(router, { peer: address, prefix, changedUs: row.changedUs })
        : undefined;
    return reason === undefined ? { verdict: "unknown", reason: null } : { verdict: "rejected", reason };
  }

  /** The reason of the first large community that has one. */
  #reasonOf(row: PathRow): string | null {
    const { reasons, store } = this.#parts;
    if (reasons.size === 0) {
      return null;
    }
    const found = store.attributesOf(row).largeCommunities.map((one) => reasons.get(one.join(":")));
    return found.find((one) => one !== undefined) ?? null;
  }
}
