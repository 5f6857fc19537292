/**
 * Finds how large packets may be to reach each hop of a path. Pure: it names the probes of the next round, and takes
 * their answers.
 *
 * All hops are probed with one size at once. A router that reports what its next hop takes (RFC 1191, RFC 4443 s.3.2)
 * lowers the size for all beyond it. Where large probes are lost and short ones are not, something on the way drops
 * them in silence, and the size is searched for at the first such hop.
 */

export interface MtuProbe {
  readonly ttl: number;
  /** IP length; null = as short as it can be. */
  readonly sizeBytes: number | null;
}

export type MtuAnswer =
  | { readonly kind: "answered" }
  | { readonly kind: "tooBig"; readonly mtuBytes: number; readonly from: string }
  | { readonly kind: "lost" };

/** Why the size fell: a router reported it, or larger probes were lost and short ones were not. */
type MtuLimit = { readonly kind: "reported"; readonly by: string } | { readonly kind: "silent" };

export interface HopMtu {
  readonly ttl: number;
  /** The largest size that was answered; null where the hop stopped to answer, or answers only shorter probes. */
  readonly mtuBytes: number | null;
  /** Null where it is what the hops before take. */
  readonly limit: MtuLimit | null;
}

/**
 * Sizes to try where a router does not say what it takes (RFC 1191 s.7.1), and where usual tunnels are.
 */
const usualSizes = [
  ...[32_000, 17_914, 9000, 8166, 4352, 2002, 1500, 1492, 1480, 1460, 1440, 1420, 1400],
  ...[1380, 1360, 1340, 1320, 1300, 1280, 1006, 576, 508],
];
/** Sizes of a round of the search at one hop: a router answers some six at once (XRLIM_BURST_FACTOR of Linux). */
const triedAtOnce = 4;
/** Rounds of that search in which short probes are lost, too, before the hop counts as one that stopped to answer. */
const lostRoundsMax = 3;

type Asked = readonly (readonly [MtuProbe, MtuAnswer])[];

export class MtuSearch {
  readonly #sizeBytesMin: number;
  /** Hops without a size, ascending. */
  #open: number[];
  #size: number;
  /** Why `#size` is what it is, until a hop has it. */
  #limit: MtuLimit | null = null;
  /** At the first open hop: the largest size that was answered, and the smallest that was not. */
  #search: { low: number; high: number; lostRounds: number } | null = null;
  #isAgain = false;
  readonly #found: HopMtu[] = [];

  /** `ttls`: those that answer short probes, ascending. Sizes are IP lengths: the least to try, and the interface's. */
  constructor(ttls: readonly number[], sizeBytesMin: number, sizeBytesMax: number) {
    this.#open = [...ttls];
    this.#sizeBytesMin = sizeBytesMin;
    this.#size = sizeBytesMax;
  }

  /** Empty when all is known. */
  round(): MtuProbe[] {
    const [ttl] = this.#open;
    if (ttl === undefined) {
      return [];
    }
    const control = { ttl, sizeBytes: null };
    if (this.#search !== null) {
      return [control, ...this.#sizesBetween(this.#search).map((sizeBytes) => ({ ttl, sizeBytes }))];
    }
    const sized = { ttl, sizeBytes: this.#size };
    return this.#isAgain
      ? [control, sized, control, sized]
      : this.#open.map((each) => ({ ...sized, ttl: each }));
  }

  /** The answers to all probes of the last round. */
  take(asked: Asked): void {
    const sized = asked.filter(([{ sizeBytes }]) => sizeBytes !== null);
    const reported = sized.flatMap(([{ sizeBytes }, answer]) =>
      answer.kind === "tooBig" ? [{ ...answer, sizeBytes: sizeBytes ?? 0 }] : [],
    );
    const isShortAnswered = asked.some(([{ sizeBytes }, { kind }]) => sizeBytes === null && kind !== "lost");
    if (this.#search !== null) {
      this.#narrow(this.#search, sized, isShortAnswered);
      return;
    }
    const answered = new Set(sized.flatMap(([{ ttl }, { kind }]) => (kind === "answered" ? [ttl] : [])));
    for (const ttl of this.#open.filter((each) => answered.has(each))) {
      this.#settle(ttl, this.#size);
    }
    const wasAgain = this.#isAgain;
    this.#isAgain = false;
    const [first] = reported;
    if (first !== undefined) {
      this.#lower(first.mtuBytes, first.from);
    } else if (answered.size === 0 && wasAgain) {
      this.#afterLoss(isShortAnswered);
    } else {
      this.#isAgain = this.#open.length > 0;
    }
  }

  /** Ascending by TTL; whole when `round` is empty. */
  hops(): readonly HopMtu[] {
    return this.#found.toSorted((a, b) => a.ttl - b.ttl);
  }

  #settle(ttl: number, mtuBytes: number | null): void {
    this.#open = this.#open.filter((each) => each !== ttl);
    this.#found.push({ ttl, mtuBytes, limit: mtuBytes === null ? null : this.#limit });
    this.#limit = mtuBytes === null ? this.#limit : null;
  }

  /** A report that cannot be right (old routers say 0) is replaced by the next usual size. */
  #lower(mtuBytes: number, by: string): void {
    const isPossible = mtuBytes > 0 && mtuBytes < this.#size;
    const size = isPossible ? mtuBytes : (usualSizes.find((usual) => usual < this.#size) ?? 0);
    this.#limit = { kind: "reported", by };
    if (size < this.#sizeBytesMin) {
      // No probe is so short: the report stands for itself.
      for (const ttl of [...this.#open]) {
        this.#settle(ttl, isPossible ? size : null);
      }
    }
    this.#size = size;
  }

  #afterLoss(isShortAnswered: boolean): void {
    const [ttl] = this.#open;
    if (isShortAnswered) {
      this.#search = { low: this.#sizeBytesMin - 1, high: this.#size, lostRounds: 0 };
    } else if (ttl !== undefined) {
      this.#settle(ttl, null);
    }
  }

  #narrow(search: { low: number; high: number; lostRounds: number }, sized: Asked, isShortAnswered: boolean) {
    for (const [{ sizeBytes }, { kind }] of sized) {
      search.low = kind === "answered" ? Math.max(search.low, sizeBytes ?? 0) : search.low;
    }
    const isLost = !isShortAnswered && sized.every(([, { kind }]) => kind === "lost");
    search.lostRounds = isLost ? search.lostRounds + 1 : 0;
    for (const [{ sizeBytes }, { kind }] of isLost ? [] : sized) {
      const size = sizeBytes ?? 0;
      search.high = kind !== "answered" && size > search.low ? Math.min(search.high, size) : search.high;
    }
    const [ttl] = this.#open;
    if (ttl === undefined || (search.high - search.low > 1 && search.lostRounds < lostRoundsMax)) {
      return;
    }
    this.#search = null;
    const isFound = search.lostRounds < lostRoundsMax && search.low >= this.#sizeBytesMin;
    if (isFound) {
      this.#limit = { kind: "silent" };
      this.#size = search.low;
    }
    this.#settle(ttl, isFound ? search.low : null);
  }

  /** Usual ones first, as tunnels have them; then evenly. */
  #sizesBetween({ low, high }: { readonly low: number; readonly high: number }): number[] {
    const usual = usualSizes.filter((size) => size > low && size < high).slice(0, triedAtOnce);
    if (usual.length > 0) {
      // With the size above each that would be too big, so that a usual one ends the search at once.
      return [...new Set(usual.slice(0, triedAtOnce / 2).flatMap((size) => [size, size + 1]))].filter(
        (size) => size < high,
      );
    }
    const step = (high - low) / (triedAtOnce + 1);
    const even = Array.from({ length: triedAtOnce }, (_, i) => Math.round(low + step * (i + 1)));
    return [...new Set(even)].filter((size) => size > low && size < high);
  }
}
