/** What came of a path in its router's policy: the table in `live-table.ts` says when. */
import type { LivePath } from "./live-path.ts";
import type { LivePeers, Source } from "./live-peers.ts";
import type { PathRow } from "./path-rows.ts";
import type { PathStore } from "./path-store.ts";

type Verdict = Pick<LivePath, "verdict" | "reason">;

interface VerdictParts {
  /** By large community, `asn:first:second`. */
  readonly reasons: ReadonlyMap<string, string>;
  readonly store: Pick<PathStore, "attributesOf">;
  readonly peers: Pick<LivePeers, "sourceOf" | "hasPostPolicy">;
}

export class Verdicts {
  readonly #parts: VerdictParts;

  constructor(parts: VerdictParts) {
    this.#parts = parts;
  }

  /** `all`: the paths to the same prefix. */
  of({ peer, table }: Source, row: PathRow, all: readonly PathRow[]): Verdict {
    if (table !== "in" && table !== "in-post-policy") {
      return { verdict: null, reason: null };
    }
    const taken = this.#parts.peers.sourceOf(peer, "in-post-policy")?.id;
    const after = all.find(({ source, pathId }) => source === taken && pathId === row.pathId);
    const reason = this.#reasonOf(row) ?? (after === undefined ? null : this.#reasonOf(after));
    if (reason !== null || after !== undefined) {
      return { verdict: reason === null ? "accepted" : "rejected", reason };
    }
    return { verdict: this.#parts.peers.hasPostPolicy(peer.router) ? "rejected" : "unknown", reason };
  }

  /** That of the first large community that has one. */
  #reasonOf(row: PathRow): string | null {
    const { reasons, store } = this.#parts;
    if (reasons.size === 0) {
      return null;
    }
    const found = store.attributesOf(row).largeCommunities.map((one) => reasons.get(one.join(":")));
    return found.find((one) => one !== undefined) ?? null;
  }
}
