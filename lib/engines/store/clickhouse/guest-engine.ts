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

  #once(query: GuestQuery): Promise<Response> {
    const { url, user, password, isEmbedded } = this.#place();
    const search = new URLSearchParams([
      ...query.settings.map(([name, value]): [string, string] => [name, value]),
      ...query.params.map(([name, value]): [string, string] => [`param_${name}`, value]),
      ["database", query.database],
      ...(query.format === null ? [] : ([["default_format", query.format]] as [string, string][])),
      ...(isEmbedded ? ([["os_threads_nice_value_query", String(query.nice)]] as [string, string][]) : []),
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
