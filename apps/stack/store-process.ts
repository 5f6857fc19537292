/**
 * `vantage stack store`: ClickHouse on one directory, behind HTTP on the loopback, until it is stopped.
 *
 * The system chooses the port and the secret is new at each start; both are in `endpoint.json` of the directory, which
 * only its owner may read.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { lockDirectory } from "../../lib/base/disk/directory-lock.ts";
import { removeEndpoint, writeEndpoint } from "../../lib/engines/store/clickhouse/endpoint-file.ts";
import { ChdbThreads } from "./chdb-threads.ts";
import { writeAccounts } from "./engine-accounts.ts";
import { requestBytesMax } from "./limits.ts";
import { StopRequest, tellParent } from "./parent.ts";
import { StoreEndpoint } from "./store-endpoint.ts";

const tokenBytes = 32;

/** Resolves when the process was stopped, and everything is on disk. */
export async function runStoreProcess(directory: string, hasParent: boolean): Promise<void> {
  using stop = new StopRequest(hasParent);
  using _lock = lockDirectory(directory, "a store");
  const data = join(directory, "clickhouse");
  mkdirSync(data, { recursive: true, mode: 0o700 });
  writeAccounts(data);
  tellParent({ kind: "step", text: "loads ClickHouse" });
  const threads = await ChdbThreads.open(data);
  const token = randomBytes(tokenBytes).toString("hex");
  const endpoint = new StoreEndpoint(threads, token);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    maxRequestBodySize: requestBytesMax,
    // A long query is silent for as long as it takes.
    idleTimeout: 0,
    fetch: (request) => endpoint.answer(request),
  });
  writeEndpoint(directory, { url: server.url.origin, token, pid: process.pid });
  tellParent({ kind: "ready", text: server.url.origin });
  await stop.came;
  removeEndpoint(directory);
  await server.stop();
  await threads.close();
}
