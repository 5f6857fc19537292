/**
 * `backup.json`: what a backup holds, from where, with checksums and row counts. It is written last: without it, the
 * backup is not whole.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { isTopicName } from "../../../lib/engines/broker/topic-name.ts";
import { historyDaysDefault } from "../../../lib/engines/store/clickhouse/limits.ts";
import { sealText, unsealText } from "./manifest-cipher.ts";

/** Version of the folder and of its files. */
const formatVersion = 1;
const fileName = "backup.json";
/** While a backup is written, and after one that was interrupted. */
const unfinishedName = "backup.unfinished";

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** A path that stays below its folder. */
const below = v.pipe(
  v.string(),
  v.check(
    (path) => path !== "" && !path.startsWith("/") && !path.split("/").includes(".."),
    "leaves its folder",
  ),
);
/** Names that become part of a statement of ClickHouse. */
const qualifiedName = v.pipe(v.string(), v.regex(/^\w+\.\w+$/));
const columnName = v.pipe(v.string(), v.regex(/^\w+$/));
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

const partSchema = v.object({
  file: below,
  bytes: count,
  sha256,
  content: v.object({ bytes: count, sha256, lines: count }),
});

const databaseSchema = v.object({
  name: v.picklist(["probing", "peering"]),
  /** Address, without password. */
  from: v.string(),
  schemaVersion: count,
  tables: v.array(
    v.object({ table: v.string(), columns: v.array(v.string()), rows: count, part: partSchema }),
  ),
  sequences: v.array(v.object({ name: v.string(), value: v.string() })),
});

const dayTableSchema = v.object({
  table: qualifiedName,
  columns: v.array(columnName),
  rows: count,
  days: v.array(
    v.object({
      day: v.pipe(v.string(), v.isoDate()),
      rows: count,
      /** Changes when the store changes any file of the day. */
      state: v.string(),
      part: partSchema,
    }),
  ),
});

const storeSchema = v.object({
  from: v.string(),
  schemaVersion: count,
  ttlDays: count,
  /** Absent in backups of former versions, which had no history. */
  historyDays: v.optional(count, historyDaysDefault),
  tables: v.array(dayTableSchema),
});

const brokerSchema = v.object({
  from: v.string(),
  topics: v.array(
    v.object({
      topic: v.pipe(v.string(), v.check(isTopicName, "is not a topic")),
      records: count,
      part: partSchema,
    }),
  ),
});

const fileMode = v.pipe(count, v.maxValue(0o7777));

const folderSchema = v.object({
  from: v.string(),
  /** Folders with files in them, `.` for the whole; absent in backups of former versions. */
  directories: v.optional(v.array(v.object({ path: below, mode: fileMode })), []),
  files: v.array(v.object({ path: below, mode: fileMode, part: partSchema })),
});

const contentsSchema = v.object({
  startedAt: v.string(),
  finishedAt: v.string(),
  /** Folder of `vantage stack`; null = none. */
  stack: v.nullable(v.string()),
  databases: v.array(databaseSchema),
  stores: v.array(storeSchema),
  brokers: v.array(brokerSchema),
  folders: v.array(folderSchema),
  notIncluded: v.array(v.object({ what: v.string(), why: v.string() })),
});

const headSchema = v.object({ format: count, vantage: v.string() });
const plainSchema = v.object({ ...headSchema.entries, contents: contentsSchema });
const encryptedSchema = v.object({ ...headSchema.entries, encrypted: v.string() });
const innerSchema = v.object({ key: v.string(), contents: contentsSchema });

export type Part = v.InferOutput<typeof partSchema>;
export type CopiedDatabase = v.InferOutput<typeof databaseSchema>;
export type CopiedTable = v.InferOutput<typeof dayTableSchema>;
export type CopiedStore = v.InferOutput<typeof storeSchema>;
export type CopiedBroker = v.InferOutput<typeof brokerSchema>;
export type CopiedFolder = v.InferOutput<typeof folderSchema>;
export type Contents = v.InferOutput<typeof contentsSchema>;

export interface Backup {
  readonly vantage: string;
  readonly contents: Contents;
  /** Null = not encrypted. */
  readonly key: Uint8Array<ArrayBuffer> | null;
}

export function markUnfinished(folder: string): void {
  writeFileSync(join(folder, unfinishedName), "This backup is being written, or was interrupted.\n", {
    mode: 0o600,
    flag: "wx",
  });
}

/** `passphrase`: null = not encrypted. From here on the backup is whole. */
export async function writeManifest(
  folder: string,
  { vantage, contents, key }: Backup,
  passphrase: string | null,
): Promise<void> {
  const head = { format: formatVersion, vantage };
  const whole =
    passphrase === null || key === null
      ? { ...head, contents }
      : { ...head, encrypted: await sealText(JSON.stringify({ key: key.toBase64(), contents }), passphrase) };
  const path = join(folder, fileName);
  writeFileSync(`${path}.new`, `${JSON.stringify(whole, null, 1)}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  rmSync(join(folder, unfinishedName));
}

/** Rejects with CommandError: no backup, an interrupted one, a newer format, a missing or wrong passphrase. */
export async function readManifest(folder: string, passphrase: string | null): Promise<Backup> {
  const path = join(folder, fileName);
  if (existsSync(join(folder, unfinishedName))) {
    throw cannot(`Cannot use ${folder}: the backup was interrupted, or is still being written; make another`);
  }
  try {
    const given: unknown = JSON.parse(readFileSync(path, "utf8"));
    const { format, vantage } = v.parse(headSchema, given);
    if (format > formatVersion) {
      const known = `this program knows up to ${formatVersion}; install Vantage ${vantage} or newer`;
      throw new Error(`it has format ${format}, ${known}`);
    }
    const encrypted = v.safeParse(encryptedSchema, given);
    if (!encrypted.success) {
      return { vantage, contents: v.parse(plainSchema, given).contents, key: null };
    }
    if (passphrase === null) {
      throw new Error("it is encrypted: give its passphrase with --key-file FILE");
    }
    const text = await unsealText(encrypted.output.encrypted, passphrase);
    const { key, contents } = v.parse(innerSchema, JSON.parse(text));
    return { vantage, contents, key: Uint8Array.fromBase64(key) };
  } catch (cause) {
    throw cannot(`Cannot use the backup ${path}: ${systemReason(cause)}`, { cause });
  }
}
