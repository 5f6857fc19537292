/** An experiment's time line from its journal, by the controller's clock, with the evidence from each source. Pure. */
import type { Steps } from "../../base/list/steps.ts";
import { begunExperiment } from "./begun.ts";
import type { ExperimentLedger, KeptEvent } from "./journal.ts";
import { type Reaction, reactionsTo, type TimeLineRow, timeLine } from "./time-line.ts";

interface Change {
  readonly atNs: bigint;
  /** `announce west +2, east`. */
  readonly text: string;
}

export interface BothPlanes {
  readonly changes: readonly Change[];
  readonly reactions: readonly Reaction[];
  readonly rows: readonly TimeLineRow[];
}

/** `stored`: a column store's route events, replacing those in the journal; null = use the journal's. */
export function* bothPlanes(
  journal: ExperimentLedger,
  stored: readonly KeptEvent[] | null,
): Steps<BothPlanes> {
  const isRoute = ({ event }: KeptEvent) => event === "route" || event === "route-gone";
  const events =
    stored === null ? journal.events : [...journal.events.filter((one) => !isRoute(one)), ...stored];
  // A start after a kill records again what it finds.
  const once = new Map<string, KeptEvent>();
  for (const event of events) {
    once.set(JSON.stringify(event), event);
    yield;
  }
  const changes = changesOf(journal);
  const lined = yield* timeLine(once.values().map(timedEvent), journal.clocks);
  const changesNs = changes.map(({ atNs }) => atNs);
  return { changes, ...(yield* reactionsTo(changesNs, lined)) };
}

function timedEvent({ timeNs, withinNs, ...event }: KeptEvent) {
  const within = withinNs === undefined ? {} : { withinNs: BigInt(withinNs) };
  return { ...event, timeNs: BigInt(timeNs), ...within };
}

/** Actions requested at one moment are one change; sorted by time. */
function changesOf(journal: ExperimentLedger): Change[] {
  const bySec = Map.groupBy(
    [...(begunExperiment(journal)?.actions ?? []).entries()].flatMap(([index, action]) => {
      const atNs = journal.asked.get(index);
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
  const ends = journal.events.filter(({ event, subject }) => event === "asked" && subject === "*");
  const last = ends.map(({ timeNs, detail }) => ({ atNs: BigInt(timeNs), text: detail }));
  return [...planned, ...last].sort((a, b) => (a.atNs < b.atNs ? -1 : 1));
}

export interface ReactionRow {
  readonly text: string;
  readonly plane: string;
  readonly who: string;
  readonly firstNs: bigint;
  readonly lastNs: bigint;
  readonly signs: number;
  readonly withinNs: bigint | null;
}

export function* reactionRows({ changes, reactions }: BothPlanes): Generator<ReactionRow> {
  for (const reaction of reactions.toSorted((a, b) => a.change - b.change || (a.plane < b.plane ? -1 : 1))) {
    yield { ...reaction, text: changes[reaction.change]?.text ?? "" };
  }
}
