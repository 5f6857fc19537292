/** Compares an export with its manifest, recounts its rows, and lists each difference. */
import { createReadStream, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { exportTextBytesMax } from "../limits.ts";
import { descriptionName, descriptionSchema } from "./description.ts";
import { manifestName } from "./frozen-folder.ts";
import { rowsOfParquetFile } from "./parquet-file.ts";

interface Verified {
  /** A sentence for each difference; none when everything matches. */
  readonly differences: readonly string[];
  readonly files: number;
  readonly rows: number;
}

/** Rejects with CommandError when the folder is not an export. */
export async function verifyExport(folder: string, onFile: (name: string) => void): Promise<Verified> {
  const sums = manifestOf(folder);
  const differences: string[] = [];
  for (const name of entriesOf(folder)) {
    if (name !== manifestName && !sums.has(name)) {
      differences.push(`${name}: it is not in the manifest`);
    }
  }
  for (const [name, sum] of sums) {
    onFile(name);
    const difference = await compared(join(folder, name), sum);
    if (difference !== null) {
      differences.push(`${name}: ${difference}`);
    }
  }
  const counted = countRows(folder, sums);
  return { differences: [...differences, ...counted.differences], files: sums.size, rows: counted.rows };
}

/** Names of files and their checksums. */
function manifestOf(folder: string): Map<string, string> {
  const lines = textOf(folder, manifestName).split("\n");
  const sums = new Map<string, string>();
  for (const [i, line] of lines.entries()) {
    const [, sum, name] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (sum !== undefined && name !== undefined && isInside(name)) {
      sums.set(name, sum);
    } else if (line !== "") {
      throw cannot(`Cannot verify ${folder}: line ${i + 1} of ${manifestName} is not one of a manifest`);
    }
  }
  return sums;
}

/** Rejects paths outside the folder, as the manifest is untrusted. */
function isInside(name: string): boolean {
  return (
    !name.startsWith("/") && !name.split("/").some((part) => part === ".." || part === "." || part === "")
  );
}

/** Null when it matches. */
async function compared(path: string, sum: string): Promise<string | null> {
  try {
    if (!lstatSync(path).isFile()) {
      return "it is not a file";
    }
    const hash = new Bun.CryptoHasher("sha256");
    for await (const piece of createReadStream(path)) {
      hash.update(piece as Uint8Array);
    }
    return hash.digest("hex") === sum ? null : "its content is not what was exported";
  } catch (error) {
    return systemReason(error);
  }
}

function countRows(
  folder: string,
  sums: ReadonlyMap<string, string>,
): Pick<Verified, "differences" | "rows"> {
  const differences: string[] = [];
  let rows = 0;
  const { files } = descriptionOf(folder);
  for (const { path, rows: expected } of files) {
    try {
      const found = sums.has(path) ? rowsOfParquetFile(join(folder, path)) : null;
      rows += found ?? 0;
      if (found === null) {
        differences.push(`${path}: ${descriptionName} has it, the manifest does not`);
      } else if (found !== expected) {
        differences.push(`${path}: it has ${found} rows, and had ${expected}`);
      }
    } catch (error) {
      differences.push(`${path}: its rows cannot be counted: ${systemReason(error)}`);
    }
  }
  return { differences, rows };
}

function descriptionOf(folder: string) {
  try {
    return v.parse(descriptionSchema, JSON.parse(textOf(folder, descriptionName)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw cannot(`Cannot verify ${folder}: ${descriptionName} is not that of an export: ${reason}`);
  }
}

function textOf(folder: string, name: string): string {
  const path = join(folder, name);
  try {
    if (lstatSync(path).size > exportTextBytesMax) {
      throw cannot(`Cannot verify ${folder}: ${name} is too large`);
    }
    return readFileSync(path, "utf8");
  } catch (error) {
    throw cannot(`Cannot verify ${folder}: ${name}: ${systemReason(error)}; is it an export?`);
  }
}

/** Files, links and all other entries of folders. */
function entriesOf(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, "/").length))
    .sort();
}
