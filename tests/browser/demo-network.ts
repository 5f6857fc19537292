/** What pictures of the pages show: a network that balances load, falls silent and loses a little, and who runs it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { update } from "../../apps/user/context/update.ts";
import type { ProbeGiven, ReplyGiven } from "../contract/client/store-rows.ts";

const source = "192.0.2.1";
const target = "203.0.113.10";
const flows = 16;
const rounds = 40;
const roundMs = 30_000;

/** Which routers answer at a TTL, by flow; null = none does. What is behind an address is its median in 0.1 ms. */
const ranks: readonly (readonly (readonly [address: string, rttTenthMs: number] | null)[])[] = [
  [["198.51.100.1", 4]],
  [
    ["198.51.100.65", 21],
    ["198.51.100.66", 24],
  ],
  [["198.51.100.70", 46], ["198.51.100.71", 48], ["198.51.100.72", 61], null],
  [
    ["198.51.100.129", 92],
    ["198.51.100.130", 118],
  ],
  [[target, 144]],
];
const labels = [[24_015, 0, 1, 254]] as const;
/** One in so many probes to the fourth TTL is lost. */
const lostEvery = 11;

export interface DemoOptions {
  /** Default now. */
  readonly endMs?: number;
  readonly slowerTenthMs?: number;
  /** Some answers of the target come in at another agent, which announces the source too. */
  readonly isAnycast?: boolean;
  /** Routers from the third hop on quote another source: there is a NAT before them. */
  readonly hasNat?: boolean;
}

/** Bits for source and checksum: docs/measure/shape.md. */
const natColumns = { reply_rewritten: 9, reply_quoted_src_addr: "::ffff:203.0.113.77" };
const natTtl = 3;

/** Probes and answers of a measurement. */
export function demoRows(measurement: string, options: DemoOptions) {
  const { endMs = Date.now(), slowerTenthMs = 0, isAnycast = false, hasNat = false } = options;
  const probes: ProbeGiven[] = [];
  const replies: ReplyGiven[] = [];
  for (let round = 0; round < rounds; round++) {
    for (let flow = 0; flow < flows; flow++) {
      for (const [i, rank] of ranks.entries()) {
        const common = { measurement, agent: "west", source, destination: target, srcPort: 24_000 + flow };
        const timeMs = endMs - (rounds - round - flow / flows) * roundMs + i;
        probes.push({ ...common, ttl: i + 1, index: probes.length, timeMs });
        const router = rank[Math.floor((flow * rank.length) / flows)];
        const isLost = i === 3 && (round * flows + flow) % lostEvery === 0;
        if (router != null && !isLost) {
          const [from, median] = router;
          const rttTenthMs = median + slowerTenthMs + noise(round * 97 + flow * 31 + i, median);
          const icmp = from === target ? { icmp: [3, 3] as const } : {};
          const agent = isAnycast && i === ranks.length - 1 && flow > 10 ? "amsterdam" : "west";
          const told = {
            ...(i === 3 ? { labels } : {}),
            ...(hasNat && i + 1 >= natTtl ? { columns: natColumns } : {}),
          };
          replies.push({
            ...common,
            ...icmp,
            ...told,
            agent,
            sender: "west/0",
            ttl: i + 1,
            from,
            rttTenthMs,
            timeMs,
          });
        }
      }
    }
  }
  return { probes, replies };
}

/** Pings by two agents to a name server with three sites. */
export function siteRows(measurement: string) {
  const nowMs = Date.now();
  const sites = { west: ["sea1.example", "sea1.example", "pdx2.example"], amsterdam: ["ams3.example"] };
  const rows = Object.entries(sites).flatMap(([agent, names]) =>
    Array.from({ length: 30 }, (_, index) => ({
      given: {
        ...{ measurement, agent, source, destination: "192.0.2.53", srcPort: 24_000, ttl: 64 },
        index,
      },
      site: names[index % names.length] ?? "",
    })),
  );
  return {
    probes: rows.map(({ given }): ProbeGiven => given),
    replies: rows.map(({ given, site }, i): ReplyGiven => {
      const columns = { reply_protocol: 17, reply_site: site, probe_dst_port: 53 };
      return {
        ...given,
        from: given.destination,
        rttTenthMs: 80 + (i % 7),
        icmp: [0, 0],
        timeMs: nowMs,
        columns,
      };
    }),
  };
}

/** The same for the same seed: mostly small, now and then a queue. */
function noise(seed: number, median: number): number {
  const dice = (Math.imul(seed + 1, 2_654_435_761) >>> 0) / 2 ** 32;
  return Math.round(dice > 0.97 ? median * 3 * dice : median * 0.2 * dice);
}

const files = {
  "origins.dat":
    "198.51.100.0/26\t64496\n198.51.100.64/26\t64497\n198.51.100.128/26\t64498\n203.0.113.0/24\t64499\n",
  "names.json": JSON.stringify({
    net: {
      data: [
        { asn: 64496, name: "WEST-FIBRE" },
        { asn: 64497, name: "TRANSIT-ONE" },
        { asn: 64498, name: "LOWLANDS-NET" },
        { asn: 64499, name: "EXAMPLE-CLOUD" },
      ],
    },
  }),
  "places.csv":
    "network,country,country_code,continent,continent_code,asn,as_name,as_domain\n" +
    "198.51.100.0/26,Portugal,PT,Europe,EU,AS64496,,\n" +
    "198.51.100.64/26,France,FR,Europe,EU,AS64497,,\n" +
    "198.51.100.128/26,Netherlands,NL,Europe,EU,AS64498,,\n" +
    "203.0.113.0/24,Germany,DE,Europe,EU,AS64499,,\n",
} as const;

/** A set of context that knows the network. */
export class DemoSet implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "vantage-demo-set-"));

  static async make(): Promise<DemoSet> {
    const set = new DemoSet();
    const paths = Object.entries(files).map(([name, text]) => {
      const file = join(set.path, `.${name}`);
      writeFileSync(file, text);
      return file;
    });
    await update({ dir: set.path, date: "2026-01-31", keepPrivate: true, files: paths, note: () => {} });
    return set;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
