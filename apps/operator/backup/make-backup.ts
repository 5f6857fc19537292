/**
 * Copies everything, in an order in which a restore misses nothing:
 *
 * 1. the store, day by day, which may take long;
 * 2. where the ingester is in the log, then the days of the store that have changed meanwhile;
 * 3. the log, its ingester set back to (2): what the store does not have is read from the log again, and numbered
 *    replies that it has already are left out;
 * 4. the databases: every result, and every record of the log, then belongs to a measurement that they know;
 * 5. files.
 */
import { createReadStream, existsSync, mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { withoutPassword } from "../../../lib/base/failure/without-password.ts";
import { BrokerError } from "../../../lib/engines/broker/broker.ts";
import { copyLog, type GroupPositions, loggedTopics } from "../../../lib/engines/broker/embedded/copy-log.ts";
import { feedNames, feedPlace } from "../../../lib/engines/broker/ingest-feeds.ts";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { peeringSchema } from "../../peering/gateway/migrations.ts";
import { probingSchema } from "../../probing/gateway/migrations.ts";
import { copyDatabase } from "./database-copy.ts";
import type { EarlierDays } from "./earlier-days.ts";
import { copyFolder } from "./folder-copy.ts";
import type { Contents, CopiedBroker } from "./manifest.ts";
import { openStoreAt, openToRead } from "./open-engines.ts";
import type { PartFiles } from "./part-files.ts";
import type { Report } from "./report.ts";
import type { Sources } from "./source.ts";
import { StoreCopy } from "./store-copy.ts";

export const schemas = { probing: probingSchema, peering: peeringSchema } as const;

interface BackupOrder {
  readonly sources: Sources;
  readonly parts: PartFiles;
  readonly earlier: EarlierDays;
  readonly report: Report;
}

/** Copies all that it can; what failed is in the report, and nothing of it in the result. */
export async function copyAll(order: BackupOrder): Promise<Contents> {
  const { sources, parts, report } = order;
  const startedAt = new Date().toISOString();
  const work = join(parts.folder, "work");
  mkdirSync(work, { mode: 0o700 });
  try {
    const { stores, positions } = await copyStores(order);
    const brokers: CopiedBroker[] = [];
    for (const folder of sources.brokers) {
      await report.part(`broker ${folder}`, async () => {
        brokers.push(await copyBroker({ ...order, folder, work, positions }));
      });
    }
    const databases = await copyDatabases(order, work);
    const { folders, leftOut } = await copyFolders(order, work);
    const notIncluded = [...sources.notIncluded, ...leftOut];
    const finishedAt = new Date().toISOString();
    return { startedAt, finishedAt, stack: sources.stack, databases, stores, brokers, folders, notIncluded };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function copyStores({ sources, parts, earlier, report }: BackupOrder) {
  const stores: Contents["stores"] = [];
  const positions: GroupPositions[] = [];
  await using open = new AsyncDisposableStack();
  const copies: { readonly name: string; readonly copy: StoreCopy }[] = [];
  for (const address of sources.stores) {
    const name = `store ${withoutPassword(address)}`;
    await report.part(name, async () => {
      const copy = new StoreCopy(open.use(await openStoreAt(address, "read")), { parts, earlier, report });
      await copy.round();
      copies.push({ name, copy });
    });
  }
  for (const folder of sources.brokers) {
    positions.push(...(await ingestPositions(folder)));
  }
  for (const { name, copy } of copies) {
    await report.part(name, async () => {
      await copy.round();
      stores.push(await copy.result());
    });
  }
  return { stores, positions };
}

/** Where the ingester is in each topic that exists. */
async function ingestPositions(folder: string): Promise<GroupPositions[]> {
  const found: GroupPositions[] = [];
  const topics = loggedTopics(folder);
  await using broker = await openBroker(`embedded:${folder}`);
  for (const feed of feedNames) {
    const { topic, group } = feedPlace(feed);
    if (topics.includes(topic)) {
      found.push({ topic, group, positions: await broker.positions(group, topic) });
    }
  }
  return found;
}

interface BrokerOrder extends BackupOrder {
  readonly folder: string;
  readonly work: string;
  readonly positions: readonly GroupPositions[];
}

async function copyBroker({ folder, work, positions, parts, report }: BrokerOrder): Promise<CopiedBroker> {
  const topics: CopiedBroker["topics"] = [];
  if (!existsSync(folder)) {
    throw new BrokerError("refused", `Cannot copy ${folder}: the folder does not exist`);
  }
  for (const topic of loggedTopics(folder)) {
    const file = join(work, `${topic}.log`);
    const records = copyLog(folder, topic, file, positions);
    const name = `broker/${basename(folder)}/${topic}.log`;
    const part = await parts.write(name, createReadStream(file) as AsyncIterable<Uint8Array>);
    rmSync(file);
    topics.push({ topic, records, part });
    report.copied(topic, { count: records, noun: "record" }, [{ part }]);
  }
  return { from: `embedded:${folder}`, topics };
}

async function copyDatabases({ sources, parts, report }: BackupOrder, work: string) {
  const databases: Contents["databases"] = [];
  for (const { schema, address } of sources.databases) {
    await report.part(`database ${withoutPassword(address)}`, async () => {
      await using database = await openToRead(address, work);
      const copied = await copyDatabase({ database, schema: schemas[schema], parts });
      databases.push(copied);
      const rows = copied.tables.reduce((sum, table) => sum + table.rows, 0);
      report.copied(`${schema} database`, { count: rows, noun: "row" }, copied.tables);
    });
  }
  return databases;
}

async function copyFolders({ sources, parts, report }: BackupOrder, work: string) {
  const folders: Contents["folders"] = [];
  const leftOut: Contents["notIncluded"] = [];
  for (const source of sources.folders) {
    await report.part(`files of ${source.path}`, async () => {
      const copied = await copyFolder({ source, parts, work });
      const { files } = copied.folder;
      folders.push(copied.folder);
      leftOut.push(...copied.leftOut);
      const name = join(source.path, source.only?.join(", ") ?? "");
      report.copied(name, { count: files.length, noun: "file" }, files);
    });
  }
  return { folders, leftOut };
}
