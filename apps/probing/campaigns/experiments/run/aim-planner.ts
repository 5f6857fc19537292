/**
 * The next change of an aim, planned when the catchment of the one before is stored. It is written into the journal
 * before anything is announced, so another gateway continues with the same one.
 */
import { inTurns, type Pace } from "../../../../../lib/engines/http/pace.ts";
import { asMapOf, type OfferedPath } from "../../../../../lib/measuring/experiment/aim/as-map.ts";
import type { Forecast } from "../../../../../lib/measuring/experiment/aim/forecast.ts";
import { MapTable } from "../../../../../lib/measuring/experiment/aim/map-table.ts";
import {
  type AimState,
  type NextSetting,
  nextSetting,
} from "../../../../../lib/measuring/experiment/aim/next-setting.ts";
import { measuredShares } from "../../../../../lib/measuring/experiment/aim/outlook.ts";
import { announcementsOf } from "../../../../../lib/measuring/experiment/aim/setting.ts";
import { aimState } from "../../../../../lib/measuring/experiment/aim-state.ts";
import { changesWithin } from "../../../../../lib/measuring/experiment/aim-steps.ts";
import { leversOf } from "../../../../../lib/measuring/experiment/aim-targets.ts";
import {
  announcedText,
  endText,
  notPredictableText,
  percentText,
  shareText,
} from "../../../../../lib/measuring/experiment/aim-words.ts";
import type { Aim, Experiment } from "../../../../../lib/measuring/experiment/definition.ts";
import type { ChangePace } from "../../../../../lib/measuring/experiment/plan.ts";
import { spacedSec } from "../../../../../lib/measuring/experiment/sweep.ts";
import { aimPathsMax } from "../../limits.ts";
import { reasonOf } from "./attempts.ts";
import type { OpenJournal } from "./open-journal.ts";
import type { RoutePlane } from "./planes.ts";

interface PlannerParts {
  readonly experiment: Experiment;
  readonly aim: Aim;
  readonly pace: ChangePace;
  readonly startMs: number;
  readonly journal: OpenJournal;
  /** Null = no collector. */
  readonly collector: RoutePlane | null;
  readonly turns: Pace;
  readonly nowMs: () => number;
  /** On the time line. */
  readonly note: (event: string, subject: string, detail: string) => void;
}

export class AimPlanner {
  /** Why the aim is over; null = it is not. */
  outcome: string | null = null;
  readonly #parts: PlannerParts;
  #planning: Promise<void> | null = null;
  #before: Forecast | null = null;
  /** Undefined = paths were not read yet. */
  #map: MapTable | null | undefined;

  constructor(parts: PlannerParts) {
    this.#parts = parts;
  }

  /** In the background: meanwhile announcements are renewed. */
  start(): void {
    this.#planning ??= this.#next()
      .then((reason) => {
        this.outcome = reason;
      })
      .catch((error) => {
        this.outcome = `cannot plan: ${reasonOf(error)}`;
      })
      .finally(() => {
        this.#planning = null;
      });
  }

  /** Resolves when nothing is planned. */
  async ended(): Promise<void> {
    await this.#planning;
  }

  /** Writes the next change; or resolves to the reason why the aim ends. */
  async #next(): Promise<string | null> {
    const { experiment, aim, pace, journal, turns } = this.#parts;
    const { ledger } = journal;
    if (this.#map === undefined) {
      this.#map = await this.#readMap();
    }
    const changesMax = this.#isInTime() ? changesWithin(aim, pace.spacingSec) : ledger.planned.length;
    const order = { experiment, aim, ledger, map: this.#map, changesMax };
    const state = await inTurns(aimState(order), turns);
    this.#noteRound(state);
    if (state.rounds.length > 0 && state.rounds.every(({ siteOf }) => siteOf.every((site) => site < 0))) {
      return "no target replied at one of the sites: are the agents there, with probe.sites where names differ?";
    }
    const next = await inTurns(nextSetting(state, this.#before), turns);
    if (next.kind === "end") {
      return endText(next, aim);
    }
    this.#before = next.forecast;
    this.#plan(state, next);
    return null;
  }

  #isInTime(): boolean {
    const { aim, startMs, nowMs } = this.#parts;
    return nowMs() + 1000 * aim.wait <= startMs + 1000 * aim.time;
  }

  #plan({ levers }: AimState, next: Extract<NextSetting, { kind: "announce" }>): void {
    const { setting, why, outlook, forecast } = next;
    const { aim, pace, startMs, nowMs, journal, note } = this.#parts;
    const { planned } = journal.ledger;
    const last = planned.at(-1);
    const earliestSec = last === undefined ? 0 : last.sec + spacedSec(aim.wait, pace.spacingSec);
    const sec = Math.max(earliestSec, last === undefined ? 0 : Math.ceil((nowMs() - startMs) / 1000));
    const announced = Object.fromEntries(announcementsOf(levers.entries, setting));
    journal.write({ kind: "planned", sec, announced, why, forecast: outlook.shares });
    const words = outlook.shares.map((share, goal) => `${aim.goals[goal]}: ${shareText(share)}`).join("; ");
    const unsure = notPredictableText(forecast.groups);
    note(
      "planned",
      `round ${planned.length - 1}`,
      `${announcedText(announced)} (to ${why}): ${words}${unsure}`,
    );
  }

  /** The round that this is about was stored just now, or by another gateway. */
  #noteRound({ goals, rounds, weights }: AimState): void {
    const { journal, aim, note } = this.#parts;
    const [round, planned] = [rounds.at(-1), journal.ledger.planned[rounds.length - 1]];
    if (round === undefined || planned === undefined) {
      return;
    }
    const { shares } = measuredShares(goals, round, weights);
    const words = shares.map((share, goal) => {
      const forecast = planned.forecast[goal];
      const expected = forecast === undefined ? "" : `, forecast ${shareText(forecast)}`;
      return `${aim.goals[goal]}: ${percentText(share)}${expected}`;
    });
    note("measured", `round ${rounds.length - 1}`, words.join("; "));
  }

  /** Never rejects: without paths, a plan knows less. */
  async #readMap(): Promise<MapTable | null> {
    const { collector, aim, experiment, note } = this.#parts;
    if (collector === null || Object.keys(aim.neighbors).length === 0) {
      return null;
    }
    const paths: OfferedPath[] = [];
    try {
      const byAs = new Map(experiment.probe.targets.map((target) => [aim.asns[target] ?? target, target]));
      for (const target of [...byAs.values()].slice(0, aimPathsMax)) {
        paths.push(...(await collector.pathsTo(target)));
      }
    } catch (error) {
      note("trouble", "collector", `paths to targets are not known: ${String(error)}`);
      return null;
    }
    const neighbors = new Map(Object.entries(aim.neighbors));
    const map = asMapOf({ entries: leversOf(aim).entries, neighbors, paths });
    return map === null ? null : new MapTable(map);
  }
}
