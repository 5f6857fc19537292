/**
 * Decides which user an agent runs as once its sockets are open, before it opens them.
 *
 * Root switches to another user, who gets the state folder. If that user could not do an agent's work, the agent stays
 * root and logs the reason, unless the configuration names the user: then it does not start. A start without root keeps
 * its user. Every agent drops capabilities, and the system calls of ffi/system-call-list.ts.
 */

import {
  accessSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import {
  asUser,
  becomeUser,
  dropCapabilities,
  effectiveUser,
  restrictCalls,
  type UserIdentity,
} from "../../../../ffi/privileges.ts";
import { embeddedFolder } from "../../../../lib/base/api/embedded-folder.ts";
import { makePrivateFolder } from "../../../../lib/base/disk/private-folder.ts";
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import type { AgentConfig } from "../config/config.ts";
import { chownTree } from "./chown-tree.ts";

/** The user of the unit that install-service writes, then the one that every machine has. */
const usersDefault = ["vantage-agent", "nobody"] as const;
const root: UserIdentity = { uid: 0, gid: 0 };

interface RunIdentity {
  /** For the log. */
  readonly words: string;
  /** Acts on files as the user that the agent becomes. */
  readonly asItself: <Result>(act: () => Result) => Result;
  /**
   * Drops privileges permanently. Returns a line for each that could not be dropped. Throws where the user cannot
   * be changed.
   */
  readonly giveAway: () => string[];
}

/** Throws Error with the next step. */
export function runIdentityOf(config: AgentConfig): RunIdentity {
  if (effectiveUser() !== root.uid) {
    return staying("The agent runs as the user that started it");
  }
  if (config.user === "root") {
    return stayingRoot(config, "agent.user is root");
  }
  const names = config.user === null ? usersDefault : [config.user];
  const [name, user] = names.map((one) => [one, findUser(one)] as const).find(([, found]) => found) ?? [];
  const obstacle =
    name === undefined || !user ? `there is no user ${names.join(" or ")}` : obstacleTo(config, user, name);
  if (obstacle !== null && config.user !== null) {
    throw new Error(`Cannot run as ${config.user}: ${obstacle} (see: agent.user)`);
  }
  return obstacle !== null || !user
    ? stayingRoot(config, `${obstacle} (see: agent.user)`)
    : becoming(user, `The agent runs as ${name}, without capabilities`);
}

function becoming(user: UserIdentity, words: string): RunIdentity {
  let isSo = false;
  return {
    words,
    asItself: (act) => (isSo ? act() : asUser(user, act)),
    giveAway: () => {
      becomeUser(user);
      isSo = true;
      return callsGivenAway();
    },
  };
}

/** Why this user could not do the work; null where it can, and then it owns the state folder. */
function obstacleTo(config: AgentConfig, user: UserIdentity, name: string): string | null {
  const { stateDir, blocklistFile, allowlistFile, broker } = config;
  const { login } = broker;
  const files = [blocklistFile, allowlistFile, "caFile" in login ? login.caFile : null];
  try {
    for (const file of files.filter((one) => one !== null)) {
      tried(`user ${name} cannot read ${file}`, () => asUser(user, () => closeSync(openSync(file, "r"))));
    }
    const folder = embeddedFolder("broker", broker.address);
    if (folder !== null) {
      tried(`user ${name} cannot write to the broker's folder ${folder}`, () =>
        asUser(user, () => tryWriting(folder)),
      );
    }
    tried(`user ${name} cannot reach ${stateDir}`, () => {
      makePrivateFolder(stateDir);
      asUser(user, () => statSync(stateDir));
      chownTree(stateDir, user);
    });
    return null;
  } catch (error) {
    return systemReason(error);
  }
}

function tried(what: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw new Error(`${what}: ${systemReason(error)}`, { cause: error });
  }
}

/** Opens every file in it, as SQLite will; accessSync would check for root. */
function tryWriting(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    closeSync(openSync(join(folder, name), "r+"));
  }
  const probe = join(folder, ".writable");
  closeSync(openSync(probe, "a"));
  rmSync(probe);
}

function stayingRoot({ stateDir }: AgentConfig, reason: string): RunIdentity {
  const standing = staying(`The agent stays root: ${reason}`);
  return {
    ...standing,
    giveAway: () => {
      // Root without capabilities may not write to files that an earlier start gave to another user.
      chownTree(stateDir, { uid: root.uid, gid: null });
      return standing.giveAway();
    },
  };
}

function staying(words: string): RunIdentity {
  return {
    words,
    asItself: (act) => act(),
    giveAway: () => {
      dropCapabilities();
      return callsGivenAway();
    },
  };
}

/** The agent also runs on an old kernel, or one without seccomp. */
function callsGivenAway(): string[] {
  try {
    restrictCalls();
    return [];
  } catch (error) {
    return [`every system call stays allowed: ${systemReason(error)}`];
  }
}

/** Whether the agent, as it runs now, could read a file again. */
export function canRead(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

/** A user by `NAME`, or by `UID:GID` for a user without an entry; null when the user does not exist. */
function findUser(name: string): UserIdentity | null {
  const [, uid, gid] = /^(\d{1,10}):(\d{1,10})$/.exec(name) ?? [];
  if (uid !== undefined) {
    return { uid: Number(uid), gid: Number(gid) };
  }
  const fields = usersOf().find(([own]) => own === name);
  return fields === undefined ? null : { uid: Number(fields[2]), gid: Number(fields[3]) };
}

/** Lines of /etc/passwd: `name:x:UID:GID:…` (passwd(5)). */
function usersOf(): string[][] {
  try {
    return readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => line.split(":"));
  } catch {
    return [];
  }
}
