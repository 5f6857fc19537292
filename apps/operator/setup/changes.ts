/** What a run would change: each planned file beside the one that exists. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setsNothing } from "../../../lib/engines/config/yaml-file.ts";
import { hashOf, type Manifest, type Section } from "./manifest.ts";
import type { PlannedFile } from "./planned-file.ts";

export type Change =
  | { readonly kind: "new" | "same"; readonly file: PlannedFile }
  /** Ours, unchanged since, and now another text. */
  | { readonly kind: "updated"; readonly file: PlannedFile; readonly before: string }
  /** Another program's, or changed. */
  | { readonly kind: "kept"; readonly file: PlannedFile; readonly before: string }
  /** Ours, unchanged since, and no longer needed. */
  | { readonly kind: "removed"; readonly path: string };

export function changesOf(
  prefix: string,
  files: readonly PlannedFile[],
  manifest: Manifest,
  section: Section,
): Change[] {
  const planned = new Set(files.map(({ path }) => path));
  const left = Object.entries(manifest)
    .filter(([path, entry]) => entry.section === section && !planned.has(path))
    .filter(([path, { sha256 }]) => isOurs(join(prefix, path), sha256))
    .map(([path]) => ({ kind: "removed", path }) as const);
  return [...files.map((file) => changeOf(prefix, file, manifest)), ...left];
}

function isOurs(path: string, sha256: string): boolean {
  return existsSync(path) && hashOf(readFileSync(path, "utf8")) === sha256;
}

function changeOf(prefix: string, file: PlannedFile, manifest: Manifest): Change {
  const path = join(prefix, file.path);
  if (!existsSync(path)) {
    return { kind: "new", file };
  }
  const before = statSync(path).isFile() ? readFileSync(path, "utf8") : "";
  if (before === file.text) {
    return { kind: "same", file };
  }
  const isOwn = manifest[file.path]?.sha256 === hashOf(before);
  return isOwn || isExample(path, before)
    ? { kind: "updated", file, before }
    : { kind: "kept", file, before };
}

/** Packages of 0.1.0 have examples, all comments, where configurations belong. */
function isExample(path: string, text: string): boolean {
  return path.endsWith(".yaml") && setsNothing({ name: path, text });
}

/** Lines for `--check`: `-` and `+` as in a diff, without the lines that stay. Secrets are not shown. */
export function changedLines(before: string, { text, isSecret }: PlannedFile): string[] {
  if (isSecret) {
    return ["  (not shown: it holds secrets)"];
  }
  const [old, now] = [before.split("\n"), text.split("\n")];
  const [gone, added] = [without(old, now), without(now, old)];
  return [...gone.map((line) => `  - ${line}`), ...added.map((line) => `  + ${line}`)];
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const there = new Set(others);
  return lines.filter((line) => !there.has(line));
}
