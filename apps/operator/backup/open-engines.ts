/** Opens databases and stores for a backup or a restore, whether their services run or not. */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isFailure } from "../../../lib/base/failure/failure.ts";
import { printErrorLine } from "../../../lib/base/terminal/output.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { type ColumnStore, openStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { copyRunning } from "../../../lib/engines/store/postgres/embedded-copy.ts";
import { type Database, openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { Child } from "../../stack/child.ts";

const applicationName = "vantage backup";
export const embeddedDatabase = "pglite:";
export const embeddedStore = "chdb:";

/**
 * A database to read: a server's itself; of an embedded one whose gateway runs, a copy that the gateway makes, as only
 * one process may open its files. The copy lies in `work`; its address stays that of the original.
 */
export async function openToRead(address: string, work: string): Promise<Database> {
  if (!address.startsWith(embeddedDatabase)) {
    return await openDatabase(address, { applicationName });
  }
  const directory = address.slice(embeddedDatabase.length);
  if (!existsSync(join(directory, "pgdata"))) {
    throw cannot(`Cannot read the database ${address}: there is none in ${directory}`);
  }
  const target = join(work, `database-${crypto.randomUUID()}`);
  mkdirSync(target, { mode: 0o700 });
  if (!(await copyRunning(directory, target))) {
    rmSync(target, { recursive: true });
    return await openDatabase(address, { applicationName });
  }
  const database = await openDatabase(`${embeddedDatabase}${target}`, { applicationName });
  return {
    ...database,
    address,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      rmSync(target, { recursive: true, force: true });
    },
  };
}

export async function openToWrite(address: string): Promise<Database> {
  return await openDatabase(address, { applicationName });
}

/** The store; an embedded one that does not run is run for as long as it is open. */
export async function openStoreAt(address: string): Promise<ColumnStore> {
  try {
    return await openStore(address);
  } catch (error) {
    if (!address.startsWith(embeddedStore) || !isFailure(error, "store", "unavailable")) {
      throw error;
    }
  }
  const child = new Child({
    name: "store",
    args: ["store", "--dir", address.slice(embeddedStore.length), "--child"],
    say: printErrorLine,
    onStep: () => undefined,
  });
  try {
    await child.start();
    const store = await openStore(address);
    return {
      ...store,
      async [Symbol.asyncDispose]() {
        await store[Symbol.asyncDispose]();
        await child.stop();
      },
    };
  } catch (error) {
    await child.stop();
    throw error;
  }
}
