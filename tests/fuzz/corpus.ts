/** Inputs that are kept: good ones to begin with, and each that once broke a parser (`failed-…`). */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "corpus");

export function kept(name: string): Uint8Array[] {
  const own = join(folder, name);
  const names = existsSync(own) ? readdirSync(own).sort() : [];
  return names.map((one) => new Uint8Array(readFileSync(join(own, one))));
}

/** Those that once broke the parser of this name. */
export function keptFailures(name: string): Uint8Array[] {
  return kept(folderOf(name));
}

/** Returns the path, for the report. */
export function keepFailure(name: string, bytes: Uint8Array): string {
  const own = join(folder, folderOf(name));
  mkdirSync(own, { recursive: true });
  const path = join(own, `failed-${Bun.hash(bytes).toString(16)}.bin`);
  writeFileSync(path, bytes);
  return path;
}

function folderOf(name: string): string {
  return `failed/${name.replaceAll(" ", "-")}`;
}
