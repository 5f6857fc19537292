/** An experiment's journal in a folder, for continuing it and for reading it while it runs. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ChangeLog, journalFile } from "../../../../lib/base/disk/change-log.ts";
import { lockDirectory } from "../../../../lib/base/disk/directory-lock.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { begunExperiment as begunIn } from "../../../../lib/measuring/experiment/begun.ts";
import { type ExperimentEntry, ExperimentLedger } from "../../../../lib/measuring/experiment/journal.ts";

const stopFile = "stop";

export interface OpenJournal extends Disposable {
  readonly ledger: ExperimentLedger;
  readonly write: (entry: ExperimentEntry) => void;
}

/** Throws an Error, with the next step, when another process has the folder, or it holds something else. */
export function openJournal(folder: string): OpenJournal {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const ledger = new ExperimentLedger();
  const log = new ChangeLog<ExperimentEntry>(folder, "an experiment", (entry) => ledger.apply(entry));
  return {
    ledger,
    write: (entry) => {
      log.append(entry);
      ledger.apply(entry);
    },
    [Symbol.dispose]: () => log[Symbol.dispose](),
  };
}

/** Its current state, whichever process writes it. Throws CommandError without one, or for another version. */
export function readJournal(folder: string): ExperimentLedger {
  const path = join(folder, journalFile);
  if (!existsSync(path)) {
    throw cannot(`${folder} has no journal of an experiment: begin one with vantage experiment run`);
  }
  const ledger = new ExperimentLedger();
  const lines = readFileSync(path, "utf8").split("\n");
  // The last line may be cut off.
  for (const line of lines.slice(0, -1)) {
    ledger.apply(JSON.parse(line) as ExperimentEntry);
  }
  begunExperiment(ledger);
  return ledger;
}

/** Null for an empty journal. Throws CommandError for one of another version. */
export function begunExperiment(ledger: ExperimentLedger): ReturnType<typeof begunIn> {
  try {
    return begunIn(ledger);
  } catch (error) {
    throw cannot(error instanceof Error ? error.message : String(error));
  }
}

/** Whether a command is running it now. */
export function isRunning(folder: string): boolean {
  try {
    lockDirectory(folder, "an experiment")[Symbol.dispose]();
    return false;
  } catch {
    return true;
  }
}

/** Signals the controller, if any, to end. */
export function askToStop(folder: string): void {
  writeFileSync(join(folder, stopFile), "");
}

export function isAskedToStop(folder: string): boolean {
  return existsSync(join(folder, stopFile));
}
