/** What a gateway, as a process, does with submissions whose client goes away: nothing is left, nobody is held up. */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { probeMessageBytes } from "../../../lib/net/wire/probe-codec.ts";
import { sharedPostgres } from "../../postgres/shared-postgres.ts";
import { insertAgent, probeText } from "./gateway-home.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { spooled } from "./spooled.ts";

const stack = new AsyncDisposableStack();
let gateway: GatewayProcess;
let database: Database;
let spool: string;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-gateway-cut-"));
  stack.defer(() => rmSync(folder, { recursive: true }));
  const postgres = stack.use(await sharedPostgres());
  const address = await postgres.createDatabase();
  const config = join(folder, "gateway.yaml");
  writeFileSync(
    config,
    [
      `gateway: { address: "127.0.0.1:0", state_dir: "${folder}/state", bypass_authentication: true }`,
      `database: { address: "${address}" }`,
      `kafka: { brokers: "embedded:${folder}/broker" }`,
      "limits: { submissions_per_minute: 1000 }",
      "safety: { block_reserved_ranges: false }",
    ].join("\n"),
  );
  gateway = await GatewayProcess.start(config);
  stack.defer(() => gateway.kill());
  database = stack.use(await openDatabase(address, { applicationName: "test" }));
  await insertAgent(database.sql, "west");
  spool = join(folder, "state/spool");
});
afterAll(() => stack.disposeAsync());

let refusedBefore = 0;
beforeEach(async () => {
  refusedBefore = await refused();
});

test("in mid-body: it is refused whole, whatever frames it", async () => {
  await cut(await begin("content-length: 1000000"));
  await cut(await begin("transfer-encoding: chunked"));
  await untilRefused(2);
  expect(await left()).toEqual({ files: 0, used: 0, submissions: 0 });
});

test("after its body, and before it is accepted: it is refused whole too", async () => {
  const held = Promise.withResolvers<void>();
  const mayGo = Promise.withResolvers<void>();
  const holding = database.sql.begin(async (tx) => {
    await tx`LOCK TABLE quota_days`;
    held.resolve();
    await mayGo.promise;
  });
  await held.promise;
  const client = await begin(`content-length: ${body.length}`);
  const waits = () => database.sql`
    SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%quota_days%'`;
  while ((await waits()).length === 0) {
    await Bun.sleep(10);
  }
  await cut(client);
  // When this is answered the gateway has heard of the end.
  await refused();
  mayGo.resolve();
  await holding;
  await untilRefused(1);
  expect(await left()).toEqual({ files: 0, used: 0, submissions: 0 });
});

test("many at a time: the next one waits for a moment, and is accepted when they are gone", async () => {
  const clients = await Promise.all(Array.from({ length: 64 }, () => begin("content-length: 1000000")));
  // Some are being read; the rest is in line, or was refused, by the time that no more begins.
  for (let reading = 0; reading < 32 || reading < (await beingRead()); await Bun.sleep(20)) {
    reading = await beingRead();
  }
  const next = await begin(`content-length: ${body.length}`);
  const answer = new Promise<Buffer>((resolve) => next.once("data", resolve));
  // When this is answered the gateway has the next one, too.
  await refused();
  await Promise.all(clients.map(cut));
  expect((await answer).toString()).toStartWith("HTTP/1.1 200 ");
  next.destroy();
  await untilRefused(64);
  while ((await beingRead()) > 0 || spooled(spool).length > 0) {
    await Bun.sleep(10);
  }
  expect(await left()).toEqual({ files: 0, used: 100, submissions: 1 });
});

const body = probeText(100);

/** Resolves when the head and some good lines, or all there are, have been sent. */
function begin(framing: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const sent = framing.includes("chunked") ? `${body.length.toString(16)}\r\n${body}\r\n` : body;
  const head = ["POST /api/probes?agents=west HTTP/1.1", "host: x", "content-type: text/csv", framing];
  const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1", () => {
    socket.write(`${head.join("\r\n")}\r\n\r\n${sent}`, () => resolve(socket));
  });
  socket.on("error", reject);
  return promise;
}

function cut(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on("close", () => resolve());
  socket.destroy();
  return promise;
}

/** How many submissions have been refused so far. */
async function refused(): Promise<number> {
  const metrics = await (await fetch(`${gateway.url}metrics`)).text();
  return Number(/route="\/api\/probes",status="400"} (\d+)/.exec(metrics)?.[1] ?? 0);
}

/** Submissions whose lines have come, or wait for the broker. */
async function beingRead(): Promise<number> {
  const metrics = await (await fetch(`${gateway.url}metrics`)).text();
  return Number(/^vantage_gateway_spool_bytes (\d+)/m.exec(metrics)?.[1] ?? 0) / (100 * probeMessageBytes);
}

async function untilRefused(more: number): Promise<void> {
  while ((await refused()) < refusedBefore + more) {
    await Bun.sleep(10);
  }
}

async function left(): Promise<{ files: number; used: number; submissions: number }> {
  const me = (await (await fetch(`${gateway.url}api/user/me`)).json()) as Record<string, number>;
  return {
    files: spooled(spool).length,
    used: me.used ?? -1,
    submissions: me.submission_count ?? -1,
  };
}
