/** A section of the answers, shown or written. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { printErrorLine } from "../../../lib/base/terminal/output.ts";
import type { Answers } from "./answers.ts";
import { keptFile } from "./answers-files.ts";
import { type Change, changedLines, changesOf } from "./changes.ts";
import { manifestPath, manifestText, readManifest, type Section } from "./manifest.ts";
import { filesOf } from "./plan.ts";
import type { PlannedFile } from "./planned-file.ts";
import { makeMissingSecrets, secretsFolder } from "./secrets.ts";
import { openFolder, removePlanned, setAccess, writePlanned } from "./write-files.ts";

interface Order {
  readonly answers: Answers;
  readonly prefix: string;
  readonly executable: string;
}

/** Lines for people: what would be done. */
export function checkSection(section: Section, { answers, prefix, executable }: Order): string[] {
  if (answers[section] === undefined) {
    return [];
  }
  const files = filesOf(section, answers, prefix, executable);
  const changes = changesOf(prefix, files, readManifest(prefix), section);
  const secrets =
    section === "platform" ? [`secrets  in ${secretsFolder}, for root alone: those that are missing`] : [];
  const lines = changes.flatMap((change) =>
    change.kind === "updated" || change.kind === "kept"
      ? [...changeLines(change), ...changedLines(change.before, change.file)]
      : changeLines(change),
  );
  return [`${section}, below ${prefix}:`, ...secrets, ...lines, ...sameLine(changes)];
}

interface Applied {
  /** For people: what was done. */
  readonly lines: readonly string[];
  /** Whether services may run on what was there before. */
  readonly hasChanged: boolean;
}

export function applySection(section: Section, order: Order): Applied {
  const { answers, prefix, executable } = order;
  if (answers[section] === undefined) {
    return { lines: [], hasChanged: false };
  }
  const made = answers.platform === undefined ? [] : makeMissingSecrets(prefix, answers.platform);
  const manifest = readManifest(prefix);
  const files = filesOf(section, answers, prefix, executable);
  const changes = changesOf(prefix, files, manifest, section);
  // Users of services are made by files that are among these.
  for (const isUsers of [true, false]) {
    for (const change of changes.filter((one) => isUsersFile(one) === isUsers)) {
      write(prefix, change);
    }
    notifySystem(prefix);
  }
  const groups = changes.flatMap((change) => (change.kind === "removed" ? [] : access(prefix, change)));
  writePlanned(prefix, keptFile(section, answers));
  const written = changes.flatMap((change) =>
    change.kind === "removed" || change.kind === "kept" ? [] : [change.file],
  );
  writePlanned(prefix, manifestFile(manifestText(manifest, section, written)));
  const lines = [
    `${section}, below ${prefix}:`,
    ...(made.length === 0
      ? []
      : [`secrets  ${made.length} made in ${secretsFolder}, for root alone: back them up`]),
    ...changes.flatMap(changeLines),
    ...sameLine(changes),
    ...[...new Set(groups)].map(
      (group) =>
        `the group ${group} does not exist yet: run vantage setup again once its program is installed`,
    ),
  ];
  const hasChanged = changes.some(({ kind }) => kind !== "same" && kind !== "kept");
  return { lines, hasChanged };
}

function write(prefix: string, change: Change): void {
  if (change.kind === "new" || change.kind === "updated") {
    writePlanned(prefix, change.file);
  } else if (change.kind === "removed") {
    removePlanned(prefix, change.path);
  }
}

/** Groups that are missing. Also of files that stay as they are: a group may have come since. */
function access(prefix: string, change: Exclude<Change, { kind: "removed" }>): string[] {
  if (change.kind === "kept") {
    return [];
  }
  openFolder(prefix, change.file);
  const missing = setAccess(prefix, join(prefix, change.file.path), change.file);
  return missing === null ? [] : [missing];
}

function isUsersFile(change: Change): boolean {
  const path = change.kind === "removed" ? change.path : change.file.path;
  return path.startsWith("/etc/sysusers.d/");
}

function manifestFile(text: string): PlannedFile {
  return { path: manifestPath, text, mode: 0o600, group: null, isSecret: false };
}

function changeLines(change: Change): string[] {
  if (change.kind === "removed") {
    return [`removed  ${change.path}: no longer needed`];
  }
  const { path, mode, group } = change.file;
  const access = `${path}  ${mode.toString(8).padStart(4, "0")}${group === null ? "" : ` root:${group}`}`;
  switch (change.kind) {
    case "new":
      return [`new      ${access}`];
    case "updated":
      return [`updated  ${access}`];
    case "kept":
      return [`kept     ${path}: not written by setup, or changed since; move it to get setup's`];
    default:
      return [];
  }
}

function sameLine(changes: readonly Change[]): string[] {
  const count = changes.filter(({ kind }) => kind === "same").length;
  return count === 0 ? [] : [`as it is ${count === 1 ? "1 file" : `${count} files`}`];
}

/** Makes users of new services, and has systemd read changed units; does neither below another prefix. */
function notifySystem(prefix: string): void {
  if (prefix !== "/") {
    return;
  }
  run(["systemd-sysusers"]);
  if (existsSync("/run/systemd/system")) {
    run(["systemctl", "daemon-reload"]);
  }
}

function run(command: readonly string[]): void {
  const [program = ""] = command;
  if (Bun.which(program) === null) {
    return;
  }
  const { exitCode, stderr } = Bun.spawnSync([...command]);
  if (exitCode !== 0) {
    printErrorLine(`warning: ${command.join(" ")} failed: ${stderr.toString().trim()}`);
  }
}
