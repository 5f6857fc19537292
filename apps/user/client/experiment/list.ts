/** `vantage experiment list`: the experiments with journals in a folder. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { journalFile } from "../../../../lib/base/disk/change-log.ts";
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { defineCommand } from "../../../../lib/command/command/command.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { complain } from "../../../../lib/command/command/complain.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { formatOption } from "../../../../lib/command/command/format-option.ts";
import { folder as folderKind } from "../../../../lib/command/command/kinds.ts";
import { begunExperiment, isRunning, readJournal } from "./journal.ts";
import { printed } from "./printed.ts";

interface ListRow {
  readonly journal: string;
  readonly name: string;
  readonly prefix: string;
  readonly begunMs: number;
  /** `running`, `interrupted` (the same command continues it), else why it has ended. */
  readonly state: string;
  readonly done: number;
  readonly actions: number;
}

const columns: readonly Column<ListRow>[] = [
  { name: "journal", head: "journal", value: ({ journal }) => journal },
  { name: "experiment", head: "experiment", value: ({ name }) => name },
  { name: "prefix", head: "prefix", value: ({ prefix }) => prefix },
  { name: "begun_at", head: "begun", value: ({ begunMs }) => new Date(begunMs).toISOString() },
  { name: "state", head: "state", value: ({ state }) => state },
  {
    ...{ name: "done", head: "done", align: "right" },
    value: ({ done }) => done,
    cell: ({ done, actions }) => `${done}/${actions}`,
  },
  { name: "actions", head: null, value: ({ actions }) => actions },
];

export const list = defineCommand({
  about: `The experiments whose journals are in a folder, the newest first. One that is interrupted continues with the \
command that began it; its prefix is withdrawn.`,
  options: formatOption,
  arguments: { folder: { kind: folderKind, meaning: "where the journals are; without it, here" } },
  examples: ["vantage experiment list", "vantage experiment list ~/sweeps -o json"],
  act: async ({ folder, output: format }) => {
    const rows = journalsIn(folder ?? ".").flatMap(rowOf);
    printed(
      columns,
      rows.sort((a, b) => b.begunMs - a.begunMs),
      format,
    );
    if (rows.length === 0) {
      complain("experiment list", `no journal of an experiment in ${folder ?? "this folder"}`);
    }
    return exitCodes.ok;
  },
});

/** Throws CommandError where the folder cannot be read. */
function journalsIn(folder: string): string[] {
  try {
    const paths = readdirSync(folder).map((name) => (folder === "." ? name : join(folder, name)));
    return paths.filter((path) => existsSync(join(path, journalFile)));
  } catch (error) {
    throw cannot(`Cannot read ${folder}: ${systemReason(error)}`);
  }
}

/** None for other journals, such as campaigns'. */
function rowOf(journal: string): ListRow[] {
  const ledger = readJournal(journal);
  const begun = begunExperiment(ledger);
  if (ledger.begun === null || begun === null) {
    return [];
  }
  const { experiment, actions } = begun;
  const open = isRunning(journal) ? "running" : "interrupted";
  return [
    {
      ...{ journal, name: ledger.begun.name, prefix: experiment.prefix, begunMs: ledger.begun.startMs },
      state: ledger.ended === null ? open : ledger.ended.reason,
      ...{ done: ledger.done.size, actions: actions.length },
    },
  ];
}
