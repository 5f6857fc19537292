/** The time line of an experiment from its journal, by the controller's clock, with what each source showed. */
import type { ExperimentBook, KeptEvent } from "../../../lib/experiment/journal.ts";
import { ourClock, reactionsTo, timeLine } from "../../../lib/experiment/time-line.ts";
import type { Column } from "../../../lib/terminal/rows-output.ts";
import { begunExperiment } from "./catchments.ts";

interface Change {
  readonly atNs: bigint;
  /** `announce west +2, east`. */
  readonly text: string;
}

/** `stored`: what a column store has of routes, in place of what the journal has; null = that of the journal. */
export function bothPlanes(book: ExperimentBook, stored: readonly KeptEvent[] | null) {
  const isRoute = ({ event }: KeptEvent) => event === "route" || event === "route-gone";
  const events = stored === null ? book.events : [...book.events.filter((one) => !isRoute(one)), ...stored];
  // A start after a kill tells again what it finds.
  const once = new Map(events.map((event) => [JSON.stringify(event), event]));
  const timed = [...once.values()].map(({ timeNs, withinNs, ...event }) => ({
    ...event,
    timeNs: BigInt(timeNs),
    ...(withinNs === undefined ? {} : { withinNs: BigInt(withinNs) }),
  }));
  const changes = changesOf(book);
  const lined = timeLine(timed, book.clocks);
  return {
    changes,
    ...reactionsTo(
      changes.map(({ atNs }) => atNs),
      lined,
    ),
  };
}

/** What was asked for at one moment is one change; in the order of their times. */
function changesOf(book: ExperimentBook): Change[] {
  const bySec = Map.groupBy(
    [...(begunExperiment(book)?.actions ?? []).entries()].flatMap(([index, action]) => {
      const atNs = book.asked.get(index);
      return atNs === undefined || !("site" in action) ? [] : [{ atNs, action }];
    }),
    ({ action: { sec } }) => sec,
  );
  const planned = [...bySec.values()].map((own) => ({
    atNs: own.map(({ atNs }) => atNs).sort((a, b) => (a < b ? -1 : 1))[0] ?? 0n,
    text: own
      .map(({ action }) => {
        const longer = action.kind === "announce" && action.as.prepend > 0 ? ` +${action.as.prepend}` : "";
        return `${action.kind} ${action.site}${longer}`;
      })
      .join(", "),
  }));
  const ends = book.events.filter(({ event, subject }) => event === "asked" && subject === "*");
  const last = ends.map(({ timeNs, detail }) => ({ atNs: BigInt(timeNs), text: detail }));
  return [...planned, ...last].sort((a, b) => (a.atNs < b.atNs ? -1 : 1));
}

/** How well the clock of each source is known, in words; empty where nobody but the controller said anything. */
export function clocksText({ rows }: ReturnType<typeof bothPlanes>): string {
  const worst = new Map<string, bigint | null>();
  for (const { source, withinNs } of rows) {
    const known = worst.get(source);
    const isWorse = known === undefined || (known !== null && (withinNs === null || withinNs > known));
    worst.set(source, isWorse ? withinNs : (known ?? null));
  }
  worst.delete(ourClock);
  return [...worst]
    .sort()
    .map(
      ([source, within]) => `${source} ${within === null ? "never compared" : `± ${durationText(within)}`}`,
    )
    .join(", ");
}

/** `1.2 ms`, `15 s`: two digits that count. */
function durationText(nanos: bigint): string {
  const ms = Number(nanos) / 1e6;
  return ms >= 1000 ? `${digits(ms / 1000)} s` : `${digits(ms)} ms`;
}

function digits(value: number): string {
  return value >= 10 ? String(Math.round(value)) : value.toFixed(1);
}

interface ReactionRow {
  readonly text: string;
  readonly plane: string;
  readonly who: string;
  readonly firstNs: bigint;
  readonly lastNs: bigint;
  readonly signs: number;
  readonly withinNs: bigint | null;
}

export const reactionColumns: readonly Column<ReactionRow>[] = [
  { name: "change", head: "after", value: ({ text }) => text },
  { name: "plane", head: "plane", value: ({ plane }) => plane },
  { name: "who", head: "where", value: ({ who }) => who },
  secondsColumn("first_s", "first after", ({ firstNs }) => firstNs),
  secondsColumn("last_s", "last after", ({ lastNs }) => lastNs),
  { name: "signs", head: "changes", align: "right", value: ({ signs }) => signs },
  withinColumn(),
];

export function* reactionRows({ changes, reactions }: ReturnType<typeof bothPlanes>): Generator<ReactionRow> {
  for (const reaction of reactions.toSorted((a, b) => a.change - b.change || (a.plane < b.plane ? -1 : 1))) {
    yield { ...reaction, text: changes[reaction.change]?.text ?? "" };
  }
}

function secondsColumn<Row>(name: string, head: string, nanos: (row: Row) => bigint): Column<Row> {
  const seconds = (row: Row) => Number(nanos(row)) / 1e9;
  return { name, head, align: "right", value: seconds, cell: (row) => `${seconds(row).toFixed(3)} s` };
}

/** Milliseconds; null = the clock was never compared. */
export function withinColumn(): Column<{ readonly withinNs: bigint | null }> {
  return {
    ...{ name: "within_ms", head: "±", align: "right" },
    value: ({ withinNs }) => (withinNs === null ? null : Number(withinNs) / 1e6),
    cell: ({ withinNs }) => (withinNs === null ? "?" : withinNs === 0n ? "" : durationText(withinNs)),
  };
}
