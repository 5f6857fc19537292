/** Makes one set of context from data files: if one of them is bad, the old set stays. */

import { statSync } from "node:fs";
import { basename } from "node:path";
import { ContextBuilder } from "../../lib/context/context-builder.ts";
import { DataFileError } from "../../lib/context/data-file-error.ts";
import { ContextFolder, type Manifest, type SourceNote } from "../../lib/context/disk/context-folder.ts";
import { readSource } from "../../lib/context/read-source.ts";
import { buildSet } from "../../lib/context/set-files.ts";
import { systemReason } from "../../lib/failure/system-reason.ts";
import { unpacked } from "./unpacked.ts";

interface Update {
  readonly dir: string;
  readonly date: string;
  readonly keepPrivate: boolean;
  readonly files: readonly string[];
  /** Called after each file has been read. */
  readonly note: (line: string) => void;
}

/** @throws DataFileError with the file's name in front */
export async function update({ dir, date, keepPrivate, files, note }: Update): Promise<Manifest> {
  const book = new ContextBuilder(keepPrivate);
  const sources: SourceNote[] = [];
  for (const file of files) {
    const source = await readFile(file, book);
    sources.push(source);
    note(`${file}: ${source.kind}, ${source.records} records`);
  }
  return new ContextFolder(dir).write(buildSet(book), { date, made_at: new Date().toISOString(), sources });
}

async function readFile(file: string, book: ContextBuilder): Promise<SourceNote> {
  const hasher = new Bun.CryptoHasher("sha256");
  try {
    const { size, mtime } = statSync(file);
    const { kind, count } = await readSource(
      unpacked(file, (bytes) => hasher.update(bytes)),
      book,
    );
    const sha256 = hasher.digest("hex");
    return {
      file: basename(file),
      kind,
      sha256,
      bytes: size,
      records: count,
      modified_at: mtime.toISOString(),
    };
  } catch (cause) {
    const reason = systemReason(cause);
    throw new DataFileError(file, reason, { cause });
  }
}
