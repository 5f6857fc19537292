/** The API's responses, derived from an experiment's journal. */
import type * as v from "valibot";
import { type experimentDetailAnswer, timeLineAnswer } from "../../../../lib/base/api/experiments.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import { collected, type Steps } from "../../../../lib/base/list/steps.ts";
import { csvLine } from "../../../../lib/base/terminal/rows-output.ts";
import { begunExperiment, readRounds, readSweep } from "../../../../lib/measuring/experiment/begun.ts";
import { bothPlanes } from "../../../../lib/measuring/experiment/both-planes.ts";
import { type ExperimentEntry, ExperimentLedger } from "../../../../lib/measuring/experiment/journal.ts";
import { moveRows, roundRows, siteRows } from "../../../../lib/measuring/experiment/round-rows.ts";
import type { TimeLineRow } from "../../../../lib/measuring/experiment/time-line.ts";
import type { ExperimentRow } from "./kept-experiments.ts";

type Detail = StoredAnswer<typeof experimentDetailAnswer>;
type TimeLine = v.InferOutput<typeof timeLineAnswer>;

/** The lines were checked on receipt. */
function* bookOf(lines: readonly string[]): Steps<ExperimentLedger> {
  const book = new ExperimentLedger();
  for (const line of lines) {
    book.apply(JSON.parse(line) as ExperimentEntry);
    yield;
  }
  return book;
}

export function* detailOf(row: ExperimentRow, lines: readonly string[]): Steps<Detail> {
  const book = yield* bookOf(lines);
  const begun = begunExperiment(book);
  yield;
  const { changes, reactions, rows } = yield* bothPlanes(book, null);
  const rounds = yield* readRounds(book);
  const shown = yield* collected(roundRows(rounds));
  const moves = yield* collected(moveRows(rounds));
  const sweep = yield* readSweep(rounds);
  const { probe, ...experiment } = begun?.experiment ?? { probe: { targets: [] } };
  const { targets, ...probing } = probe;
  return {
    ...row,
    done: book.done.size,
    definition: { ...experiment, probe: probing },
    targets: targets.length,
    changes: changes.map(({ atNs, text }, i) => ({ number: i + 1, at: dateOf(atNs), text })),
    rounds: shown.map(({ movedHere, ...one }) => ({ ...one, moved_here: movedHere })),
    moves,
    sites: siteRows(sweep).map(({ site, byPrepend, alone }) => ({
      site,
      by_prepend: [...byPrepend].map(([prepends, caught]) => ({ prepends, ...caught })),
      alone,
    })),
    convergence: reactions.map(({ change, plane, who, firstNs, lastNs, signs, withinNs }) => ({
      ...{ change: change + 1, plane, who, first_s: Number(firstNs) / 1e9, last_s: Number(lastNs) / 1e9 },
      ...{ signs, within_ms: msOf(withinNs) },
    })),
    events: rows.length,
  };
}

/** `change`: rows after that change until the next one, including uncertain ones; null = all. Numbers start at 1. */
export function* timeLineOf(lines: readonly string[], change: number | null): Steps<TimeLine> {
  const { rows, changes } = yield* bothPlanes(yield* bookOf(lines), null);
  const from = change === null ? undefined : changes[change - 1]?.atNs;
  const to = change === null ? undefined : changes[change]?.atNs;
  const isAsked = ({ atNs, withinNs }: TimeLineRow) =>
    change === null ||
    (from !== undefined && atNs + (withinNs ?? 0n) >= from && (to === undefined || atNs < to));
  return yield* collected(rows.values().filter(isAsked).map(shownRow));
}

function shownRow(row: TimeLineRow): TimeLine[number] {
  const { timeNs, atNs, withinNs, plane, source, subject, event, detail } = row;
  return {
    ...{
      time_ns: String(timeNs),
      at_ns: String(atNs),
      time: dateOf(atNs).toISOString(),
      within_ms: msOf(withinNs),
    },
    ...{ plane, source, subject, event, detail },
  };
}

export function* journalText(lines: readonly string[]): Steps<string> {
  yield;
  return `${lines.join("\n")}\n`;
}

/** RFC 4180, with the columns of `vantage experiment timeline`. */
export function* timeLineCsv(rows: TimeLine): Steps<string> {
  const { entries } = timeLineAnswer.item;
  const columns = Object.keys(entries) as (keyof typeof entries)[];
  const lines = yield* collected(
    rows.values().map((row) => csvLine(columns.map((column) => String(row[column] ?? "")))),
  );
  return `${[csvLine(columns), ...lines].join("\n")}\n`;
}

function msOf(ns: bigint | null): number | null {
  return ns === null ? null : Number(ns) / 1e6;
}

function dateOf(ns: bigint): Date {
  return new Date(Number(ns / 1_000_000n));
}
