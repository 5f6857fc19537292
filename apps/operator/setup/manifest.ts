/** What setup has written, so that a later run can distinguish its own files from changed ones. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { cannot } from "../../../lib/command/command/command-error.ts";
import type { PlannedFile } from "./planned-file.ts";

export const manifestPath = "/etc/vantage/.setup.json";

/** By path: for which section of the answers, and the SHA-256 of what was written. */
const manifestSchema = v.record(
  v.string(),
  v.object({ section: v.picklist(["platform", "agent"]), sha256: v.string() }),
);

export type Section = "platform" | "agent";
export type Manifest = v.InferOutput<typeof manifestSchema>;

/** Empty where setup has not run. Throws CommandError on a damaged one. */
export function readManifest(prefix: string): Manifest {
  const path = join(prefix, manifestPath);
  if (!existsSync(path)) {
    return {};
  }
  try {
    return v.parse(manifestSchema, JSON.parse(readFileSync(path, "utf8")));
  } catch {
    const next = "remove it, and every file that exists counts as changed by you";
    throw cannot(`${path} is damaged, so the files that setup wrote are not known: ${next}`);
  }
}

export function hashOf(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

export function manifestText(before: Manifest, section: Section, written: readonly PlannedFile[]): string {
  const others = Object.entries(before).filter(([, entry]) => entry.section !== section);
  const own = written.map(({ path, text }) => [path, { section, sha256: hashOf(text) }] as const);
  return `${JSON.stringify(Object.fromEntries([...others, ...own].sort()), null, 2)}\n`;
}
