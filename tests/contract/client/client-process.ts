/** `vantage client` as its users run it, with an embedded broker of its own in a folder of its own. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Broker, IncomingRecord } from "../../../lib/engines/broker/broker.ts";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { saidBy } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";

export const topic = "measure-probes";

interface ClientRun {
  readonly exitCode: number;
  readonly stdout: string;
  /** Lines. */
  readonly stderr: readonly string[];
}

export class ClientPlace implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "vantage-client-test-"));
  readonly config = this.file("client.yaml", `kafka: { brokers: "embedded:${this.folder}/log" }\n`);
  #broker: Broker | null = null;

  /** Writes a file of this folder; returns its path. */
  file(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return path;
  }

  start(args: readonly string[], stdin: "ignore" | "pipe" = "ignore") {
    return Bun.spawn([...vantageCommand, "client", "--config", this.config, ...args], {
      env: { ...process.env, TMPDIR: this.folder },
      stdin,
      stdout: "pipe",
      stderr: "pipe",
    });
  }

  async run(args: readonly string[], input: string | null = null): Promise<ClientRun> {
    const child = this.start([...args, ...(input === null ? [] : ["-p", this.file("input.csv", input)])]);
    return await this.endOf(child);
  }

  async endOf(child: ReturnType<ClientPlace["start"]>): Promise<ClientRun> {
    const { stdout, stderr, exitCode } = await saidBy(child);
    return { exitCode, stdout, stderr: stderr.split("\n").slice(0, -1) };
  }

  async broker(): Promise<Broker> {
    this.#broker ??= await openBroker(`embedded:${this.folder}/log`, {});
    return this.#broker;
  }

  /** All records of the topic, or as many as there are; none when nobody has made it. */
  async records(group = "test"): Promise<IncomingRecord[]> {
    const broker = await this.broker();
    await broker.ensureTopic({ name: topic, partitions: 16, retentionMs: 3_600_000 });
    const positions = await broker.positions(group, topic);
    const wanted = positions.reduce((sum, { committed, end }) => sum + Number(end - committed), 0);
    await using subscription = await broker.subscribe(group, [topic]);
    const records: IncomingRecord[] = [];
    while (records.length < wanted) {
      records.push(...(await subscription.next({ recordsMax: 1000, waitMs: 5000 })));
    }
    return records;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#broker?.[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** So many different, valid lines. */
export function probeLines(count: number): string {
  const lines = Array.from(
    { length: count },
    (_, i) => `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255},24000,33434,${1 + (i % 30)},UDP\n`,
  );
  return lines.join("");
}
