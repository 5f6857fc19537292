/**
 * Both planes of an experiment on one time line: requests, the actions of daemons and exchanges, what the collector
 * received, what probes showed. Pure.
 *
 * Sources have their own clocks. Their times are corrected by the offset from the controller's, as far as it is known.
 */
import { countUntil } from "../../base/list/count-until.ts";
import { mergeSorted } from "../../base/list/merge-sort.ts";
import type { Steps } from "../../base/list/steps.ts";
import { ClockOffsets } from "../probing/clock-offsets.ts";
import type { ClockSample } from "../probing/clocks.ts";

/** An event on the control plane (BGP) or the data plane (probes). */
interface TimeLineEvent {
  /** Nanoseconds since the epoch, by the clock of the source; by the controller's where `withinNs` is given. */
  readonly timeNs: bigint;
  readonly plane: "control" | "data";
  /** The machine whose clock that is: `controller`, `client stack`, `collector`, an agent. */
  readonly source: string;
  /** Its subject: a prefix, a site, a router's peer, a target. */
  readonly subject: string;
  /** As in the journal: `asked`, `daemon`, `exchange`, `route`, `route-gone`, `gap`, `new-path`, `loss`. */
  readonly event: string;
  readonly detail: string;
  readonly withinNs?: bigint | null | undefined;
  /** The clock's owner, where a source has several clocks; else the source. */
  readonly clock?: string | undefined;
}

export interface TimeLineRow extends TimeLineEvent {
  /** By the controller's clock. */
  readonly atNs: bigint;
  /** Null = the source's clock was never compared, and its time is used uncorrected. */
  readonly withinNs: bigint | null;
}

export const ourClock = "controller";

/** In the order of the controller's time; events of equal times keep their given order. */
export function* timeLine(
  events: Iterable<TimeLineEvent>,
  clocks: ReadonlyMap<string, readonly ClockSample[]>,
): Steps<TimeLineRow[]> {
  const offsets = new Map<string, ClockOffsets>();
  const rows: TimeLineRow[] = [];
  for (const event of events) {
    const { source, clock = source, timeNs, withinNs = source === ourClock ? 0n : null } = event;
    const known = offsets.get(clock) ?? new ClockOffsets(clocks.get(clock) ?? []);
    offsets.set(clock, known);
    const offset = withinNs === null ? known.at(timeNs) : { addNs: 0n, withinNs };
    rows.push({ ...event, atNs: timeNs + (offset?.addNs ?? 0n), withinNs: offset?.withinNs ?? null });
    yield;
  }
  const timeOf = (row: number) => rows[row]?.atNs ?? 0n;
  const inOrder = yield* mergeSorted(Uint32Array.from(rows.keys()), (a, b) => {
    const [first, second] = [timeOf(a), timeOf(b)];
    return first < second ? -1 : first > second ? 1 : a - b;
  });
  return Array.from(inOrder, (row) => rows[row]).filter((row) => row !== undefined);
}

/** One source's evidence after a change, until the next one. */
export interface Reaction {
  /** Index of the change. */
  readonly change: number;
  readonly plane: "control" | "data";
  /** A peer of a router, or an agent. */
  readonly who: string;
  /** Nanoseconds from the change to the first and to the last sign of it: when it had converged there. */
  readonly firstNs: bigint;
  readonly lastNs: bigint;
  readonly signs: number;
  /** Null = unknown. */
  readonly withinNs: bigint | null;
}

const firstNames: Readonly<Record<string, string>> = { route: "first-sight", "new-path": "first-probe" };
const signNames: ReadonlySet<string> = new Set(["route", "route-gone", "new-path"]);

/**
 * `rows` from `timeLine`, `changesNs` ascending, by the controller's clock. The first sign of each source after each
 * change has its own name in the returned rows.
 */
export function* reactionsTo(
  changesNs: readonly bigint[],
  rows: readonly TimeLineRow[],
): Steps<{ reactions: Reaction[]; rows: TimeLineRow[] }> {
  const found = new Map<string, Reaction>();
  const named: TimeLineRow[] = [];
  for (const row of rows) {
    yield;
    const { plane, event, withinNs, atNs } = row;
    const latestNs = atNs + (withinNs ?? 0n);
    // Rows are in the order of `atNs`, not of this end, so changes and rows cannot simply be merged.
    const change = countUntil(changesNs.length, (i) => (changesNs[i] ?? 0n) <= latestNs) - 1;
    const changeNs = changesNs[change];
    if (!signNames.has(event) || changeNs === undefined) {
      named.push(row);
      continue;
    }
    // Routes are by peer, from one collector; other observations are by agent.
    const who = plane === "control" ? row.subject : row.source;
    const key = JSON.stringify([change, plane, who]);
    const before = found.get(key);
    const sinceNs = atNs > changeNs ? atNs - changeNs : 0n;
    const { firstNs, signs } = before ?? { firstNs: sinceNs, signs: 0 };
    found.set(key, { change, plane, who, firstNs, lastNs: sinceNs, signs: signs + 1, withinNs });
    named.push(before === undefined ? { ...row, event: firstNames[event] ?? event } : row);
  }
  return { reactions: [...found.values()], rows: named };
}
