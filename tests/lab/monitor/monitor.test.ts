/** What is read of BGP, from MRT of BIRD and from BMP of FRR, is what the speaker has told; bgpdump reads the same. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import type { RouteUpdate } from "../../../lib/net/wire/route-update.ts";
import { updatesTopic } from "../../../lib/net/wire/target-header.ts";
import { decodeUpdates } from "../../../lib/net/wire/update-codec.ts";
import { until } from "../../exchange/until.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { run } from "../namespaces.ts";
import { bmpRouter, MonitorLab, mrtRouter } from "./monitor-lab.ts";
import { links, listenerAsn, speakerAsn } from "./monitor-net.ts";
import { told } from "./told.ts";

const limitMs = 120_000;
const isKept = (index: number) => index % 4 < 2;

interface Row {
  readonly time: string;
  readonly table: string;
  readonly peer_addr: string;
  readonly peer_asn: number;
  readonly event: string;
  readonly prefix: string | null;
  readonly as_path: readonly number[];
  readonly next_hop: string | null;
  readonly origin: string | null;
  readonly multi_exit_disc: number;
  readonly communities: readonly (readonly number[])[];
  readonly large_communities: readonly (readonly number[])[];
}

let lab: MonitorLab;
beforeAll(async () => {
  lab = await MonitorLab.start();
});
afterAll(() => lab[Symbol.asyncDispose]());

/** A file that is still written may end within a record: what is before it counts. */
async function rowsOf(file: string): Promise<Row[]> {
  const child = Bun.spawn([...vantageCommand, "routes", "read", "-o", "ndjson", file], {
    stderr: "ignore",
  });
  const text = await new Response(child.stdout).text();
  return text
    .trim()
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Row]));
}

interface Status {
  readonly peers: readonly {
    readonly router: string;
    readonly tables: readonly { readonly paths: number; readonly complete: readonly number[] }[];
  }[];
  readonly gaps: readonly { readonly router: string; readonly to: string | null; readonly reason: string }[];
}

interface LookedUp {
  readonly router: string;
  readonly table: string;
  readonly verdict: string;
  readonly communities: readonly { readonly value: string }[];
}

async function statusOf(): Promise<Status> {
  return JSON.parse(await lab.collectorStatus()) as Status;
}

/** What the collector has published, of one router. */
async function publishedOf(router: string): Promise<RouteUpdate[]> {
  await using broker = await openBroker(lab.broker);
  await using subscription = await broker.subscribe(`test-${router}`, [updatesTopic]);
  const updates: RouteUpdate[] = [];
  for (;;) {
    const records = await subscription.next({ recordsMax: 1000, waitMs: 100 });
    if (records.length === 0) {
      return updates.filter(({ routerAddr }) => formatAddress(routerAddr) === router);
    }
    updates.push(
      ...records.flatMap(({ value }) =>
        [...decodeUpdates(value)].flatMap((one) => (one.ok ? [one.update] : [])),
      ),
    );
  }
}

const prefixText = ({ prefixAddr, prefixLen }: RouteUpdate) => `${formatAddress(prefixAddr)}/${prefixLen}`;

const ofTable = (rows: readonly Row[], table: string) => rows.filter((row) => row.table === table);
const withEvent = (rows: readonly Row[], event: string) => rows.filter((row) => row.event === event);
const prefixes = (rows: readonly Row[]) => new Set(rows.map(({ prefix }) => prefix));

/** The routes that stand after all events, as the speaker has told them. */
function standing(rows: readonly Row[]) {
  const routes = new Map<string, object>();
  for (const row of rows) {
    if (row.prefix !== null && row.event === "announce") {
      const { prefix, as_path, multi_exit_disc, communities, large_communities, origin } = row;
      const rest = { communities, largeCommunities: large_communities, origin };
      routes.set(prefix, { prefix, asPath: as_path, med: multi_exit_disc, ...rest });
    } else if (row.prefix !== null) {
      routes.delete(row.prefix);
    }
  }
  return [...routes.values()];
}

const byPrefix = (routes: readonly object[]) =>
  Object.fromEntries((routes as { prefix: string }[]).map((route) => [route.prefix, route]));

/** As FRR 8.4 passes them on: encoded anew, with its own AS before the others. */
const passedOn = (routes: readonly (typeof told)[number][]) =>
  byPrefix(routes.map((route) => ({ ...route, asPath: [listenerAsn, ...route.asPath] })));

test(
  "each route is there with all that the speaker says of it, and goes when it is withdrawn",
  async () => {
    await lab.startCollector();
    await lab.tell(() => true);
    const all = byPrefix(told);
    const tables = ["in", "in-post-policy"];
    await until(
      "all routes",
      async () => {
        const [mrt, bmp] = [await rowsOf(lab.mrt), await rowsOf(lab.bmp)];
        expect(byPrefix(standing(mrt))).toEqual(all);
        for (const table of tables) {
          expect(byPrefix(standing(ofTable(bmp, table)))).toEqual(passedOn(told));
        }
        return true;
      },
      limitMs,
    );
    await until("the collector's table", async () => (await lab.pathsOf(mrtRouter)) === told.length, limitMs);
    await until(
      "the router's tables",
      async () => (await lab.pathsOf(bmpRouter)) === 2 * told.length,
      limitMs,
    );
    for (const { prefix, communities, largeCommunities } of told.slice(0, 4)) {
      const found: LookedUp[] = JSON.parse(await lab.lookup(prefix));
      // BIRD's file has no table after the policy, so nobody knows what it made of it.
      expect(found.map(({ router, table, verdict }) => [router, table, verdict])).toEqual(
        expect.arrayContaining([
          [mrtRouter, "in", "unknown"],
          [bmpRouter, "in", "accepted"],
          [bmpRouter, "in-post-policy", "accepted"],
        ]),
      );
      expect(found).toHaveLength(3);
      const values = [...communities, ...largeCommunities].map((parts) => parts.join(":"));
      for (const { communities: shown } of found) {
        expect(shown.map(({ value }) => value)).toEqual(values);
      }
    }
    await lab.killCollector();
    await lab.tell(isKept);
    const kept = told.filter((_, i) => isKept(i));
    const gone = new Set(told.flatMap(({ prefix }, i) => (isKept(i) ? [] : [prefix])));
    await until(
      "the withdrawals",
      async () => {
        const [mrt, bmp] = [await rowsOf(lab.mrt), await rowsOf(lab.bmp)];
        expect(byPrefix(standing(mrt))).toEqual(byPrefix(kept));
        for (const table of tables) {
          expect(byPrefix(standing(ofTable(bmp, table)))).toEqual(passedOn(kept));
        }
        for (const rows of [mrt, ...tables.map((table) => ofTable(bmp, table))]) {
          expect(prefixes(withEvent(rows, "withdraw"))).toEqual(gone);
        }
        return true;
      },
      limitMs,
    );
  },
  3 * limitMs,
);

test("both name the peer and its session; the collector hears the end of its table", async () => {
  const [mrt, bmp] = [await rowsOf(lab.mrt), await rowsOf(lab.bmp)];
  for (const [rows, { near }] of [
    [mrt, links.collector],
    [ofTable(bmp, "in"), links.router],
  ] as const) {
    // FRR says of a peer that has never been up that it is down.
    const [first] = withEvent(rows, "peer-up");
    expect(first).toMatchObject({ peer_addr: near, peer_asn: speakerAsn });
  }
  expect(withEvent(mrt, "table-end")).not.toEqual([]);
  // Extended next hops (RFC 8950): IPv4 routes over the one session.
  expect(new Set(withEvent(mrt, "announce").map((row) => row.next_hop))).toEqual(
    new Set([links.collector.near]),
  );
});

test("bgpdump reads the same lines of the file of MRT", async () => {
  const lines = (await run(["bgpdump", "-m", "-u", lab.mrt])).trim().split("\n");
  const theirs = lines.flatMap((line) => {
    const [, time, kind, peer, asn, prefix, path, origin, hop, , med, communities] = line.split("|");
    return kind === "A"
      ? [[time, "announce", peer, asn, prefix, path, origin, hop, med, communities].join("|")]
      : kind === "W"
        ? [[time, "withdraw", peer, asn, prefix].join("|")]
        : [];
  });
  const ours = (await rowsOf(lab.mrt)).flatMap((row) => {
    const time = Math.floor(Date.parse(row.time) / 1000);
    const head = [time, row.event, row.peer_addr, row.peer_asn, row.prefix];
    const communities = row.communities.map((parts) => parts.join(":")).join(" ");
    return row.event === "announce"
      ? [
          [...head, row.as_path.join(" "), row.origin, row.next_hop, row.multi_exit_disc, communities].join(
            "|",
          ),
        ]
      : row.event === "withdraw"
        ? [head.join("|")]
        : [];
  });
  expect(ours.length).toBeGreaterThan(told.length);
  expect(ours).toEqual(theirs);
});

test(
  "the collector, killed before the withdrawals, has each line that bgpdump reads, and says its gap",
  async () => {
    const kept = told.filter((_, i) => isKept(i));
    await lab.startCollector();
    await until("BIRD's file", async () => (await lab.pathsOf(mrtRouter)) === kept.length, limitMs);
    await until("FRR's tables", async () => (await lab.pathsOf(bmpRouter)) === 2 * kept.length, limitMs);
    const { gaps } = await statusOf();
    // The file was read on where it was left: only of FRR something was not heard.
    expect(gaps).toMatchObject([
      { router: bmpRouter, to: expect.any(String), reason: "the collector was not running" },
    ]);
    await lab.killCollector();

    const lines = (await run(["bgpdump", "-m", "-u", lab.mrt]))
      .trim()
      .split("\n")
      .map((line) => line.split("|"));
    const theirs = lines
      .filter(([, , kind]) => kind === "A" || kind === "W")
      .map(([, time, kind, peer, asn, prefix, path]) =>
        [time, kind, peer, asn, prefix, path ?? ""].join("|"),
      );
    const ours = (await publishedOf(mrtRouter)).map((one) =>
      [
        ...[one.timeBmpHeaderNs / 1_000_000_000n, one.announced ? "A" : "W", formatAddress(one.peerAddr)],
        ...[one.peerAsn, prefixText(one), one.asPath.join(" ")],
      ].join("|"),
    );
    expect(ours).toEqual(theirs);

    const gone = told.flatMap(({ prefix }, i) => (isKept(i) ? [] : [prefix])).sort();
    const ofFrr = await publishedOf(bmpRouter);
    for (const isPostPolicy of [false, true]) {
      const own = ofFrr.filter((one) => one.isPostPolicy === isPostPolicy);
      // Nobody heard FRR withdraw them.
      expect(
        own
          .filter(({ announced }) => !announced)
          .map(prefixText)
          .sort(),
      ).toEqual(gone);
      expect(own.filter(({ announced, synthetic }) => !announced && !synthetic)).toEqual([]);
      expect(new Set(own.filter(({ announced }) => announced).map(prefixText))).toEqual(
        new Set(told.map(({ prefix }) => prefix)),
      );
    }
  },
  3 * limitMs,
);
