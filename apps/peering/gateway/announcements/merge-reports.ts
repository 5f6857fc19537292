/** One report of a user, of those of all machines that announce: each exchange server as who joins it says. Pure. */
import type * as v from "valibot";
import type { announcementsAnswer, reportBody } from "../../../../lib/base/api/announcements.ts";
import { type ChangeBudget, changesLeft } from "../../../../lib/base/api/change-budget.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import { driftPerMillion } from "../../../../lib/measuring/probing/clocks.ts";
import { laggingReportMs } from "../limits.ts";

type MachineReport = v.InferOutput<typeof reportBody> & { readonly received_at: string };
type Merged = NonNullable<StoredAnswer<typeof announcementsAnswer>["report"]>;
type ExchangeChanges = StoredAnswer<typeof announcementsAnswer>["budget"]["prefixes"][number]["exchanges"];
type State = MachineReport["states"][number];

/**
 * `version` of the answer is the lowest of machines that joined an exchange server: all of them have that. A machine
 * that has not followed the newest version for ten minutes is left out as if switched off, but never the last one.
 * Null without a report.
 */
export function mergeReports(
  reports: readonly MachineReport[],
  newest: number,
  nowMs: number,
): Merged | null {
  const alive = reports.filter(
    ({ version, received_at: receivedAt }) =>
      version >= newest || nowMs - new Date(receivedAt).getTime() < laggingReportMs,
  );
  const used = alive.length > 0 ? alive : reports.toSorted((a, b) => b.version - a.version).slice(0, 1);
  const chosen = new Map<string, { readonly state: State; readonly from: MachineReport }>();
  for (const from of used) {
    for (const state of from.states) {
      const key = `${state.prefix} ${state.server}`;
      const known = chosen.get(key);
      if (known === undefined || weight(state) > weight(known.state)) {
        chosen.set(key, { state, from });
      }
    }
  }
  const tellers = [...new Set([...chosen.values()].map(({ from }) => from))];
  const all = tellers.length > 0 ? tellers : used;
  const last = all.toSorted((a, b) => Date.parse(b.received_at) - Date.parse(a.received_at))[0];
  return last === undefined
    ? null
    : {
        version: Math.min(...all.map(({ version }) => version)),
        taken_ns: last.taken_ns,
        received_at: new Date(last.received_at),
        states: [...chosen.values()].map(({ state, from }) => ({
          ...state,
          clock: clockNow(state, from, nowMs),
        })),
      };
}

/** Clocks drift apart since they were compared; a report of an older client stack has none. */
function clockNow(
  { clock }: State,
  { received_at: receivedAt }: MachineReport,
  nowMs: number,
): State["clock"] {
  const ageMs = Math.max(0, nowMs - Date.parse(receivedAt));
  return clock ? { ...clock, within_ms: clock.within_ms + (ageMs * driftPerMillion) / 1_000_000 } : null;
}

/** A machine with a session there precedes one that only has the server's name from a request. */
function weight({ exchange, daemon_ns: daemonNs }: State): number {
  return { accepted: 4, refused: 3, withdrawn: 2, unknown: 0 }[exchange] + (daemonNs === null ? 0 : 0.5);
}

/**
 * How often exchange servers take a change of the prefix, by name: the last word of each, with what has come back
 * since. An exchange counts a prefix and not a session, so any machine's word is good; older client stacks say nothing.
 */
export function exchangeChanges(
  reports: readonly MachineReport[],
  prefix: string,
  nowMs: number,
): ExchangeChanges {
  const byAge = reports.toSorted((a, b) => Date.parse(a.received_at) - Date.parse(b.received_at));
  const budgets = byAge.flatMap(({ states }) =>
    states.flatMap((state): [string, ChangeBudget][] =>
      state.prefix === prefix && state.changes ? [[state.server, state.changes]] : [],
    ),
  );
  return [...new Map(budgets)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([server, budget]) => {
      const { left, oneMoreAtMs } = changesLeft(budget, nowMs);
      const isHeld = budget.held_until !== null && Date.parse(budget.held_until) > nowMs;
      return {
        server,
        changes_left: left,
        changes_max: budget.max,
        every_seconds: budget.every_seconds,
        one_more_at: oneMoreAtMs === null ? null : new Date(oneMoreAtMs),
        spent_until: oneMoreAtMs === null ? null : budget.spent_until,
        held_until: isHeld ? budget.held_until : null,
      };
    });
}
