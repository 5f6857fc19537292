/** Which version each configured database, store and log has, and what this program would apply. Changes nothing. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import { withoutPassword } from "../../../lib/base/failure/without-password.ts";
import { loggedTopics, logVersion } from "../../../lib/engines/broker/embedded/copy-log.ts";
import { schemaVersion as ownLogVersion } from "../../../lib/engines/broker/embedded/log-schema.ts";
import { storeVersion } from "../../../lib/engines/store/clickhouse/migrate.ts";
import { migrations } from "../../../lib/engines/store/clickhouse/migrations.ts";
import { schemaVersion } from "../../../lib/engines/store/postgres/migrate.ts";
import { schemas } from "../backup/make-backup.ts";
import { openStoreAt, openToRead } from "../backup/open-engines.ts";
import type { Sources } from "../backup/source.ts";

export interface SchemaState {
  /** `probing database`, for one. */
  readonly part: string;
  /** Without password. */
  readonly address: string;
  /** Now; null = it cannot be read. */
  readonly version: number | null;
  readonly newVersion: number;
  /** Names of what would be applied. */
  readonly migrations: readonly string[];
  /** Why this program cannot use it; null = it can. */
  readonly problem: string | null;
}

export async function schemaStates(sources: Sources): Promise<SchemaState[]> {
  const work = mkdtempSync(join(tmpdir(), "vantage-upgrade-"));
  try {
    const states: SchemaState[] = [];
    for (const { schema, address } of sources.databases) {
      const own = schemas[schema].migrations.map(({ name }) => name);
      const part = { part: `${schema} database`, address: withoutPassword(address), own };
      states.push(
        await stateOf(part, async () => {
          await using database = await openToRead(address, work);
          return await schemaVersion(database, schemas[schema]);
        }),
      );
    }
    const own = migrations.map(({ name }) => name);
    for (const address of sources.stores) {
      states.push(
        await stateOf({ part: "column store", address: withoutPassword(address), own }, async () => {
          await using store = await openStoreAt(address, "read");
          return await storeVersion(store);
        }),
      );
    }
    return [...states, ...(await logStates(sources))];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function logStates({ brokers }: Sources): Promise<SchemaState[]> {
  const own = Array.from({ length: ownLogVersion }, (_, i) => `version ${i + 1}`);
  const states: SchemaState[] = [];
  for (const folder of brokers) {
    for (const topic of loggedTopics(folder)) {
      const part = { part: `log ${topic}`, address: `embedded:${folder}`, own };
      states.push(await stateOf(part, () => Promise.resolve(logVersion(folder, topic))));
    }
  }
  return states;
}

interface Known {
  readonly part: string;
  readonly address: string;
  /** Names of all migrations of this program, oldest first. */
  readonly own: readonly string[];
}

async function stateOf({ part, address, own }: Known, read: () => Promise<number>): Promise<SchemaState> {
  const all = { part, address, newVersion: own.length };
  try {
    const version = await read();
    return version > own.length
      ? { ...all, version, migrations: [], problem: "it is of a newer program; install a newer Vantage" }
      : { ...all, version, migrations: own.slice(version), problem: null };
  } catch (error) {
    return { ...all, version: null, migrations: [], problem: systemReason(error) };
  }
}
