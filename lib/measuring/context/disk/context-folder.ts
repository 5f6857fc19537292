/**
 * Sets of context on disk: `FOLDER/DATE/`, one for each day, each with a manifest, its tables and its lists.
 *
 * A set is written beside the others under a name that readers ignore, and renamed when it is complete, so that a
 * reader finds either the old set or the new one. It never changes afterwards.
 */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { ContextSet } from "../context-set.ts";
import { DataFileError } from "../data-file-error.ts";
import { type BuiltSet, readSet, type SetFiles, type SetLists, tableNames } from "../set-files.ts";

export const sourceSchema = v.object({
  file: v.string(),
  kind: v.string(),
  sha256: v.string(),
  bytes: v.number(),
  records: v.number(),
  /** When the file was last written. */
  modified_at: v.string(),
});

/** 1 was 0.1.0's, without AS relationships and paths in BGP. */
const format = 2;

const manifestSchema = v.object({
  format: v.literal(format),
  date: v.string(),
  made_at: v.string(),
  sources: v.array(sourceSchema),
  counts: v.record(v.string(), v.number()),
  /** SHA-256 of each file of the set. */
  files: v.record(v.string(), v.string()),
});

export type SourceNote = v.InferOutput<typeof sourceSchema>;
export type Manifest = v.InferOutput<typeof manifestSchema>;

/** Results live for 7 days; two months of sets leave room for longer retention and cost 60 x 50 MB. */
export const setsMax = 60;

const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const manifestName = "manifest.json";
const listsName = "lists.json";

/** The day whose set applies, of days in order: the last one up to `date`, else the first one after it. */
export function dateAmong(dates: readonly string[], date: string): string | null {
  return dates.findLast((day) => day <= date) ?? dates[0] ?? null;
}

export class ContextFolder {
  constructor(readonly path: string) {}

  /** Days that have a set, the oldest first; none when there is no folder. */
  dates(): string[] {
    try {
      return readdirSync(this.path)
        .filter((name) => datePattern.test(name))
        .sort();
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") {
        return [];
      }
      throw error;
    }
  }

  /** The day whose set applies to `date`: the last one up to it, else the first one after it. */
  dateFor(date: string): string | null {
    return dateAmong(this.dates(), date);
  }

  /** @throws DataFileError when it is not a manifest, or has the format of another version */
  manifest(date: string): Manifest {
    const path = join(this.path, date, manifestName);
    const json = this.#json(date, manifestName);
    const other = v.safeParse(v.object({ format: v.number() }), json);
    if (other.success && other.output.format !== format) {
      const made = `the set is of format ${other.output.format}, and this version reads format ${format}`;
      const advice = `make it again (vantage context update --date ${date} FILE…), or remove the folder`;
      throw new DataFileError(path, `${made}: ${advice}`);
    }
    const parsed = v.safeParse(manifestSchema, json);
    if (!parsed.success) {
      throw new DataFileError(path, "not the manifest of a set of context");
    }
    return parsed.output;
  }

  /** @throws DataFileError on a file that is not whole, and on another version's set */
  open(date: string): ContextSet {
    return new ContextSet(this.files(date));
  }

  /** The tables and lists of a set. @throws DataFileError on a file that is not whole, and on another version's set */
  files(date: string): SetFiles {
    this.manifest(date);
    const bytes = (name: string) => new Uint8Array(readFileSync(join(this.path, date, `${name}.tab`)));
    // We wrote the lists ourselves: the tables that point into them fix their shape.
    const lists = this.#json(date, listsName) as SetLists;
    return readSet(bytes, lists);
  }

  /**
   * Replaces the set of its day, and removes the oldest sets beyond `setsMax`.
   *
   * @returns the manifest as written
   */
  write(set: BuiltSet, about: Pick<Manifest, "date" | "made_at" | "sources">): Manifest {
    mkdirSync(this.path, { recursive: true });
    const temporary = mkdtempSync(join(this.path, ".new-"));
    chmodSync(temporary, 0o755);
    try {
      const files: Record<string, string> = {};
      const put = (name: string, bytes: Uint8Array) => {
        writeFileSync(join(temporary, name), bytes);
        files[name] = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
      };
      for (const name of tableNames) {
        put(`${name}.tab`, set.tables[name]);
      }
      put(listsName, new TextEncoder().encode(JSON.stringify(set.lists)));
      const manifest: Manifest = { format, ...about, counts: { ...set.counts }, files };
      writeFileSync(join(temporary, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
      this.#replace(temporary, about.date);
      return manifest;
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  }

  #replace(temporary: string, date: string): void {
    const target = join(this.path, date);
    const old = `${temporary}-old`;
    if (this.dates().includes(date)) {
      renameSync(target, old);
    }
    renameSync(temporary, target);
    rmSync(old, { recursive: true, force: true });
    for (const oldest of this.dates().slice(0, -setsMax)) {
      rmSync(join(this.path, oldest), { recursive: true, force: true });
    }
  }

  #json(date: string, name: string): unknown {
    const path = join(this.path, date, name);
    try {
      return JSON.parse(readFileSync(path, "utf8"));
    } catch (cause) {
      throw new DataFileError(path, "cannot be read as JSON", { cause });
    }
  }
}
