/** A ClickHouse server of an older version, by engine.py: a process, and a store by its address. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linesOf } from "../../../../apps/stack/child.ts";
import { type ColumnStore, openStore } from "../../../../lib/engines/store/clickhouse/open.ts";
import { type ProbeGiven, probeRow, type ReplyGiven, replyRow } from "../../client/store-rows.ts";

const cache = join(import.meta.dirname, "../../../../node_modules/.cache/clickhouse");
export const olderVersions = ["24.8", "25.8"] as const;
type OlderVersion = (typeof olderVersions)[number];

/** fetch.sh could have them, on this kind of machine. */
export const hasOlderVersions = existsSync(join(cache, "complete"));

export class OlderStore implements AsyncDisposable {
  readonly store: ColumnStore;
  readonly url: string;
  readonly #child: Bun.Subprocess;
  readonly #folder: string;
  #inserted = 0;

  private constructor(store: ColumnStore, url: string, child: Bun.Subprocess, folder: string) {
    this.store = store;
    this.url = url;
    this.#child = child;
    this.#folder = folder;
  }

  /** `configuration`: a server's, in XML; 24.8 takes none. */
  static async start(version: OlderVersion, configuration?: string): Promise<OlderStore> {
    const folder = mkdtempSync(join(tmpdir(), "vantage-older-"));
    const program = join(import.meta.dirname, "engine.py");
    const command = ["python3", program, join(cache, version), join(folder, "data")];
    if (configuration !== undefined) {
      command.push(join(folder, "configuration.xml"));
      writeFileSync(join(folder, "configuration.xml"), configuration);
    }
    const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    void linesOf(child.stdout, resolve);
    void child.exited.then((code) => reject(new Error(`ClickHouse ${version} has ended with ${code}`)));
    promise.catch(() => undefined);
    const url = `http://127.0.0.1:${await promise}`;
    return new OlderStore(await openStore(url), url, child, folder);
  }

  /** For whom it is a server like any other. */
  get address(): string {
    return this.url;
  }

  async insertReplies(replies: readonly ReplyGiven[]): Promise<void> {
    const nowMs = Date.now();
    const values = replies.map((reply) => replyRow(reply, ++this.#inserted, nowMs));
    await this.store.client.insert({ table: "measure.replies", values, format: "JSONEachRow" });
  }

  async insertProbes(probes: readonly ProbeGiven[]): Promise<void> {
    await this.store.client.insert({
      table: "measure.probes",
      values: probes.map(probeRow),
      format: "JSONEachRow",
    });
  }

  async rows<Row>(query: string): Promise<Row[]> {
    return await (await this.store.client.query({ query, format: "JSONEachRow" })).json<Row>();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store[Symbol.asyncDispose]();
    this.#child.kill("SIGKILL");
    await this.#child.exited;
    rmSync(this.#folder, { recursive: true });
  }
}
