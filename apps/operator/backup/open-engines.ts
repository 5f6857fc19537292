/** Opens databases and stores for a backup or a restore, whether their services run or not. */

import { constants, cpSync, existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { embeddedFolder, embeddedSchemes } from "../../../lib/base/api/embedded-folder.ts";
import { lockDirectory } from "../../../lib/base/disk/directory-lock.ts";
import { isFailure } from "../../../lib/base/failure/failure.ts";
import { withoutPassword } from "../../../lib/base/failure/without-password.ts";
import { printErrorLine } from "../../../lib/base/terminal/output.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { type ColumnStore, openStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { copyRunning } from "../../../lib/engines/store/postgres/embedded-copy.ts";
import { type Database, openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { Child } from "../../stack/child.ts";
import { reachable } from "./in-containers.ts";

const applicationName = "vantage backup";

/**
 * A database to read: a server's itself; of an embedded one a copy in `work`, with the address of the original. Where
 * its gateway runs, that makes the copy, as only one process may open the files.
 */
export async function openToRead(address: string, work: string): Promise<Database> {
  const directory = embeddedFolder("database", address);
  if (directory === null) {
    return await openToWrite(address);
  }
  if (!existsSync(join(directory, "pgdata"))) {
    throw cannot(`Cannot read the database ${address}: there is none in ${directory}`);
  }
  const target = join(work, `database-${crypto.randomUUID()}`);
  mkdirSync(target, { mode: 0o700 });
  if (!(await copyRunning(directory, target))) {
    copyStopped(directory, target);
  }
  const database = await openDatabase(`${embeddedSchemes.database}${target}`, { applicationName });
  return {
    ...database,
    address,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      rmSync(target, { recursive: true, force: true });
    },
  };
}

/** Opened where it is, files of root would be left behind, which its gateway could not use. */
function copyStopped(directory: string, target: string): void {
  using _lock = lockDirectory(directory, "its database");
  const name = "pgdata";
  cpSync(join(directory, name), join(target, name), { recursive: true, mode: constants.COPYFILE_FICLONE });
}

export async function openToWrite(address: string): Promise<Database> {
  const database = await openDatabase(reachable(address), { applicationName });
  return embeddedFolder("database", address) === null
    ? { ...database, address: withoutPassword(address) }
    : database;
}

/** Throws CommandError for a store of another user's service, whose folder would then have files of root. */
function mustBeOwn(directory: string): void {
  const owner = existsSync(directory) ? statSync(directory).uid : 0;
  if (process.getuid?.() === 0 && owner !== 0) {
    throw cannot(
      `Cannot run the store in ${directory}, which belongs to another user: start its service, or run this as that ` +
        `user, as with: setpriv --reuid=${owner} --clear-groups vantage …`,
    );
  }
}

/** As a store is shown. */
function withoutLogin(address: string): string {
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}`;
}

/**
 * The store; an embedded one that does not run is run for as long as it is open. `fill`: its folder is new, and gets
 * its owner afterwards.
 */
export async function openStoreAt(address: string, purpose: "read" | "fill"): Promise<ColumnStore> {
  const directory = embeddedFolder("store", address);
  try {
    const place = reachable(address);
    const store = await openStore(place);
    return place === address ? store : { ...store, address: withoutLogin(address) };
  } catch (error) {
    if (directory === null || !isFailure(error, "store", "unavailable")) {
      throw error;
    }
  }
  if (purpose === "read") {
    mustBeOwn(directory);
  }
  const child = new Child({
    name: "store",
    args: ["store", "--dir", directory, "--child"],
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
