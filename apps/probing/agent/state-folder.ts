/** The agent's folder on disk: made when missing, and the integrity key in it. */
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { asUser, effectiveUser } from "../../../ffi/privileges.ts";
import { makePrivateFolder } from "../../../lib/base/disk/private-folder.ts";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import type { AgentConfig } from "./config/config.ts";

const keyBytes = 32;
const { O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;

/** Makes the folder; throws, with the next step, when it cannot be written. */
export function openStateFolder(path: string): void {
  try {
    makePrivateFolder(path);
    const probe = join(path, ".writable");
    // A link in its place is not followed: the folder's owner could have another file emptied by root.
    closeSync(openSync(probe, O_CREAT | O_NOFOLLOW | O_WRONLY));
  } catch (error) {
    throw new Error(`Cannot use the state folder ${path}: ${systemReason(error)} (see: agent.state_dir)`);
  }
}

/**
 * Acts with the rights of the folder's owner: root must not write where another user could have put a link, nor leave
 * files that the agent's user cannot open. Throws a system error when the folder cannot be read.
 */
export function asFolderOwner<Result>(path: string, act: () => Result): Result {
  const { uid, gid } = statSync(path);
  return effectiveUser() === 0 && uid !== 0 ? asUser({ uid, gid }, act) : act();
}

/** Writes atomically: a crash leaves the previous file. Throws when it cannot be written. */
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
  writeFileSync(path, `${Buffer.from(key).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  return key;
}
