/** The view of path MTUs on the probes of `MtuSearch` over paths by chance: it finds what the search has found. */
import { expect } from "bun:test";
import fc from "fast-check";
import { type MtuAnswer, type MtuProbe, MtuSearch } from "../../../lib/measuring/paths/mtu-search.ts";
import type { RawProbe, RawReply, RawRows } from "./raw-rows.ts";

const [sizeMin, sizeMax] = [314, 1500];

interface Link {
  readonly mtu: number;
  readonly reports: boolean;
}

const link: fc.Arbitrary<Link> = fc.record({
  mtu: fc.constantFrom(sizeMax, sizeMax, 1492, 1480, 1400, 1333, 1280, 600),
  reports: fc.boolean(),
});

/** Where routers are, by family; link i leads to router i + 1, and router i reports what it takes. */
const places = {
  4: {
    source: "192.0.2.1",
    destination: "203.0.113.9",
    router: (i: number) => `198.51.100.${i + 1}`,
    head: 0,
  },
  6: {
    source: "2001:db8:a::1",
    destination: "2001:db8:9::9",
    router: (i: number) => `2001:db8:51::${i + 1}`,
    head: 40,
  },
} as const;
type Family = keyof typeof places;

const shortBytes = 60;

/** What came of each probe of a search, as rows; `isLost` loses some by chance. */
class PlayedPath {
  readonly probes: RawProbe[] = [];
  readonly replies: RawReply[] = [];
  readonly #measurement: string;
  readonly #family: Family;
  readonly #links: readonly Link[];
  readonly #startMs = Date.now() - 3_700_000;

  constructor(measurement: string, family: Family, links: readonly Link[]) {
    this.#measurement = measurement;
    this.#family = family;
    this.#links = links;
  }

  ask({ ttl, sizeBytes }: MtuProbe, isLost = false): MtuAnswer {
    const { source, destination, router, head } = places[this.#family];
    const index = this.probes.length;
    const flow = { destination, protocol: 17, srcPort: 24_000, dstPort: 33_434, ttl };
    const size = sizeBytes === null ? {} : { sizeBytes };
    const sent = { measurement: this.#measurement, agent: "west", source, ...flow };
    this.probes.push({ ...sent, ...size, index, timeMs: this.#startMs });
    const narrow = this.#links.findIndex(({ mtu }, i) => i < ttl && (sizeBytes ?? 0) > mtu);
    const tight = this.#links[narrow];
    if (isLost || tight?.reports === false) {
      return { kind: "lost" };
    }
    const isV4 = this.#family === 4;
    const expired = isV4 ? [11, 0] : [3, 0];
    const tooBig = isV4 ? [3, 4] : [2, 0];
    const [icmpType = 0, icmpCode = 0] = tight === undefined ? expired : tooBig;
    const from = router(tight === undefined ? ttl : narrow);
    this.replies.push({
      ...{ ...sent, sender: "west", instance: 0, labels: [], from, icmpType, icmpCode },
      ...{ timeNs: BigInt(this.#startMs) * 1_000_000n + BigInt(index) * 1_000_000n, rttTenthMs: 10 },
      ...{ replyProtocol: isV4 ? 1 : 58, nextHopMtu: tight?.mtu ?? 0 },
      probeSize: (sizeBytes ?? shortBytes + head) - head,
    });
    return tight === undefined ? { kind: "answered" } : { kind: "tooBig", mtuBytes: tight.mtu, from };
  }

  rows(): RawRows {
    return { probes: this.probes, replies: this.replies };
  }
}

type Shown = (rows: RawRows) => Promise<readonly unknown[]>;

export async function checkMtu(measurement: string, shown: Shown): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<Family>(4, 6),
      fc.array(link, { minLength: 1, maxLength: 8 }),
      async (family, links) => {
        const path = new PlayedPath(measurement, family, links);
        const ttls = links.map((_, i) => i + 1);
        const search = new MtuSearch(ttls, sizeMin, sizeMax);
        // As a trace before it.
        for (const ttl of ttls.flatMap((each) => [each, each, each])) {
          path.ask({ ttl, sizeBytes: null });
        }
        for (let round = search.round(); round.length > 0; round = search.round()) {
          search.take(round.map((probe) => [probe, path.ask(probe)] as const));
        }
        const { router, destination } = places[family];
        expect(await shown(path.rows())).toMatchObject(
          search.hops().map(({ ttl, mtuBytes, limit }) => ({
            ...{ agent: "west", destination, protocol: "UDP", ttl, router: router(ttl), mtu_bytes: mtuBytes },
            limit: limit?.kind ?? null,
            reported_by: limit?.kind === "reported" ? limit.by : null,
            reported_mtu_bytes: limit?.kind === "reported" ? mtuBytes : null,
          })),
        );
      },
    ),
    { numRuns: 4, endOnFailure: true },
  );
  await checkUnclear(measurement, shown);
}

/** Large probes that are lost where short ones are lost as often say nothing; nor do two. */
async function checkUnclear(measurement: string, shown: Shown): Promise<void> {
  for (const [short, large, limit] of [
    ["......", "xxx", "silent"],
    ["......", "xx", "unclear"],
    ["x.x.x.", "xxx", "unclear"],
    ["x.x.x.", "xxxxxx", "silent"],
    ["xxxxxx", "xxx", null],
  ] as const) {
    const path = new PlayedPath(measurement, 4, [{ mtu: 1500, reports: true }]);
    for (const [size, lost] of [...[...short].map((x) => [null, x]), ...[...large].map((x) => [1400, x])]) {
      path.ask({ ttl: 1, sizeBytes: typeof size === "number" ? size : null }, lost === "x");
    }
    expect(await shown(path.rows())).toMatchObject([{ mtu_bytes: null, limit, larger_lost: large.length }]);
  }
}
