/** Copies of a topic's file while it is in use: SQLite reads it in one transaction, and writers continue meanwhile. */
import { Database } from "bun:sqlite";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Position } from "../broker.ts";
import { schemaVersion, upgradeTables, versionOf } from "./log-schema.ts";

const suffix = ".log";

/** A group's positions, from where it is to continue in the copy. */
export interface GroupPositions {
  readonly group: string;
  readonly topic: string;
  readonly positions: readonly Position[];
}

/** Topics of a broker's folder, in order of their names; none where the folder is missing. */
export function loggedTopics(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length))
    .sort();
}

/** Where a topic's file is in a broker's folder. */
export function logFile(folder: string, topic: string): string {
  return join(folder, `${topic}${suffix}`);
}

/** The version of a topic's file, which may be newer than this program's. Throws an Error of SQLite. */
export function logVersion(folder: string, topic: string): number {
  using log = new Database(logFile(folder, topic), { readwrite: true });
  return versionOf(log);
}

/**
 * Writes a new file, of this program's version, and returns how many records it has. `groups` whose positions are
 * further in it are set back to those given. Throws an Error: of SQLite, and for a newer version.
 */
export function copyLog(
  folder: string,
  topic: string,
  target: string,
  groups: readonly GroupPositions[],
): number {
  const log = new Database(logFile(folder, topic), { readwrite: true });
  try {
    log.run("VACUUM INTO ?", [target]);
  } finally {
    log.close();
  }
  const copy = new Database(target, { readwrite: true });
  try {
    if (versionOf(copy) > schemaVersion) {
      throw new Error(
        `Cannot copy ${logFile(folder, topic)}: its version ${versionOf(copy)} is newer than this program`,
      );
    }
    upgradeTables(copy);
    for (const { group, positions } of groups.filter((one) => one.topic === topic)) {
      for (const { partition, committed } of positions) {
        copy.run("UPDATE consumer_group SET committed = min(committed, ?) WHERE name = ? AND partition = ?", [
          Number(committed),
          group,
          partition,
        ]);
      }
    }
    // VACUUM INTO leaves the default mode, in which writers and readers exclude each other.
    copy.run("PRAGMA journal_mode = WAL");
    const row = copy.query<{ records: number | null }, []>("SELECT sum(records) AS records FROM pack").get();
    return row?.records ?? 0;
  } finally {
    copy.close();
  }
}
