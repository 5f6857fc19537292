/**
 * Opens the column store by address: `chdb:DIR` is the embedded one, which `vantage stack` runs in a process of its
 * own on that directory; `http(s)://[USER[:PASSWORD]@]HOST[:PORT][/PATH]` is a ClickHouse server, 24 or newer, with a
 * path where a proxy has it below one. The same client speaks to both.
 */
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { embeddedFolder, embeddedSchemes } from "../../../base/api/embedded-folder.ts";
import { Failure } from "../../../base/failure/failure.ts";
import { systemReason } from "../../../base/failure/system-reason.ts";
import { withoutPassword } from "../../../base/failure/without-password.ts";
import { readEndpoint } from "./endpoint-file.ts";
import { requestTimeoutMs } from "./limits.ts";
import type { StoreKind } from "./migrations.ts";

export interface ColumnStore extends AsyncDisposable {
  readonly kind: StoreKind;
  /** For display: without the password. */
  readonly address: string;
  readonly client: ClickHouseClient;
}

/**
 * Resolves when the store answers. Rejects with Failure `store`: `badAddress`, or `unavailable` when nothing answers.
 * An embedded store is found by the file that its process keeps in the directory.
 */
export async function openStore(address: string): Promise<ColumnStore> {
  const directory = embeddedFolder("store", address);
  const place = directory === null ? serverPlace(address) : embeddedPlace(directory);
  const client = createClient({
    url: place.url,
    ...(place.path === "" ? {} : { pathname: place.path }),
    username: place.username,
    password: place.password,
    request_timeout: requestTimeoutMs,
    // Each insert returns only when it is stored. Subqueries of a front see the rows of all shards.
    clickhouse_settings: { async_insert: 0, distributed_product_mode: "global" },
    application: "vantage",
    // Every failure is thrown too; the catcher decides what to log.
    log: { level: ClickHouseLogLevel.OFF },
  });
  const store = {
    kind: place.kind,
    address: place.shown,
    client,
    [Symbol.asyncDispose]: () => client.close(),
  };
  const answer = await client.ping({ select: true });
  if (!answer.success) {
    await client.close();
    throw new Failure(
      "store",
      "unavailable",
      `Cannot reach the column store ${place.shown}: ${reasonOf(answer.error)}`,
      {
        cause: answer.error,
      },
    );
  }
  return store;
}

interface StoreAddress {
  readonly kind: StoreKind;
  readonly url: string;
  /** As a proxy has the server below it; empty = none. In a URL the client would take it for a database. */
  readonly path: string;
  readonly username: string;
  readonly password: string;
  readonly shown: string;
}

function embeddedPlace(directory: string): StoreAddress {
  const shown = `${embeddedSchemes.store}${directory}`;
  if (directory === "") {
    throw new Failure(
      "store",
      "badAddress",
      `Cannot open the column store "${shown}": name its directory, as chdb:DIR`,
    );
  }
  const endpoint = readEndpoint(directory);
  if (endpoint === null) {
    throw new Failure(
      "store",
      "unavailable",
      `Cannot open the column store ${shown}: nothing runs it; start it with vantage stack`,
    );
  }
  const login = { username: "vantage", password: endpoint.token };
  return { kind: "embedded", url: endpoint.url, path: "", ...login, shown };
}

function serverPlace(address: string): StoreAddress {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new Failure(
      "store",
      "badAddress",
      `Cannot open the column store "${withoutPassword(address)}": give chdb:DIR or http(s)://HOST:PORT`,
    );
  }
  const path = url.pathname === "/" ? "" : url.pathname;
  const shown = `${url.origin}${path}`;
  if (url.search !== "" || url.hash !== "") {
    const reason = "it has a query or a fragment behind the path: leave them out";
    throw new Failure("store", "badAddress", `Cannot open the column store ${shown}: ${reason}`);
  }
  const { username, password } = loginOf(url, shown);
  return { kind: "server", url: url.origin, path, username, password, shown };
}

function loginOf(url: URL, shown: string): Pick<StoreAddress, "username" | "password"> {
  try {
    const [username, password] = [url.username, url.password].map(decodeURIComponent);
    return { username: username || "default", password: password ?? "" };
  } catch {
    const reason = "its user or password has a % that is not the begin of an escape: write it as %25";
    throw new Failure("store", "badAddress", `Cannot open the column store ${shown}: ${reason}`);
  }
}

/** Node's connection errors often have no message of their own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return reasonOf(error.errors[0]);
  }
  return systemReason(error);
}
