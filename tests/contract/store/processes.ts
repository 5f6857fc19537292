/** The store and the ingester as processes of their own, in a folder of their own, for tests; ended with the test. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linesOf } from "../../../apps/stack/child.ts";
import type { Broker } from "../../../lib/engines/broker/broker.ts";
import { migrate } from "../../../lib/engines/store/clickhouse/migrate.ts";
import type { SqlValues } from "../../../lib/engines/store/clickhouse/migrations.ts";
import { type ColumnStore, openStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { until } from "../../run/until.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { placeMigratedStore } from "./migrated-store.ts";

export const sqlValues: SqlValues = {
  ttlDays: 7,
  historyDays: 730,
  kafkaBrokers: "",
  repliesTopic: "measure-replies",
  repliesGroup: "vantage-store",
};

/** Until the ingester has read and committed all that was published of replies. */
export async function untilRead(broker: Broker): Promise<void> {
  await until(async () => {
    const positions = await broker.positions(sqlValues.repliesGroup, sqlValues.repliesTopic);
    return positions.every(({ committed, end }) => committed === end);
  });
}

/** A part of the stack, by itself. */
export class Part implements AsyncDisposable {
  readonly process: Bun.Subprocess<"pipe", "pipe", "pipe">;
  /** Lines of both outputs. */
  readonly said: string[] = [];
  readonly #read: Promise<unknown>;
  readonly #ready = Promise.withResolvers<void>();

  constructor(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    this.process = Bun.spawn([...vantageCommand, "stack", ...args], {
      env: { ...process.env, ...environment },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    const hear = (line: string) => {
      this.said.push(line);
      if (line.includes('"ready"') || line.includes("is running")) {
        this.#ready.resolve();
      }
    };
    this.#read = Promise.all([linesOf(this.process.stdout, hear), linesOf(this.process.stderr, hear)]);
    this.process.exited.then(() => this.#ready.reject(new Error(`It ended:\n${this.said.join("\n")}`)));
    this.#ready.promise.catch(() => undefined);
  }

  static async start(...args: readonly string[]): Promise<Part> {
    const part = new Part(args);
    await part.#ready.promise;
    return part;
  }

  /** Resolves with the exit code, when all that it said is here. */
  async ended(): Promise<number> {
    const code = await this.process.exited;
    await this.#read;
    return code;
  }

  async kill(): Promise<void> {
    this.process.kill("SIGKILL");
    await this.ended();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.process.stdin.end();
    this.process.kill("SIGTERM");
    await this.ended();
  }
}

export class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "vantage-store-test-"));

  below(name: string): string {
    return join(this.path, name);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** A store with a process and a client, and tables unless `empty`. */
export class TestStore implements AsyncDisposable {
  readonly address: string;
  readonly #folder: Folder;
  #part: Part;
  #store: ColumnStore;

  private constructor(folder: Folder, part: Part, store: ColumnStore) {
    this.#folder = folder;
    this.address = `chdb:${folder.below("store")}`;
    this.#part = part;
    this.#store = store;
  }

  static async start(kind: "migrated" | "empty" = "migrated"): Promise<TestStore> {
    const folder = new Folder();
    if (kind === "migrated") {
      await placeMigratedStore(folder.below("store"));
    }
    const part = await Part.start("store", "--dir", folder.below("store"), "--child");
    const store = await openStore(`chdb:${folder.below("store")}`);
    if (kind === "migrated") {
      await migrate(store, sqlValues);
    }
    return new TestStore(folder, part, store);
  }

  get store(): ColumnStore {
    return this.#store;
  }

  get part(): Part {
    return this.#part;
  }

  /** Below the test's folder, beside the store. */
  below(name: string): string {
    return this.#folder.below(name);
  }

  async kill(): Promise<void> {
    await this.#part.kill();
  }

  async restart(): Promise<void> {
    await this.#store[Symbol.asyncDispose]();
    await this.#part[Symbol.asyncDispose]();
    this.#part = await Part.start("store", "--dir", this.below("store"), "--child");
    this.#store = await openStore(this.address);
  }

  async rows<Row>(query: string, params: Record<string, unknown> = {}): Promise<Row[]> {
    const result = await this.#store.client.query({ query, query_params: params, format: "JSONEachRow" });
    return await result.json<Row>();
  }

  async command(query: string): Promise<void> {
    await this.#store.client.command({ query });
  }

  async count(table: string): Promise<number> {
    const [row] = await this.rows<{ rows: number }>(`SELECT toUInt32(count()) AS rows FROM measure.${table}`);
    return row?.rows ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store[Symbol.asyncDispose]();
    await this.#part[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}
