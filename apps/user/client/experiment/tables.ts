/** Tables of an experiment: its rounds, the effects of changes, and clock offsets with their uncertainty. */
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import type { BothPlanes, ReactionRow } from "../../../../lib/measuring/experiment/both-planes.ts";
import type { MoveRow, RoundRow, SiteRow } from "../../../../lib/measuring/experiment/round-rows.ts";
import { ourClock } from "../../../../lib/measuring/experiment/time-line.ts";

export const roundColumns: readonly Column<RoundRow>[] = [
  { name: "round", head: "round", align: "right", value: ({ round }) => round },
  { name: "announced", head: "announced", value: ({ announced }) => announced },
  { name: "site", head: "site", value: ({ site }) => site },
  { name: "targets", head: "targets", align: "right", value: ({ targets }) => targets },
  { name: "moved_here", head: "moved here", align: "right", value: (row) => row.movedHere },
];

export const moveColumns: readonly Column<MoveRow>[] = [
  { name: "round", head: "round", align: "right", value: ({ round }) => round },
  { name: "from", head: "from", value: ({ from }) => from },
  { name: "to", head: "to", value: ({ to }) => to },
  { name: "targets", head: "targets", align: "right", value: ({ targets }) => targets },
];

type Share = { readonly targets: number; readonly of: number } | null;

/** A column for each tested number of prepends: shares of the targets with replies at one site. */
export function siteColumns(rows: readonly SiteRow[]): readonly Column<SiteRow>[] {
  const counts = [...new Set(rows.flatMap(({ byPrepend }) => [...byPrepend.keys()]))].sort((a, b) => a - b);
  return [
    { name: "site", head: "site", value: ({ site }) => site },
    ...counts.map((count) =>
      shareColumn(`prepend_${count}`, `+${count}`, ({ byPrepend }) => byPrepend.get(count) ?? null),
    ),
    shareColumn("alone", "alone", ({ alone }) => alone),
  ];
}

function shareColumn(name: string, head: string, share: (row: SiteRow) => Share): Column<SiteRow> {
  return { name, head, align: "right", value: share, text: (row) => shareText(share(row)) };
}

function shareText(share: Share): string {
  return share === null ? "" : `${share.targets}/${share.of}`;
}

/** The uncertainty of each source's clock, in words; empty when the controller is the only source. */
export function clocksText({ rows }: BothPlanes): string {
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

/** `1.2 ms`, `15 s`: two significant digits. */
function durationText(nanos: bigint): string {
  const ms = Number(nanos) / 1e6;
  return ms >= 1000 ? `${digits(ms / 1000)} s` : `${digits(ms)} ms`;
}

function digits(value: number): string {
  return value >= 10 ? String(Math.round(value)) : value.toFixed(1);
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
