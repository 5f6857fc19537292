/** A real column store with two small measurements in it, and `vantage replies` to look at them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFailure } from "../../../lib/base/failure/failure.ts";
import { migrate } from "../../../lib/engines/store/clickhouse/migrate.ts";
import { type ColumnStore, openStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { saidBy } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { placeMigratedStore } from "../store/migrated-store.ts";
import { sqlValues } from "../store/processes.ts";
import { type ProbeGiven, probeRow, type ReplyGiven, replyRow } from "./store-rows.ts";

const root = join(import.meta.dirname, "../../..");
const startMsMax = 240_000;

export type { ProbeGiven, ReplyGiven } from "./store-rows.ts";

export class StoreProcess implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "vantage-replies-test-"));
  readonly address = `chdb:${this.folder}/store`;
  #child: Bun.Subprocess<"pipe", "ignore", "inherit"> | null = null;
  #store: ColumnStore | null = null;
  #inserted = 0;

  static async start(): Promise<StoreProcess> {
    const process = new StoreProcess();
    await placeMigratedStore(join(process.folder, "store"));
    process.#child = process.#spawn();
    process.#store = await process.#open();
    await migrate(process.#store, sqlValues);
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
    const nowMs = Date.now();
    await this.#insert(
      "measure.replies",
      replies.map((reply) => replyRow(reply, ++this.#inserted, nowMs)),
    );
  }

  async insertProbes(probes: readonly ProbeGiven[]): Promise<void> {
    await this.#insert("measure.probes", probes.map(probeRow));
  }

  /** These alone are in the store then. */
  async refill(probes: readonly ProbeGiven[], replies: readonly ReplyGiven[]): Promise<void> {
    for (const table of ["probes", "replies"]) {
      await this.store.client.command({ query: `TRUNCATE TABLE measure.${table}` });
    }
    await this.insertProbes(probes);
    await this.insertReplies(replies);
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
    const { stdout, stderr, exitCode } = await saidBy(child);
    return { exitCode, lines: stdout.split("\n").slice(0, -1), stderr: stderr.split("\n").slice(0, -1) };
  }

  /** Its process ends, as in a crash. */
  async kill(): Promise<void> {
    await this.#store?.[Symbol.asyncDispose]();
    this.#child?.kill("SIGKILL");
    await this.#child?.exited;
  }

  /** Another process on the same directory. */
  async restart(): Promise<void> {
    this.#child = this.#spawn();
    this.#store = await this.#open();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store?.[Symbol.asyncDispose]();
    await this.#child?.stdin.end();
    await this.#child?.exited;
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
        if (!isFailure(error, "store") || Date.now() > giveUpAtMs || this.#child?.exitCode !== null) {
          throw error;
        }
      }
      await Bun.sleep(50);
    }
  }

  async #insert(table: string, values: readonly object[]): Promise<void> {
    await this.#store?.client.insert({ table, values, format: "JSONEachRow" });
  }
}
