/** `vantage backup`: copies all that this machine keeps, while it is in use. */
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { keepFilesPrivate } from "../../../lib/base/disk/private-file.ts";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import { counted, sizeText } from "../../../lib/base/terminal/figures.ts";
import { printErrorLine, printLine } from "../../../lib/base/terminal/output.ts";
import { defineCommand } from "../../../lib/command/command/command.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { folder } from "../../../lib/command/command/kinds.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { EarlierDays } from "./earlier-days.ts";
import { copyAll } from "./make-backup.ts";
import { type Backup, type Contents, markUnfinished, readManifest, writeManifest } from "./manifest.ts";
import { readPassphrase } from "./manifest-cipher.ts";
import { keyFileOption, sourceOptions } from "./options.ts";
import { backupKeyBytes } from "./part-cipher.ts";
import { PartFiles } from "./part-files.ts";
import { Report } from "./report.ts";
import type { Sources } from "./source.ts";
import { sourcesOf } from "./sources.ts";

export const command = defineCommand({
  about: `Copies databases, embedded log, column store, keys and state folders while their services run, and reads \
each copy back. Without options: the stack in its usual folder, the gateways configured in /etc/vantage, that folder, \
and state folders in /var/lib/vantage and /var/lib/headscale. A backup is whole when DIR/backup.json exists. It holds \
keys and what users do: keep it private, or encrypt it.`,
  options: {
    ...sourceOptions,
    folder: {
      kind: folder,
      multiple: true,
      meaning: "another folder, as /var/lib/headscale; files of SQLite in it are copied whole",
    },
    since: {
      kind: folder,
      meaning: "an earlier backup: days of the store that have not changed since are linked, not copied",
    },
    keyFile: keyFileOption,
  },
  arguments: { dir: { kind: folder, required: true, meaning: "where to: a new or empty folder" } },
  examples: [
    ["vantage backup /var/backups/vantage/2026-11-27", "all of this machine"],
    ["vantage backup --stack lab new-backup", "the stack in ./lab"],
    [
      "vantage backup --since /var/backups/vantage/2026-11-26 /var/backups/vantage/2026-11-27",
      "only what has changed takes room",
    ],
    [
      "vantage backup --key-file backup.key --probing-gateway gateway.yaml new-backup",
      "encrypted; a gateway's data",
    ],
  ],
  exits: {
    ok: "all parts are whole",
    failure: "a part failed: it is named, and the folder cannot be restored",
  },
  act: async ({ dir, since, keyFile, ...named }) => {
    keepFilesPrivate();
    const passphrase = readPassphrase(keyFile);
    const sources = sourcesOf(named, "back up");
    const earlier = since === null ? null : await readManifest(since, passphrase);
    mustFit(earlier, passphrase);
    const key = passphrase === null ? null : (earlier?.key ?? newKey());
    const target = emptyFolder(resolve(dir));
    const parts = new PartFiles(target, key);
    const report = new Report();
    markUnfinished(target);
    const days = new EarlierDays(
      since === null ? null : new PartFiles(resolve(since), key),
      earlier?.contents.stores ?? [],
    );
    const contents = await copyAll({ sources, parts, earlier: days, report });
    if (report.failures.length > 0) {
      for (const failure of report.failures) {
        printErrorLine(`failed: ${failure}`);
      }
      throw cannot(`The backup in ${target} is not whole, and cannot be restored: see above`);
    }
    await writeManifest(target, { vantage: packageJson.version, contents, key }, passphrase);
    markDone(sources);
    printLine(summary(target, contents, report.bytes));
    return exitCodes.ok;
  },
});

function newKey(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(backupKeyBytes));
}

/** Parts that are linked have the key of the earlier backup. */
function mustFit(earlier: Backup | null, passphrase: string | null): void {
  if (earlier !== null && earlier.key === null && passphrase !== null) {
    throw cannot("Cannot link to the earlier backup: it is not encrypted, and this one is to be");
  }
  if (earlier !== null && earlier.key !== null && passphrase === null) {
    throw cannot("Cannot link to the earlier backup: it is encrypted, so this one needs --key-file, too");
  }
}

/** Throws CommandError for a folder with anything in it. */
function emptyFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const [first] = readdirSync(path);
    if (first !== undefined) {
      throw new Error(`it is not empty: it has ${first}; give a new folder`);
    }
    return path;
  } catch (cause) {
    throw cannot(`Cannot write a backup to ${path}: ${systemReason(cause)}`, { cause });
  }
}

/** Where services read when the last backup was: docs/operate/observability.md. */
function markDone({ marked }: Sources): void {
  for (const state of marked) {
    const mark = join(state, "backup.done");
    try {
      if (!existsSync(mark)) {
        writeFileSync(mark, "");
      }
      utimesSync(mark, new Date(), new Date());
    } catch (cause) {
      printErrorLine(`Cannot note the backup in ${mark}: ${systemReason(cause)}; VantageNoBackup will fire`);
    }
  }
}

function summary(target: string, contents: Contents, bytes: number): string {
  const { databases, stores, brokers, folders, notIncluded } = contents;
  const parts = [
    counted(databases.length, "database"),
    counted(stores.length, "store"),
    counted(brokers.length, "log"),
    counted(folders.flatMap(({ files }) => files).length, "file"),
  ];
  return [
    `${target}: ${parts.join(", ")}; ${sizeText(bytes)}, read back and whole`,
    "Not in it:",
    ...notIncluded.map(({ what, why }) => `  ${what}: ${why}`),
  ].join("\n");
}
