/** Makes one set of context from data files: if one of them is bad, the old set stays. */

import { statSync } from "node:fs";
import { basename } from "node:path";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import type { PassedOver } from "../../../lib/base/list/passed-over.ts";
import { CommandError, cannot } from "../../../lib/command/command/command-error.ts";
import { fileWords, recordChunks } from "../../../lib/command/command/file-chunks.ts";
import { ContextBuilder } from "../../../lib/measuring/context/context-builder.ts";
import { DataFileError } from "../../../lib/measuring/context/data-file-error.ts";
import {
  ContextFolder,
  type Manifest,
  type SourceNote,
} from "../../../lib/measuring/context/disk/context-folder.ts";
import { readSource } from "../../../lib/measuring/context/read-source.ts";
import { buildSet } from "../../../lib/measuring/context/set-files.ts";

interface UpdateOrder {
  readonly dir: string;
  readonly date: string;
  readonly keepPrivate: boolean;
  readonly files: readonly string[];
  /** Called after each file has been read. */
  readonly note: (line: string) => void;
}

interface Updated extends Manifest {
  /** What files have, and the set did not get. */
  readonly passedOver: PassedOver;
}

/**
 * @throws DataFileError with the file's name in front, CommandError where a file cannot be opened or the set would be
 * empty, although files are not
 */
export async function update({ dir, date, keepPrivate, files, note }: UpdateOrder): Promise<Updated> {
  const builder = new ContextBuilder(keepPrivate);
  const sources: SourceNote[] = [];
  for (const file of files) {
    const source = await readFile(file, builder);
    sources.push(source);
    note(`${fileWords(file)}: ${source.kind}, ${source.records} records`);
  }
  const { passedOver } = builder;
  const set = buildSet(builder);
  const { prefixesLeftOut, ...counts } = set.counts;
  const isEmpty = Object.values(counts).every((count) => count === 0);
  if (isEmpty && (sources.some(({ records }) => records > 0) || passedOver.lines().length > 0)) {
    const left =
      prefixesLeftOut === 0 ? [] : [`${prefixesLeftOut} left out: prefixes that too few peers see`];
    const why = [...left, ...passedOver.lines()].map((line) => `; ${line}`).join("");
    throw cannot(`Cannot make a set: nothing in these files counts for one${why}`);
  }
  const manifest = new ContextFolder(dir).write(set, { date, made_at: new Date().toISOString(), sources });
  return { ...manifest, passedOver };
}

async function readFile(file: string, builder: ContextBuilder): Promise<SourceNote> {
  const hasher = new Bun.CryptoHasher("sha256");
  const name = fileWords(file);
  let bytes = 0;
  builder.fileName = name;
  try {
    const modifiedAt = file === "-" ? new Date() : statSync(file).mtime;
    const onBytes = (chunk: Uint8Array) => {
      hasher.update(chunk);
      bytes += chunk.length;
    };
    const { kind, count } = await readSource(recordChunks(file, onBytes), builder);
    return {
      ...{ file: file === "-" ? "-" : basename(file), kind, sha256: hasher.digest("hex"), bytes },
      ...{ records: count, modified_at: modifiedAt.toISOString() },
    };
  } catch (cause) {
    throw cause instanceof CommandError ? cause : new DataFileError(name, systemReason(cause), { cause });
  }
}
