/**
 * Finds lists of targets with addresses of an AS, by the newest set of context: the AS of each address as the views
 * show it with `with=asn`. A list keeps the networks of many targets; of each, addresses across it are looked up.
 */
import type { Fragment } from "postgres";
import { problem } from "../../../../lib/engines/http/problem.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import type { ContextSet } from "../../../../lib/measuring/context/context-set.ts";
import { ContextSets } from "../../../../lib/measuring/context/disk/context-sets.ts";
import { addBits, parsePrefix } from "../../../../lib/net/ip/prefix.ts";
import type { ProbingGatewayConfig } from "../config.ts";
import { targetListsMax } from "../limits.ts";

/** Lists read at once: some 1 MB. */
const listsOfPage = 100;
/** Up to 16 addresses of a network, one for each value of its next bits. */
const sampleBits = 4;

export class AsTargets {
  readonly #sets: ContextSets | null;
  /** What `#known` is by. */
  #set: ContextSet | null = null;
  /** ASes of lists, which never change, by their hash; at most `targetListsMax`. */
  readonly #known = new Map<string, ReadonlySet<number>>();

  constructor({ context: { dir } }: Pick<ProbingGatewayConfig, "context">) {
    this.#sets = dir === null ? null : new ContextSets(dir);
  }

  /**
   * Hashes in hex of the lists with addresses of the AS. `candidates`: a condition on `target_sets AS sets`. Throws
   * Problem 400 without a set of context, and for too many lists.
   */
  async listsOf({ sql, timed }: Database, asn: number, candidates: Fragment): Promise<readonly string[]> {
    const set = this.#newest();
    const rows = await timed(
      "target_lists",
      () => sql<{ hash: string }[]>`
        SELECT DISTINCT encode(sets.target_set, 'hex') AS hash FROM target_sets AS sets
        WHERE ${candidates} LIMIT ${targetListsMax + 1}`,
    );
    if (rows.length > targetListsMax) {
      throw problem(
        400,
        "too_many_target_lists",
        `Cannot search more than ${targetListsMax} lists of targets by AS: narrow it by since= and until=`,
      );
    }
    const hashes = rows.map(({ hash }) => hash);
    const asesOf = new Map(hashes.flatMap((hash) => this.#knownOf(hash)));
    const unknown = hashes.filter((hash) => !asesOf.has(hash));
    for (let first = 0; first < unknown.length; first += listsOfPage) {
      const page = unknown.slice(first, first + listsOfPage);
      const lists = await timed(
        "target_lists_read",
        () => sql<{ hash: string; targets: string[] }[]>`
          SELECT DISTINCT ON (target_set) encode(target_set, 'hex') AS hash, targets::text[] AS targets
          FROM target_sets AS sets
          WHERE ${candidates} AND target_set IN (SELECT decode(one, 'hex') FROM unnest(${page}::text[]) AS one)`,
      );
      for (const { hash, targets } of lists) {
        asesOf.set(hash, asesIn(set, targets));
      }
    }
    this.#remember(set, asesOf);
    return hashes.filter((hash) => asesOf.get(hash)?.has(asn) === true);
  }

  #newest(): ContextSet {
    this.#sets?.refresh();
    const dated = this.#sets?.forDay(new Date().toISOString().slice(0, 10)) ?? null;
    if (dated === null) {
      throw problem(
        400,
        "no_context",
        "Cannot search by AS: this gateway has no set of context; leave out asn=, or ask its operator for one " +
          "(vantage context update, context.dir)",
      );
    }
    if (dated.set !== this.#set) {
      this.#known.clear();
      this.#set = dated.set;
    }
    return dated.set;
  }

  #knownOf(hash: string): [string, ReadonlySet<number>][] {
    const ases = this.#known.get(hash);
    return ases === undefined ? [] : [[hash, ases]];
  }

  /** Another request may have found a newer set meanwhile. */
  #remember(set: ContextSet, asesOf: ReadonlyMap<string, ReadonlySet<number>>): void {
    if (set !== this.#set) {
      return;
    }
    if (this.#known.size + asesOf.size > targetListsMax) {
      this.#known.clear();
    }
    for (const [hash, ases] of asesOf) {
      this.#known.set(hash, ases);
    }
  }
}

/** The AS numbers of the addresses and networks, as PostgreSQL writes them. */
function asesIn(set: ContextSet, targets: readonly string[]): ReadonlySet<number> {
  const samples = targets.flatMap(addressesIn);
  const asns = new Uint32Array(samples.length);
  const addresses = new Uint8Array(16 * samples.length);
  samples.forEach((address, i) => {
    addresses.set(address, 16 * i);
  });
  set.asnsOf(addresses, asns);
  return new Set(asns.filter((asn) => asn !== 0));
}

function addressesIn(target: string): Uint8Array[] {
  const prefix = parsePrefix(target);
  if (prefix === null) {
    return [];
  }
  const { base, length, family } = prefix;
  const first = family === 4 ? length + 96 : length;
  const bits = Math.min(sampleBits, 128 - first);
  return Array.from({ length: 2 ** bits }, (_, value) => {
    const address = base.slice();
    addBits(address, value, first + bits);
    return address;
  });
}
