/** The agent's folder on disk: made when missing, and the integrity key in it. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemReason } from "../../lib/config/system-reason.ts";
import type { AgentConfig } from "./config/config.ts";

const keyBytes = 32;

/** Makes the folder; throws with what to do when it cannot be written. */
export function openStateFolder(path: string): void {
  try {
    // Keys, and what was measured: for nobody else on the machine.
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const probe = join(path, ".writable");
    writeFileSync(probe, "");
  } catch (error) {
    throw new Error(`Cannot use the state folder ${path}: ${systemReason(error)} (see: agent.state_dir)`);
  }
}

/** Whole, or not at all: a crash leaves the former file. Throws when the disk does not take it. */
export function writeWhole(path: string, text: string, mode = 0o644): void {
  writeFileSync(`${path}.new`, `${text}\n`, { mode });
  renameSync(`${path}.new`, path);
}

/** The configured key; else the one of an earlier run, else a new one, which only its owner may read. */
export function integrityKeyOf({ integrityKey, stateDir }: AgentConfig): Uint8Array {
  if (integrityKey !== null) {
    return new TextEncoder().encode(integrityKey);
  }
  const path = join(stateDir, "integrity.key");
  if (existsSync(path)) {
    return new Uint8Array(Buffer.from(readFileSync(path, "utf8").trim(), "hex"));
  }
  const key = crypto.getRandomValues(new Uint8Array(keyBytes));
  writeFileSync(path, `${Buffer.from(key).toString("hex")}\n`, { mode: 0o600 });
  return key;
}
