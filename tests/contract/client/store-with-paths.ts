/** A real column store with two small measurements in it, and `vantage replies` to look at them. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFailure } from "../../../lib/failure/failure.ts";
import { migrate } from "../../../lib/store/clickhouse/migrate.ts";
import { type ColumnStore, openStore } from "../../../lib/store/clickhouse/open.ts";
import { vantageCommand } from "../../run/vantage-command.ts";

const root = join(import.meta.dirname, "../../..");
const startMsMax = 30_000;

/** What differs from reply to reply. */
export interface ReplyGiven {
  readonly measurement: string;
  /** Who heard it. */
  readonly agent: string;
  /** Who sent the probe, as `agent/instance`; empty where nobody knows. */
  readonly sender?: string;
  readonly source: string;
  readonly destination: string;
  readonly srcPort: number;
  readonly ttl: number;
  readonly from: string;
  readonly rttTenthMs: number;
  /** ICMP type and code; time exceeded where it is left out. */
  readonly icmp?: readonly [number, number];
  readonly labels?: readonly (readonly [number, number, number, number])[];
  /** Time of the capture and of the insert; now when omitted. */
  readonly timeMs?: number;
}

export interface ProbeGiven {
  readonly measurement: string;
  readonly agent: string;
  readonly destination: string;
  readonly srcPort: number;
  readonly ttl: number;
  /** Counted for each source on its own. */
  readonly index: number;
  /** Left out, the agent chooses. */
  readonly source?: string;
  readonly timeMs?: number;
}

export class StoreProcess implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "vantage-replies-test-"));
  readonly address = `chdb:${this.folder}/store`;
  #child = this.#spawn();
  #store: ColumnStore | null = null;
  #inserted = 0;

  static async start(): Promise<StoreProcess> {
    const process = new StoreProcess();
    process.#store = await process.#open();
    await migrate(process.#store, { ttlDays: 7, kafkaBrokers: "", repliesTopic: "", repliesGroup: "" });
    return process;
  }

  /** Once it has started. */
  get store(): ColumnStore {
    if (this.#store === null) {
      throw new Error("The store has not started");
    }
    return this.#store;
  }

  async insertReplies(replies: readonly ReplyGiven[]): Promise<void> {
    await this.#insert(
      "measure.replies",
      replies.map((reply) => this.#replyRow(reply)),
    );
  }

  async insertProbes(probes: readonly ProbeGiven[]): Promise<void> {
    await this.#insert("measure.probes", probes.map(probeRow));
  }

  start(args: readonly string[]) {
    return Bun.spawn([...vantageCommand, "replies", "--store", this.address, ...args], {
      cwd: root,
      stdout: "pipe",
      stderr: "pipe",
    });
  }

  /** Lines. */
  async run(...args: string[]) {
    const child = this.start(args);
    const [stdout, stderr, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { exitCode, lines: stdout.split("\n").slice(0, -1), stderr: stderr.split("\n").slice(0, -1) };
  }

  /** Its process ends, as in a crash. */
  async kill(): Promise<void> {
    await this.#store?.[Symbol.asyncDispose]();
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }

  /** Another process on the same directory. */
  async restart(): Promise<void> {
    this.#child = this.#spawn();
    this.#store = await this.#open();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store?.[Symbol.asyncDispose]();
    await this.#child.stdin.end();
    await this.#child.exited;
    rmSync(this.folder, { recursive: true });
  }

  #spawn() {
    return Bun.spawn(
      [process.execPath, join(import.meta.dirname, "run-store.ts"), join(this.folder, "store")],
      { stdin: "pipe", stdout: "ignore", stderr: "inherit" },
    );
  }

  /** The store takes a second or two to start. */
  async #open(): Promise<ColumnStore> {
    const giveUpAtMs = Date.now() + startMsMax;
    for (;;) {
      try {
        return await openStore(this.address);
      } catch (error) {
        if (!isFailure(error, "store") || Date.now() > giveUpAtMs || this.#child.exitCode !== null) {
          throw error;
        }
      }
      await Bun.sleep(50);
    }
  }

  async #insert(table: string, values: readonly object[]): Promise<void> {
    await this.#store?.client.insert({ table, values, format: "JSONEachRow" });
  }

  #replyRow(reply: ReplyGiven) {
    const timeMs = reply.timeMs ?? Date.now();
    const [probeAgent = "", probeInstance = "0"] = (reply.sender ?? `${reply.agent}/0`).split("/");
    const [type, code] = reply.icmp ?? [reply.destination.includes(".") ? 11 : 3, 0];
    this.#inserted++;
    return {
      date: new Date(timeMs).toISOString().slice(0, 10),
      time_inserted_ns: `${timeMs}000000`,
      time_received_ns: `${timeMs}${String(this.#inserted).padStart(6, "0")}`,
      agent_id: reply.agent,
      reply_src_addr: ipv6(reply.from),
      reply_dst_addr: ipv6(reply.source),
      reply_protocol: reply.destination.includes(".") ? 1 : 58,
      reply_icmp_type: type,
      reply_icmp_code: code,
      reply_mpls_labels: reply.labels ?? [],
      probe_src_addr: ipv6(reply.source),
      probe_dst_addr: ipv6(reply.destination),
      probe_ttl: reply.ttl,
      probe_protocol: 17,
      probe_src_port: reply.srcPort,
      probe_dst_port: 33434,
      rtt: reply.rttTenthMs,
      measurement_id: reply.measurement,
      probe_agent: probeAgent,
      probe_instance: Number(probeInstance),
    };
  }
}

function probeRow({ measurement, agent, destination, srcPort, ttl, index, source, timeMs }: ProbeGiven) {
  return {
    date: new Date(timeMs ?? Date.now()).toISOString().slice(0, 10),
    time_submitted: timeMs ?? Date.now(),
    measurement_id: measurement,
    agent_id: agent,
    probe_index: index,
    probe_src_addr: ipv6(source ?? "::"),
    probe_dst_addr: ipv6(destination),
    probe_src_port: srcPort,
    probe_dst_port: 33434,
    probe_ttl: ttl,
    probe_protocol: 17,
  };
}

function ipv6(address: string): string {
  return address.includes(":") ? address : `::ffff:${address}`;
}
