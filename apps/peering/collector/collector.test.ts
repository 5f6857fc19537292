/** A router that speaks BMP to the collector, which is stopped and started again, and files of MRT that it follows. */
import { afterAll, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RouteChange } from "../../../lib/base/api/route-changes.ts";
import type { Broker, OutgoingRecord } from "../../../lib/engines/broker/broker.ts";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { readEvents } from "../../../lib/engines/gateway-client/event-stream.ts";
import type { Ask } from "../../../lib/engines/gateway-client/transport.ts";
import { jsonLog } from "../../../lib/engines/observe/log.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { parsePrefix } from "../../../lib/net/ip/prefix.ts";
import type { RouteUpdate } from "../../../lib/net/wire/route-update.ts";
import { updatesTopic } from "../../../lib/net/wire/target-header.ts";
import { decodeUpdates } from "../../../lib/net/wire/update-codec.ts";
import {
  announce,
  badAggregator,
  badCommunities,
  bgp,
  bmp,
  mrt,
  peer,
  peerUp,
  routes,
  withdraw,
} from "../../../tests/run/route-bytes.ts";
import { until } from "../../../tests/run/until.ts";
import { Collector } from "./collector.ts";
import { readCollectorConfig } from "./config.ts";
import { RouteWatches } from "./watch/route-watches.ts";
import { watchRoutes } from "./watch/watch-routes.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-collector-"));
afterAll(() => rmSync(folder, { recursive: true }));

const tableEnd = routes(bgp("", "", ""));

/** The embedded broker of a test: what was published, in order. */
async function published(broker: Broker): Promise<RouteUpdate[]> {
  await using subscription = await broker.subscribe("test", [updatesTopic]);
  const updates: RouteUpdate[] = [];
  for (;;) {
    const records: readonly OutgoingRecord[] = await subscription.next({ recordsMax: 1000, waitMs: 50 });
    if (records.length === 0) {
      return updates;
    }
    for (const { value } of records) {
      updates.push(...[...decodeUpdates(value)].flatMap((one) => (one.ok ? [one.update] : [])));
    }
  }
}

const textOf = ({ announced, synthetic, prefixAddr, prefixLen, peerAddr }: RouteUpdate) =>
  [
    ...(synthetic ? ["synthetic"] : []),
    ...[announced ? "+" : "-", `${formatAddress(prefixAddr)}/${prefixLen}`, formatAddress(peerAddr)],
  ].join(" ");

/** A collector that runs; `end` stops it, and what it has kept stays. */
async function start(name: string, more = "", onLog: (line: string) => void = () => {}) {
  const directory = join(folder, name);
  const broker = await openBroker(`embedded:${join(directory, "broker")}`);
  const text = `collector: {state_dir: ${join(directory, "state")}, hold_sec: 3600}
bmp: {address: "127.0.0.1:0", routers: [127.0.0.0/8]}
kafka: {brokers: "embedded:${directory}"}
${more}`;
  const config = readCollectorConfig({ name: "collector.yaml", text }, {});
  const nowUs = () => BigInt(Date.now()) * 1000n;
  const collector = new Collector({ config, broker, log: jsonLog("collector", onLog), nowUs });
  const port = await collector.start();
  const stopping = new AbortController();
  const running = collector.run(stopping.signal);
  const settled = () => until(() => collector.outbox.pending === 0);
  const end = async () => {
    stopping.abort();
    await running;
    const updates = await published(broker);
    await collector[Symbol.asyncDispose]();
    await broker[Symbol.asyncDispose]();
    return updates.map(textOf);
  };
  return { collector, port, settled, end };
}

async function router(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await new Promise((resolve) => socket.once("connect", resolve));
  return socket;
}

const found = (collector: Collector, text: string) => {
  const prefix = parsePrefix(text);
  return prefix === null ? [] : collector.table.exact(prefix);
};

test("what stood is known after a restart: what is not said again is withdrawn, and the gap is stated", async () => {
  const first = await start("restart");
  const before = await router(first.port);
  before.write(
    Buffer.concat([peerUp, routes(announce(1)), routes(announce(2)), routes(announce(3)), tableEnd]),
  );
  await until(() => first.collector.table.counts.paths === 3);
  const all = ["+ 198.51.1.0/24 192.0.2.9", "+ 198.51.2.0/24 192.0.2.9", "+ 198.51.3.0/24 192.0.2.9"];
  expect(await first.end()).toEqual(all);

  const second = await start("restart");
  expect(found(second.collector, "198.51.1.0/24")[0]).toMatchObject({
    isStale: true,
    attributes: { asPath: [64_500] },
  });
  expect(second.collector.table.gaps).toMatchObject([
    { toUs: null, reason: "the collector was not running" },
  ]);
  const after = await router(second.port);
  after.write(Buffer.concat([peerUp, routes(announce(1)), routes(announce(3)), tableEnd]));
  await until(() => second.collector.table.counts.paths === 2);
  expect(found(second.collector, "198.51.1.0/24")[0]?.isStale).toBe(false);
  expect(second.collector.table.gaps[0]?.toUs).not.toBeNull();
  // A connection that ends is a gap too; nothing is withdrawn while the router may come back.
  after.destroy();
  await until(() => second.collector.table.gaps.length === 2);
  expect(await second.end()).toEqual([
    ...all,
    ...all.filter((_, i) => i !== 1),
    "synthetic - 198.51.2.0/24 192.0.2.9",
  ]);
});

test("a router that may not is refused; a message that is broken is passed over; a peer that goes takes its routes", async () => {
  const { collector, port, end } = await start("limits", "reject_reasons: []");
  const broken = bmp(0, `${peer}${bgp("", "400101", "")}`);
  const socket = await router(port);
  socket.write(Buffer.concat([peerUp, broken, routes(announce(1)), bmp(2, `${peer}01`)]));
  await until(() => collector.station.counts.messages === 4);
  expect(collector.station.counts.broken).toBe(1);
  // The newest connection of a router counts.
  const again = await router(port);
  await until(() => collector.table.gaps.length === 1);
  expect(collector.station.sessions).toHaveLength(1);
  again.destroy();
  expect(await end()).toEqual(["+ 198.51.1.0/24 192.0.2.9", "synthetic - 198.51.1.0/24 192.0.2.9"]);
});

test.each([["BMP"], ["MRT"]])(
  "a malformed UPDATE by %s withdraws what it names, and is logged with router, peer and attribute",
  async (source) => {
    const lines: Record<string, unknown>[] = [];
    const file = join(folder, `malformed-${source}.mrt`);
    writeFileSync(file, "");
    const { collector, port, end } = await start(
      `malformed-${source}`,
      `mrt: [{file: ${file}, router: 192.0.2.1}]`,
      (line) => lines.push(JSON.parse(line)),
    );
    const socket = await router(port);
    const send = (update: string) => {
      if (source === "BMP") {
        socket.write(routes(update));
      } else {
        appendFileSync(file, mrt(update));
      }
    };
    socket.write(peerUp);
    send(announce(1));
    send(announce(2));
    send(announce(1, badAggregator));
    await until(() => collector.table.counts.paths === 2);
    send(announce(1, badCommunities));
    await until(() => collector.table.counts.paths === 1);
    send(announce(1, badCommunities));
    socket.write(bmp(9, ""));
    send(announce(3));
    await until(() => collector.table.counts.paths === 2 && collector.station.counts.unknown === 1);
    expect(found(collector, "198.51.1.0/24")).toEqual([]);
    socket.destroy();
    expect((await end()).map((line) => line.split(" 192")[0])).toEqual([
      ...["+ 198.51.1.0/24", "+ 198.51.2.0/24", "+ 198.51.1.0/24"],
      ...["synthetic - 198.51.1.0/24", "+ 198.51.3.0/24"],
    ]);
    const warned = lines.filter(({ code }) => code === "malformed-update" || code === "attribute-left-out");
    const at = source === "BMP" ? "127.0.0.1" : "192.0.2.1";
    const from = { router: at, peer: "192.0.2.9", peer_asn: 64_500 };
    expect(warned).toMatchObject([
      { ...from, attribute: "AGGREGATOR", reason: expect.stringContaining("6 bytes instead of 8") },
      { ...from, attribute: "COMMUNITIES", withdrawn: 1 },
    ]);
    const counts = source === "BMP" ? collector.station.counts : collector.followers[0]?.counts;
    expect(counts).toMatchObject({ broken: 2, discarded: 1 });
  },
);

test("a watcher hears what a router says by BMP, that it is lost, and what it has not said again", async () => {
  const { collector, port, end } = await start("watch");
  const watches = new RouteWatches(collector.table, () => "one");
  const app = watchRoutes({ table: collector.table, watches, nowUs: () => 1n, vrps: null });
  const gone = new AbortController();
  const order = {
    query: { prefix: "198.51.0.0/16", more: "true" },
    signal: gone.signal,
    onBreak: () => {},
  };
  const request = async (path: string, ask: Ask = {}) =>
    await app.request(`${path}?${new URLSearchParams(ask.query as Record<string, string>)}`);
  const received: RouteChange[] = [];
  const reading = (async () => {
    for await (const { data } of readEvents({ address: "", request }, "/api/routes/watch", order)) {
      received.push(JSON.parse(data));
    }
  })();
  const first = await router(port);
  first.write(Buffer.concat([peerUp, routes(announce(1)), routes(announce(2)), tableEnd]));
  await until(() => received.some(({ kind }) => kind === "table-end"));
  first.destroy();
  await until(() => received.some(({ kind }) => kind === "gap"));
  const second = await router(port);
  second.write(Buffer.concat([peerUp, routes(announce(1)), tableEnd]));
  await until(() => received.filter(({ kind }) => kind === "table-end").length === 2);
  expect(
    received.slice(1).map(({ kind, prefix, is_synthetic }) => [kind, prefix, is_synthetic].join(" ").trim()),
  ).toEqual([
    ...["peer-up  false", "announce 198.51.1.0/24 false", "announce 198.51.2.0/24 false"],
    ...["table-end  false", "gap  false", "gap  false", "peer-up  false", "announce 198.51.1.0/24 false"],
    ...["table-end  false", "withdraw 198.51.2.0/24 true"],
  ]);
  expect(received.filter(({ kind }) => kind === "gap").map(({ detail }) => detail)).toEqual([
    "the router has closed it; it continues",
    expect.stringContaining("the router has closed it; until 2"),
  ]);
  gone.abort();
  watches.close();
  second.destroy();
  await reading;
  await end();
});

test("a file of MRT is followed where it was left, though it is replaced, and cut", async () => {
  const file = join(folder, "bird.mrt");
  const more = `mrt: [{file: ${file}, router: 192.0.2.1}]`;
  writeFileSync(file, Buffer.concat([mrt(announce(1)), mrt(announce(2)).subarray(0, 20)]));
  const first = await start("mrt", more);
  await until(() => first.collector.table.counts.paths === 1);
  appendFileSync(file, mrt(announce(2)).subarray(20));
  await until(() => first.collector.table.counts.paths === 2);
  await first.settled();
  expect(await first.end()).toHaveLength(2);

  appendFileSync(file, mrt(withdraw(1)));
  const second = await start("mrt", more);
  await until(() => second.collector.table.counts.paths === 1);
  // Rotated: the rest of the old file counts, then the new one.
  appendFileSync(file, mrt(announce(4)));
  renameSync(file, `${file}.1`);
  writeFileSync(file, mrt(announce(5)));
  await until(() => second.collector.table.counts.paths === 3);
  expect(second.collector.table.gaps).toEqual([]);
  writeFileSync(file, mrt(announce(6)).subarray(0, 30));
  await until(() => second.collector.table.gaps.length === 1);
  appendFileSync(file, mrt(announce(6)).subarray(30));
  await until(() => second.collector.table.counts.paths === 4);
  expect(found(second.collector, "198.51.5.0/24")[0]?.isStale).toBe(true);
  expect((await second.end()).map((line) => line.slice(0, 8 + 5))).toEqual([
    "+ 198.51.1.0/",
    "+ 198.51.2.0/",
    "- 198.51.1.0/",
    "+ 198.51.4.0/",
    "+ 198.51.5.0/",
    "+ 198.51.6.0/",
  ]);

  // Replaced while the collector was stopped: changes after its last sign of life.
  const awaySec = 1_700_000_000;
  utimesSync(join(folder, "mrt", "state", "routes.log"), awaySec, awaySec);
  writeFileSync(`${file}.2`, mrt(announce(7)));
  renameSync(`${file}.2`, file);
  const third = await start("mrt", more);
  await until(() => third.collector.table.counts.paths === 5);
  expect(third.collector.table.gaps.map(({ fromUs }) => fromUs)).toEqual([BigInt(awaySec) * 1_000_000n]);
  await third.end();
});
