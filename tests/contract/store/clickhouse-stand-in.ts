/**
 * Where a ClickHouse server would be: its HTTP at a port of its own, chDB behind, and answers that get lost.
 *
 * As a server does, it runs one query of an id at a time, and goes on with one whose client has gone. Its own means
 * against taking a block twice are off: so it is what is stored that decides, or a test sees it.
 */
import { mkdirSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readEndpoint, writeEndpoint } from "../../../lib/engines/store/clickhouse/endpoint-file.ts";
import type { TestStore } from "./processes.ts";

/** ClickHouse's number for "a query of this id is running". */
const sameIdIsRunning = 216;
const token = "insert_deduplication_token";

export class ClickHouseStandIn implements AsyncDisposable {
  /** Inserts that were done. */
  inserts = 0;
  /** Called when an insert is done, before its answer; true = nobody hears the answer. */
  onInserted: () => boolean | Promise<boolean> = () => false;
  /** Inserts to come whose connection breaks before they are done. */
  breaking = 0;
  /** Milliseconds that those go on for. */
  readonly #slowMs = 1000;
  /** Tries that were refused, because one of their id was running. */
  refused = 0;
  readonly #store: TestStore;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #running = new Set<string>();

  private constructor(store: TestStore) {
    this.#store = store;
  }

  static async start(store: TestStore): Promise<ClickHouseStandIn> {
    const standIn = new ClickHouseStandIn(store);
    await new Promise<void>((resolve) => {
      standIn.#server.listen(0, "127.0.0.1", resolve);
    });
    return standIn;
  }

  /** By either kind of address: a server's, or that of an embedded store whose process this seems to be. */
  address(kind: "embedded" | "server"): string {
    const { port } = this.#server.address() as AddressInfo;
    const password = "the-password";
    if (kind === "server") {
      return `http://vantage:${password}@127.0.0.1:${port}`;
    }
    const folder = this.#store.below("seeming");
    mkdirSync(folder, { recursive: true });
    writeEndpoint(folder, { url: `http://127.0.0.1:${port}`, token: password, pid: process.pid });
    return `chdb:${folder}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://stand-in");
    const body = Buffer.concat(await Array.fromAsync(request));
    const id = url.searchParams.get("query_id") ?? "";
    const isInsert = url.searchParams.get("query")?.startsWith("INSERT INTO measure.from_") === true;
    if (this.#running.has(id)) {
      this.refused++;
      response.writeHead(500, { "X-ClickHouse-Exception-Code": String(sameIdIsRunning) });
      response.end(
        `Code: ${sameIdIsRunning}. DB::Exception: Query with id = ${id} is already running. ` +
          "(QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING)",
      );
      return;
    }
    if (isInsert) {
      this.#running.add(id);
    }
    try {
      if (isInsert && this.breaking > 0) {
        this.breaking--;
        request.socket.destroy();
        await Bun.sleep(this.#slowMs);
      }
      const found = await this.#pass(request.method ?? "GET", url, body);
      if (isInsert && found.ok) {
        this.inserts++;
        if (await this.onInserted()) {
          request.socket.destroy();
          return;
        }
      }
      response.writeHead(found.status, Object.fromEntries(found.headers));
      response.end(Buffer.from(await found.arrayBuffer()));
    } catch {
      // The store is away.
      request.socket.destroy();
    } finally {
      this.#running.delete(id);
    }
  }

  #pass(method: string, url: URL, body: Buffer): Promise<Response> {
    const place = readEndpoint(this.#store.below("store"));
    // A block that is there is else known by its hash.
    if (url.searchParams.has(token)) {
      url.searchParams.delete(token);
      url.searchParams.set("insert_deduplicate", "0");
      url.searchParams.set("deduplicate_insert", "disable");
    }
    const authorization = `Basic ${btoa(`vantage:${place?.token ?? ""}`)}`;
    return fetch(new URL(url.pathname + url.search, place?.url), {
      ...{ method, headers: { authorization }, decompress: false },
      ...(method === "POST" ? { body } : {}),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
