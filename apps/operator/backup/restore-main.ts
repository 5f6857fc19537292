/** `vantage restore`: a backup into empty places. */
import { resolve } from "node:path";
import { keepFilesPrivate } from "../../../lib/base/disk/private-file.ts";
import { counted } from "../../../lib/base/terminal/figures.ts";
import { printErrorLine, printLine } from "../../../lib/base/terminal/output.ts";
import { defineCommand } from "../../../lib/command/command/command.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { choice, folder, text, textOrFile } from "../../../lib/command/command/kinds.ts";
import { isInContainers, startCommand } from "./in-containers.ts";
import { type Contents, type Part, readManifest } from "./manifest.ts";
import { readPassphrase } from "./manifest-cipher.ts";
import { keyFileOption } from "./options.ts";
import { PartFiles } from "./part-files.ts";
import { restoreTo } from "./restore.ts";
import { placeOf, presentAt, type Target, targetsOf } from "./restore-targets.ts";
import { configuredHere } from "./sources.ts";

/** Lines of what a target has already. */
const listedMax = 20;

const addressOption = { kind: textOrFile, placeholder: "ADDRESS" } as const;

export const command = defineCommand({
  about: `Checks all of the backup first, then writes it: to where it came from, or to where the options say. It \
overwrites nothing: a target that is not empty is listed, and nothing is written. No service may run on the targets. \
As root, files get the owner of the folder that they are restored to.`,
  options: {
    check: {
      flag: true,
      default: false,
      meaning: "check the backup, show what would be done, write nothing",
    },
    stack: { kind: folder, meaning: "restore the stack to this folder" },
    probingDatabase: {
      ...addressOption,
      meaning: "pglite:DIR or postgres://…, of any engine; @FILE holds it",
    },
    peeringDatabase: { ...addressOption, meaning: "as --probing-database" },
    store: { ...addressOption, multiple: true, meaning: "chdb:DIR or http(s)://…; @FILE holds it" },
    broker: { kind: text, placeholder: "ADDRESS", meaning: "embedded:DIR" },
    folder: {
      kind: text,
      placeholder: "OLD=NEW",
      multiple: true,
      meaning: "restore a folder to another",
    },
    only: {
      kind: choice(["files", "data"], "PART"),
      defaultText: "both",
      meaning: "files: configuration, keys, state folders; data: databases, store, log",
    },
    keyFile: keyFileOption,
  },
  arguments: { dir: { kind: folder, required: true, meaning: "the backup" } },
  examples: [
    ["vantage restore --check friday", "is it whole, and what is in the way?"],
    ["vantage restore friday", "on a new machine, to where everything was"],
    ["vantage restore --only files friday", "first, where databases are made from the passwords in it"],
    ["vantage restore --stack lab friday", "a stack to ./lab, to try it"],
    [
      "vantage restore --probing-database @address --folder /etc/vantage=old friday",
      "to another server, and another folder",
    ],
  ],
  act: async ({ dir, check, keyFile, only, ...named }) => {
    keepFilesPrivate();
    const { contents: whole, key, vantage } = await readManifest(dir, readPassphrase(keyFile));
    const contents = partOf(whole, only);
    const targets = targetsOf(contents, named, configuredHere);
    const parts = new PartFiles(resolve(dir), key);
    const all = partsOf(contents);
    printErrorLine(
      `Backup of ${contents.startedAt}, made by Vantage ${vantage}; checking ${counted(all.length, "part")}`,
    );
    for (const part of all) {
      await parts.check(part);
    }
    await checkTargets(targets, check);
    if (check) {
      printLine("The backup is whole. Nothing was written.");
      return exitCodes.ok;
    }
    for (const target of targets) {
      await restored(target, parts);
    }
    printLine(nextAfter(only));
    return exitCodes.ok;
  },
});

function nextAfter(only: "files" | "data" | null): string {
  if (only !== "files") {
    return "Restored. Start the services: gateways bring older databases up to date.";
  }
  const databases = isInContainers()
    ? startCommand("postgres clickhouse")
    : "vantage setup, make the databases";
  return `Restored the files. Next: ${databases}; then vantage restore --only data.`;
}

function partOf(contents: Contents, only: "files" | "data" | null): Contents {
  switch (only) {
    case "files":
      return { ...contents, databases: [], stores: [], brokers: [] };
    case "data":
      return { ...contents, folders: [] };
    case null:
      return contents;
  }
}

async function restored(target: Target, parts: PartFiles): Promise<void> {
  try {
    await restoreTo(target, parts);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const advice = "remove what was restored, and restore again";
    throw cannot(`Cannot restore the ${target.name} to ${placeOf(target)}: ${reason}; ${advice}`, { cause });
  }
  printErrorLine(`restored  ${target.name} to ${placeOf(target)}`);
}

/** Prints where everything goes; rejects with CommandError when anything would be overwritten. */
async function checkTargets(targets: readonly Target[], isCheck: boolean): Promise<void> {
  const present: string[] = [];
  for (const target of targets) {
    const found = await presentAt(target);
    present.push(...found);
    const state = found.length === 0 ? "empty" : "not empty";
    (isCheck ? printLine : printErrorLine)(`${target.name} to ${placeOf(target)}: ${state}`);
  }
  if (present.length > 0) {
    for (const line of present.slice(0, listedMax)) {
      printErrorLine(`  ${line}`);
    }
    if (present.length > listedMax) {
      printErrorLine(`  and ${present.length - listedMax} more`);
    }
    throw cannot(
      "Nothing was written, as the above would be overwritten: move it, or restore to other places " +
        "(vantage help restore)",
    );
  }
}

function partsOf({ databases, stores, brokers, folders }: Contents): Part[] {
  return [
    ...databases.flatMap(({ tables }) => tables),
    ...stores.flatMap(({ tables }) => tables).flatMap(({ days }) => days),
    ...brokers.flatMap(({ topics }) => topics),
    ...folders.flatMap(({ files }) => files),
  ].map(({ part }) => part);
}
