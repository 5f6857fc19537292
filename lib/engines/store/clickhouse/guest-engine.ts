/**
 * Runs statements of readers at a column store's engine, by HTTP, as the engine's account `vantage_sql` (door.ts): the
 * same requests to a ClickHouse server and to the process of an embedded store.
 */
import { embeddedFolder } from "../../../base/api/embedded-folder.ts";
import { Failure, isFailure } from "../../../base/failure/failure.ts";
import { systemReason } from "../../../base/failure/system-reason.ts";
import { guestAccount } from "./door.ts";
import { readEndpoint } from "./endpoint-file.ts";

interface GuestPlace {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly isEmbedded: boolean;
}

interface GuestQuery {
  readonly sql: string;
  readonly format: string | null;
  readonly database: string;
  /** Version of the Native format that the client reads; null = the oldest. */
  readonly protocolVersion: string | null;
  readonly params: readonly (readonly [name: string, value: string])[];
  readonly settings: readonly (readonly [name: string, value: string])[];
  /** Digests of the sets whose rows may be seen. */
  readonly sets: readonly string[];
  /** 0 to 19: the embedded engine's threads for it yield to others; at a server it means nothing. */
  readonly nice: number;
  readonly signal: AbortSignal;
}

/** Settings that a statement cannot change, as `readonly` comes with them. */
const locked = { readonly: "1", enable_http_compression: "0", wait_end_of_query: "0" } as const;

export class GuestEngine {
  readonly #place: () => GuestPlace;

  /** `chdb:DIR`, or `http(s)://USER:PASSWORD@HOST:PORT` with the account of readers. */
  constructor(address: string) {
    const directory = embeddedFolder("store", address);
    const server = directory === null ? serverPlace(address) : null;
    this.#place = () => server ?? embeddedPlace(directory ?? "");
  }

  /**
   * The engine's own response, also where it refuses. Tries twice: a kept connection may have ended, and an embedded
   * store has another port after each start. Rejects with Failure `store` `unavailable`.
   */
  async run(query: GuestQuery): Promise<Response> {
    try {
      return await this.#once(query);
    } catch {
      query.signal.throwIfAborted();
    }
    try {
      return await this.#once(query);
    } catch (cause) {
      query.signal.throwIfAborted();
      throw isFailure(cause, "store")
        ? cause
        : new Failure("store", "unavailable", `Cannot reach the column store: ${systemReason(cause)}`, {
            cause,
          });
    }
  }

  async #once(query: GuestQuery): Promise<Response> {
    const place = this.#place();
    const { sql, format, protocolVersion } = query;
    if (!place.isEmbedded || protocolVersion === null || !isNativeHello(sql, format)) {
      return await this.#ask(place, query);
    }
    const known = { sql: "SELECT version(), timezone()", format: "TabSeparated" };
    const response = await this.#ask(place, { ...query, ...known });
    const [version = "", timeZone = ""] = response.ok ? (await response.text()).trim().split("\t") : [];
    return response.ok
      ? new Response(nativeHello(version, timeZone), {
          headers: { "content-type": "application/octet-stream" },
        })
      : response;
  }

  #ask({ url, user, password, isEmbedded }: GuestPlace, query: GuestQuery): Promise<Response> {
    const search = new URLSearchParams([
      ...query.settings.map(([name, value]): [string, string] => [name, value]),
      ...query.params.map(([name, value]): [string, string] => [`param_${name}`, value]),
      ["database", query.database],
      ...(query.format === null ? [] : ([["default_format", query.format]] as [string, string][])),
      ...(isEmbedded ? ([["os_threads_nice_value_query", String(query.nice)]] as [string, string][]) : []),
      ...(isEmbedded || query.protocolVersion === null
        ? []
        : ([["client_protocol_version", query.protocolVersion]] as [string, string][])),
      ["log_comment", query.sets.join()],
      ...Object.entries(locked),
    ]);
    return fetch(`${url}/?${search}`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${user}:${password}`)}`, "accept-encoding": "identity" },
      body: query.sql,
      signal: query.signal,
      redirect: "error",
    });
  }
}

function embeddedPlace(directory: string): GuestPlace {
  const endpoint = readEndpoint(directory);
  if (endpoint === null) {
    throw new Failure(
      "store",
      "unavailable",
      `Cannot open the column store chdb:${directory}: nothing runs it`,
    );
  }
  return { url: endpoint.url, user: guestAccount, password: endpoint.token, isEmbedded: true };
}

function serverPlace(address: string): GuestPlace {
  const url = new URL(address);
  const path = url.pathname.replace(/\/$/, "");
  return {
    url: `${url.origin}${path}`,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    isEmbedded: false,
  };
}

/**
 * The first statement of clickhouse-go over HTTP. The client reads its response in the form of the protocol version
 * that it requested, and all others in that of the revision in the response. The embedded engine writes the Native
 * format only in its oldest form, revision 0; a ClickHouse server writes what is requested.
 */
const hello = /^\s*SELECT displayName\(\), version\(\), revision\(\), timezone\(\)\s*$/;

function isNativeHello(sql: string, format: string | null): boolean {
  return format === "Native" && hello.test(sql);
}

/** One block of one row; with the block's head, and the byte of each column's serialization of revision 54454. */
function nativeHello(version: string, timeZone: string): Uint8Array<ArrayBuffer> {
  const revision = [0, 0, 0, 0];
  return new Uint8Array([
    // Fields of the block by number: no overflow, no bucket.
    ...[1, 0, 2, 0xff, 0xff, 0xff, 0xff, 0],
    ...[4, 1],
    ...column("displayName()", "String", text("vantage")),
    ...column("version()", "String", text(version)),
    ...column("revision()", "UInt32", revision),
    ...column("timezone()", "String", text(timeZone)),
  ]);
}

function column(name: string, type: string, value: readonly number[]): number[] {
  return [...text(name), ...text(type), 0, ...value];
}

/** Up to 127 bytes: the length is one. */
function text(given: string): number[] {
  const bytes = new TextEncoder().encode(given).subarray(0, 127);
  return [bytes.length, ...bytes];
}
