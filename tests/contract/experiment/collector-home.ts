/** The real collector, and a router that tells it by BMP what its peer announces and withdraws. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { collectorApp } from "../../../apps/peering/collector/app.ts";
import { Collector } from "../../../apps/peering/collector/collector.ts";
import { readCollectorConfig } from "../../../apps/peering/collector/config.ts";
import { RouteWatches } from "../../../apps/peering/collector/watch/route-watches.ts";
import type { Broker } from "../../../lib/engines/broker/broker.ts";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { httpMetrics } from "../../../lib/engines/observe/http-metrics.ts";
import { jsonLog } from "../../../lib/engines/observe/log.ts";
import { insertBlock } from "../../../lib/engines/store/clickhouse/insert-block.ts";
import type { ColumnStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { UpdateBlock } from "../../../lib/engines/store/clickhouse/update-block.ts";
import { parsePrefix } from "../../../lib/net/ip/prefix.ts";
import { updatesTopic } from "../../../lib/net/wire/target-header.ts";

const hex = (number: number, bytes: number) => number.toString(16).padStart(2 * bytes, "0");
const marker = "ff".repeat(16);

function bmp(type: number, body: string): Uint8Array {
  return Uint8Array.fromHex(`03${hex(6 + body.length / 2, 4)}${hex(type, 1)}${body}`);
}

/** A peer 192.0.2.9 of AS 64500, before the policy. */
const peer = `0000${"00".repeat(20)}c0000209${hex(64_500, 4)}0a000001${hex(1_700_000_000, 4)}${hex(5, 4)}`;
const open = `${marker}001d0104${hex(64_500, 2)}00b40a00000100`;
const peerUp = bmp(3, `${peer}${"00".repeat(16)}00b3c000${open}${open}`);

/** The same one, after the policy. */
const afterPolicy = peer.replace(/^0000/, "0040");

/** An IPv6 prefix of at most 64 bits, by multiprotocol attributes; `origin`: the path's last AS, null = withdrawn. */
function update(prefix: string, origin: number | null): Uint8Array {
  const { base, length } = parsePrefix(prefix) ?? { base: new Uint8Array(16), length: 0 };
  const nlri = `${hex(length, 1)}${base.subarray(0, Math.ceil(length / 8)).toHex()}`;
  const family = "000201";
  const reach = `${family}10${"20010db8".padEnd(32, "0")}00${nlri}`;
  const unreach = `${family}${nlri}`;
  const path = `40010100${"40020a"}0202${hex(64_500, 4)}${hex(origin ?? 0, 4)}`;
  const attributes =
    origin !== null
      ? `${path}800e${hex(reach.length / 2, 1)}${reach}`
      : `800f${hex(unreach.length / 2, 1)}${unreach}`;
  return message(attributes, peer);
}

const endOfTable = "800f03000201";

function message(attributes: string, from: string): Uint8Array {
  const body = `0000${hex(attributes.length / 2, 2)}${attributes}`;
  return bmp(0, `${from}${marker}${hex(19 + body.length / 2, 2)}02${body}`);
}

export class CollectorHome implements AsyncDisposable {
  readonly #folder: string;
  readonly #broker: Broker;
  readonly #aheadMs: number;
  readonly #owned: AsyncDisposableStack;
  #running = new AsyncDisposableStack();
  #ports = { bmp: 0, http: 0 };
  #router: Socket | null = null;

  private constructor(parts: {
    folder: string;
    broker: Broker;
    aheadMs: number;
    owned: AsyncDisposableStack;
  }) {
    ({ folder: this.#folder, broker: this.#broker, aheadMs: this.#aheadMs, owned: this.#owned } = parts);
  }

  /** Its clock is ahead by so much. Its router is connected. */
  static async start(aheadMs: number): Promise<CollectorHome> {
    await using undo = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), "vantage-experiment-collector-"));
    undo.defer(() => rmSync(folder, { recursive: true }));
    const broker = undo.use(await openBroker(`embedded:${join(folder, "broker")}`));
    const home = new CollectorHome({ folder, broker, aheadMs, owned: undo.move() });
    await home.startAgain();
    home.connect();
    return home;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#ports.http}`;
  }

  /** What it has kept stays. */
  async stop(): Promise<void> {
    this.#router?.destroy();
    await this.#running.disposeAsync();
  }

  /** At the same address, without its router. */
  async startAgain(): Promise<void> {
    await using undo = new AsyncDisposableStack();
    const text = `collector: {state_dir: ${join(this.#folder, "state")}}
bmp: {address: "127.0.0.1:0", routers: [127.0.0.0/8]}
kafka: {brokers: "embedded:${this.#folder}"}`;
    const config = readCollectorConfig({ name: "collector.yaml", text }, {});
    const nowUs = () => BigInt(Date.now() + this.#aheadMs) * 1000n;
    const log = jsonLog("collector", () => {});
    const collector = undo.use(new Collector({ config, broker: this.#broker, log, nowUs }));
    const bmp = await collector.start();
    const stopping = new AbortController();
    const running = collector.run(stopping.signal);
    undo.defer(async () => {
      stopping.abort();
      await running;
    });
    const watches = new RouteWatches(collector.table, randomUUID);
    undo.defer(() => watches.close());
    const registry = new Registry();
    const app = collectorApp({
      collector,
      watches,
      nowUs,
      registry,
      metrics: httpMetrics(registry),
      log,
      proxies: [],
    });
    const { http } = this.#ports;
    const server = Bun.serve({
      ...{ hostname: "127.0.0.1", port: http },
      fetch: (request) => app.fetch(request),
    });
    undo.defer(() => server.stop(true));
    this.#ports = { bmp, http: server.port ?? 0 };
    this.#running = undo.move();
  }

  connect(): void {
    this.#router = connect(this.#ports.bmp, "127.0.0.1");
    this.#router.write(peerUp);
  }

  /** `origin`: the last AS of the path behind the peer's. */
  tell(prefix: string, isAnnounced: boolean, origin = 64_501): void {
    this.#router?.write(update(prefix, isAnnounced ? origin : null));
  }

  /** That was the router's whole table; `isAfterPolicy`: the one of what it has taken. */
  tellEnd(isAfterPolicy = false): void {
    this.#router?.write(message(endOfTable, isAfterPolicy ? afterPolicy : peer));
  }

  /** All that was published so far, as the ingester would store it. */
  async store(store: ColumnStore): Promise<void> {
    await using subscription = await this.#broker.subscribe("test", [updatesTopic]);
    const block = new UpdateBlock();
    for (;;) {
      const records = await subscription.next({ recordsMax: 1000, waitMs: 200 });
      if (records.length === 0) {
        break;
      }
      for (const { value } of records) {
        block.add(value);
      }
    }
    await insertBlock(store, { table: "bmp.updates", block: block.toBytes(), token: "experiment" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#owned[Symbol.asyncDispose]();
  }
}
