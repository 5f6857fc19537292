/** `vantage experiment show`, `timeline` and `stop`: what a run has done and seen, and its end. */
import * as v from "valibot";
import { changedAnswer } from "../../../lib/api/announcements.ts";
import { defineCommand } from "../../../lib/command/command.ts";
import { complain } from "../../../lib/command/complain.ts";
import { exitCodes } from "../../../lib/command/exit-codes.ts";
import { formatOption } from "../../../lib/command/format-option.ts";
import { gatewayCommand } from "../../../lib/command/gateway/gateway-command.ts";
import { folder } from "../../../lib/command/kinds.ts";
import { changeBetween, sharesOf } from "../../../lib/experiment/catchment-rounds.ts";
import { experimentSchema } from "../../../lib/experiment/definition.ts";
import type { ExperimentBook, KeptEvent, SitesOfTargets } from "../../../lib/experiment/journal.ts";
import { pause } from "../../../lib/gateway-client/pause.ts";
import { paletteFor } from "../../../lib/terminal/colour.ts";
import { printLine } from "../../../lib/terminal/output.ts";
import { type Column, type Format, RowsOutput } from "../../../lib/terminal/rows-output.ts";
import { experimentTickMs } from "../limits.ts";
import { announcementPath } from "../peering/announcement-options.ts";
import { askToStop, openJournal, readJournal } from "./journal.ts";

const journalArgument = {
  kind: folder,
  placeholder: "JOURNAL",
  required: true,
  meaning: "the folder of its journal, as prepend.yaml.journal",
} as const;

const eventColumns: readonly Column<KeptEvent>[] = [
  { name: "time_ns", head: null, value: ({ timeNs }) => timeNs },
  { name: "time", head: "time (UTC)", value: ({ timeNs }) => timeText(timeNs) },
  { name: "plane", head: "plane", value: ({ plane }) => plane },
  { name: "source", head: "source", value: ({ source }) => source },
  { name: "subject", head: "subject", value: ({ subject }) => subject },
  { name: "event", head: "event", value: ({ event }) => event },
  { name: "detail", head: "detail", value: ({ detail }) => detail },
];

interface RoundRow {
  readonly round: number;
  /** `(several)`: targets that answered at more than one; `(silent)`: at none. */
  readonly site: string;
  readonly targets: number;
  /** From another site of the round before; null in the first one. */
  readonly movedHere: number | null;
}

const roundColumns: readonly Column<RoundRow>[] = [
  { name: "round", head: "round", align: "right", value: ({ round }) => round },
  { name: "site", head: "site", value: ({ site }) => site },
  { name: "targets", head: "targets", align: "right", value: ({ targets }) => targets },
  { name: "moved_here", head: "moved here", align: "right", value: (row) => row.movedHere },
];

/** Milliseconds, UTC. */
function timeText(timeNs: string): string {
  return new Date(Number(BigInt(timeNs) / 1_000_000n)).toISOString();
}

function printed<Row>(columns: readonly Column<Row>[], rows: Iterable<Row>, format: Format): void {
  const { dim } = paletteFor(process.stdout.isTTY === true, process.env.NO_COLOR);
  const output = new RowsOutput<Row>({ columns, format, print: printLine, dim });
  for (const row of rows) {
    output.add(row);
  }
  output.finish();
}

export const show = defineCommand({
  about: "The catchments of its rounds; a target that changed its site since the round before has moved.",
  options: formatOption,
  arguments: { journal: journalArgument },
  examples: ["vantage experiment show prepend.yaml.journal"],
  act: async ({ journal, output: format }) => {
    const book = readJournal(journal);
    complain("experiment show", stateOf(book));
    printed(roundColumns, roundRows(book.rounds), format);
    return exitCodes.ok;
  },
});

export const timeline = defineCommand({
  about:
    "Both planes in the order of their times: what was asked, what daemons and exchange servers made of it, what " +
    "probes showed. Times are of the source's own clock.",
  options: formatOption,
  arguments: { journal: journalArgument },
  examples: ["vantage experiment timeline prepend.yaml.journal -o csv"],
  act: async ({ journal, output: format }) => {
    const { events } = readJournal(journal);
    const sorted = events.toSorted((a, b) => Number(BigInt(a.timeNs) - BigInt(b.timeNs)));
    printed(eventColumns, sorted, format);
    return exitCodes.ok;
  },
});

export const stop = gatewayCommand({
  service: "peering",
  about: "Withdraws the prefix everywhere at once, and ends the run, whether its command is alive or not.",
  options: {},
  arguments: { journal: journalArgument },
  examples: ["vantage experiment stop prepend.yaml.journal"],
  act: async (session, { journal }) => {
    const book = readJournal(journal);
    if (book.ended !== null) {
      session.note(`it has ended already: ${book.ended.reason}`);
      return exitCodes.ok;
    }
    // First, so that a controller renews nothing behind the withdrawal.
    askToStop(journal);
    const gateway = await session.open();
    const [experiment] = v.parse(v.tuple([experimentSchema, v.array(v.string())]), definitionOf(book));
    const ask = { method: "DELETE", repeatable: true } as const;
    await gateway.read(announcementPath(experiment.prefix), changedAnswer, ask);
    await pause(2 * experimentTickMs);
    if (readJournal(journal).ended === null && !endedByUs(journal)) {
      session.note("its command is still alive, and ends within seconds");
    }
    session.note("withdrawn everywhere");
    return exitCodes.ok;
  },
});

function definitionOf({ begun }: ExperimentBook): unknown {
  return JSON.parse(begun?.definition ?? "null");
}

/** False when its command has the journal. */
function endedByUs(path: string): boolean {
  try {
    using journal = openJournal(path);
    journal.write({ kind: "ended", atNs: String(BigInt(Date.now()) * 1_000_000n), reason: "stopped" });
    return true;
  } catch {
    return false;
  }
}

function stateOf({ begun, ended, done }: ExperimentBook): string {
  const name = begun?.name ?? "nothing";
  return `${name}: ${done.size} actions done, ${ended === null ? "not ended" : `ended: ${ended.reason}`}`;
}

/** A site's targets in each round, and those that came from another. */
function* roundRows(rounds: ReadonlyMap<number, SitesOfTargets>): Generator<RoundRow> {
  let before: ReadonlyMap<string, ReadonlySet<string>> | null = null;
  for (const [round, kept] of [...rounds].sort(([a], [b]) => a - b)) {
    const sites = new Map(Object.entries(kept).map(([target, at]) => [target, new Set(at)]));
    const { targetsBySite, unstable, silent } = sharesOf(sites);
    const moved = before === null ? null : Map.groupBy(changeBetween(before, sites).moved, ({ to }) => to);
    for (const [site, targets] of [...targetsBySite].sort()) {
      yield { round, site, targets, movedHere: moved === null ? null : (moved.get(site)?.length ?? 0) };
    }
    yield { round, site: "(several)", targets: unstable.length, movedHere: null };
    yield { round, site: "(silent)", targets: silent, movedHere: null };
    before = sites;
  }
}
