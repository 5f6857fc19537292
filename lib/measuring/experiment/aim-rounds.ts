/** An aim's rounds in rows: what was forecast for each goal, and what was measured. Pure. */

import type { Steps } from "../../base/list/steps.ts";
import { measuredShares, type Share } from "./aim/outlook.ts";
import { aimState } from "./aim-state.ts";
import { announcedText } from "./aim-words.ts";
import { begunExperiment } from "./begun.ts";
import type { ExperimentLedger } from "./journal.ts";

export interface AimRow {
  readonly round: number;
  readonly announced: string;
  readonly why: "learn" | "try";
  readonly goal: string;
  readonly forecast: Share | null;
  /** Null = its catchment is not measured yet. */
  readonly measured: number | null;
  readonly isMet: boolean | null;
}

/** None for an experiment without an aim. */
export function* aimRows(ledger: ExperimentLedger): Steps<AimRow[]> {
  const { experiment } = begunExperiment(ledger) ?? {};
  const { aim } = experiment ?? {};
  if (experiment === undefined || aim === undefined) {
    return [];
  }
  const { goals, rounds, weights } = yield* aimState({ experiment, aim, ledger, map: null, changesMax: 0 });
  return ledger.planned.flatMap(({ announced, why, forecast }, index) => {
    const round = rounds[index];
    return goals.map((goal, at): AimRow => {
      const measured =
        round === undefined ? null : (measuredShares([goal], round, weights).shares[0] ?? null);
      const isMet = round === undefined ? null : measuredShares([goal], round, weights).loss === 0;
      const how = {
        round: index,
        announced: announcedText(announced),
        why,
        goal: aim.goals[at] ?? goal.text,
      };
      return { ...how, forecast: forecast[at] ?? null, measured, isMet };
    });
  });
}
