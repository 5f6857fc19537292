/** The collector's client of RTR at real caches: each version, beside BIRD's client, and what expires. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RtrCaches } from "../../../apps/peering/collector/rpki/rtr-caches.ts";
import { jsonLog } from "../../../lib/engines/observe/log.ts";
import { address } from "../../../lib/net/ip/address.ts";
import { prefixOf } from "../../../lib/net/ip/prefix.ts";
import { birds } from "../../exchange/birds.ts";
import { Bird, Daemon } from "../../exchange/daemon.ts";
import { stayrtrCommand } from "../../exchange/stayrtr.ts";
import { until } from "../../exchange/until.ts";
import { freePortsFor } from "../../server/free-ports.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-rtr-"));
afterAll(() => rmSync(folder, { recursive: true }));
const limitMs = 60_000;

const file = join(folder, "vrps.json");
const [fours, sixes] = [300, 200];

/** `moved`: so many of IPv4 have another origin. */
function write(moved: number): void {
  const roas = [
    ...Array.from({ length: fours }, (_, i) => ({
      prefix: `10.0.${i % 256}.0/${24 + (i >> 8)}`,
      maxLength: 32,
    })),
    ...Array.from({ length: sixes }, (_, i) => ({
      prefix: `2001:db8:${i.toString(16)}::/48`,
      maxLength: 48,
    })),
  ].map((one, i) => ({ ...one, asn: `AS${i < moved ? 64_501 : 64_500}`, ta: "test" }));
  writeFileSync(file, JSON.stringify({ metadata: {}, roas }));
}

/** Clients of these ports, whose clock goes on by what is added to `later.ms`. */
function clientsOf(...ports: readonly number[]) {
  const later = { ms: 0 };
  const said: string[] = [];
  const caches = new RtrCaches({
    addresses: ports.map((port) => ({ host: "127.0.0.1", port })),
    log: jsonLog("test", (line) => said.push(line)),
    clockMs: () => performance.now() + later.ms,
  });
  const stop = new AbortController();
  const running = caches.run(stop.signal);
  return {
    ...{ caches, later, said: () => said.join("") },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

function stayrtr(port: number, version: 0 | 1 | 2 = 2): Daemon {
  return new Daemon(`stayrtr-${port}`, folder, stayrtrCommand({ file, port, version }));
}

const originOf = ({ table }: RtrCaches) => table?.covering(prefixOf(address("10.0.0.0"), 24)).at(0)?.asn;

test.each([
  [0, 0],
  [1, 1],
  [2, 1],
] as const)(
  "a StayRTR that speaks versions up to %d is read in version %d, and read again when it notifies",
  async (highest, spoken) => {
    write(0);
    const { port } = freePortsFor("port");
    await using _ = stayrtr(port, highest);
    await using client = clientsOf(port);
    const { caches } = client;
    await until("all", () => caches.table?.count === fours + sixes, limitMs);
    const [cache] = caches.caches;
    expect([cache?.version, cache?.state, originOf(caches)]).toEqual([spoken, "current", 64_500]);
    const failures = cache?.counts.failures;
    write(100);
    await until("what has moved", () => originOf(caches) === 64_501, limitMs);
    expect([caches.table?.count, cache?.serial, cache?.counts.failures]).toEqual([
      fours + sixes,
      1,
      failures,
    ]);
    expect(client.said()).toContain('"changed":200');
  },
);

test("BIRD's client has as many", async () => {
  write(0);
  const { port } = freePortsFor("port");
  await using _ = stayrtr(port);
  await using client = clientsOf(port);
  await until("ours", () => client.caches.table?.count === fours + sixes, limitMs);
  const configuration = join(folder, "bird.conf");
  writeFileSync(
    configuration,
    `router id 192.0.2.1; roa4 table r4; roa6 table r6; protocol device {}
protocol rpki { roa4 { table r4; }; roa6 { table r6; }; remote 127.0.0.1 port ${port}; }`,
  );
  await using bird = await Bird.start("bird", {
    ...{ folder, file: configuration, program: birds[0]?.program ?? "bird" },
    within: (command: string[]) => command,
  });
  const ofBird = async (table: string) =>
    Number(/^(\d+) of/.exec((await bird.ask(`show route table ${table} count`)).join(" "))?.[1]);
  await until(
    "BIRD's",
    async () => (await ofBird("r6")) === sixes && (await ofBird("r4")) === fours,
    limitMs,
  );
});

test("what a cache has said expires at its time, and then it is asked for all", async () => {
  write(0);
  const { first, second } = freePortsFor("first", "second");
  const firstCache = stayrtr(first);
  await using client = clientsOf(first, second);
  const { caches, later } = client;
  await until("all", () => caches.table?.count === fours + sixes, limitMs);
  const { readAtMs } = caches;
  await firstCache[Symbol.asyncDispose]();
  await until("its end", () => caches.caches[0]?.state === "away", limitMs);
  later.ms += 7_190_000;
  expect([caches.table?.count, caches.readAtMs]).toEqual([fours + sixes, readAtMs]);
  later.ms += 10_000;
  expect([caches.table, caches.used]).toEqual([null, null]);
  expect(client.said()).toContain("VRPs have expired");
  await using _ = stayrtr(second);
  await until("the second", () => caches.table?.count === fours + sixes, limitMs);
  expect(caches.used?.name).toBe(`127.0.0.1:${second}`);
});

test("ASPAs of a cache that has version 2 alone are skipped, and counted", async () => {
  const { port } = freePortsFor("port");
  const aspas = join(folder, "aspas.json");
  writeFileSync(aspas, "[[64500, [64501, 64502]], [64501, [0]]]");
  const program = join(import.meta.dirname, "../../lab/exchange/aspa-cache.ts");
  await using _ = new Daemon("aspas", folder, [process.execPath, program, `${port}`, aspas]);
  await using client = clientsOf(port);
  const [cache] = client.caches.caches;
  await until("an answer", () => cache?.state === "current", limitMs);
  expect([cache?.version, cache?.counts.aspas, cache?.table?.count]).toEqual([2, 2, 0]);
  expect(client.said()).toContain("it responded in version 2 to a query in version 1");
});

test("a program that speaks something else hears so, and is tried again", async () => {
  const heard: string[] = [];
  using server = Bun.listen({
    ...{ hostname: "127.0.0.1", port: 0 },
    socket: {
      data(socket, bytes) {
        heard.push(bytes.toHex());
        if (heard.length % 2 === 1) {
          socket.write("HTTP/1.1 400 Bad Request\r\n\r\n");
        }
      },
    },
  });
  await using client = clientsOf(server.port);
  const [cache] = client.caches.caches;
  await until("its trouble", () => (cache?.counts.failures ?? 0) > 1, limitMs);
  expect(cache?.trouble).toMatch(/^a PDU of type 84 has \d+ bytes$/);
  // A Reset Query, then an error report of corrupt data, then again.
  expect(heard[0]).toBe("0102000000000008");
  expect(heard[1]).toStartWith("010a0000");
  expect(client.caches.table).toBeNull();
});
