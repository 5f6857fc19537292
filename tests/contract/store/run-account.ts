/**
 * The embedded store, whose every statement has the rights of one account: `bun run-account.ts DIR CONFIG`, until
 * standard input ends. The engine takes its configuration from the first connection of a process.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { runStoreProcess } from "../../../apps/stack/store-process.ts";
import { ChdbConnection } from "../../../ffi/chdb.ts";

const [folder = "", configuration = ""] = Bun.argv.slice(2);
const data = join(folder, "clickhouse");
mkdirSync(data, { recursive: true });
const first = new ChdbConnection(data, { "config-file": configuration });
await runStoreProcess(folder, true);
first.close();
