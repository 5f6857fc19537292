/** One campaign in memory, as the changes of its journal make it. */
import { type CampaignState, stepKey } from "../../../lib/measuring/campaign/advance.ts";
import type { StandingStep, StepGiven, StepWork } from "../../../lib/measuring/campaign/run-steps.ts";
import type { Schedule } from "../../../lib/measuring/campaign/schedule.ts";
import type { Step } from "./journal.ts";

interface CampaignRow {
  readonly campaign_id: string;
  readonly state: CampaignState;
  readonly revision: number;
  /** Why it has ended; null = it continues. */
  readonly ended: string | null;
}

export interface RevisionRow {
  readonly revision: number;
  readonly definition: string;
  readonly schedule: Schedule;
  readonly agents: string;
  readonly probes: string;
  readonly spreadSec: number;
  readonly works: readonly StepWork[];
}

export interface RunRow {
  readonly run: number;
  readonly last_run: number;
  readonly revision: number;
  readonly planned_ms: number;
  readonly state: "open" | "done" | "missed" | "refused" | "passed";
  readonly reason: string | null;
  readonly ended_ms: number | null;
}

export interface StepRow {
  readonly run: number;
  readonly step: number;
  readonly revision: number;
  readonly kind: StepWork["kind"];
  readonly state: StandingStep["state"];
  readonly due_ms: number;
  readonly latest_ms: number;
  /** Null = those of the revision. */
  readonly agents: string | null;
  readonly probes: string | null;
  readonly word: string | null;
  readonly given: StepGiven | null;
  readonly reason: string | null;
  readonly measurement_id: string | null;
  readonly taken_ms: number | null;
}

interface Note {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** One line of the journal: the rows' new states. */
export interface Change {
  readonly campaign?: CampaignRow;
  readonly revisions?: readonly RevisionRow[];
  readonly runs?: readonly RunRow[];
  readonly steps?: readonly StepRow[];
  readonly notes?: readonly Note[];
}

type Times = Pick<StepRow, "due_ms" | "latest_ms">;

export class CampaignBook {
  campaign: CampaignRow | null = null;
  /** Measured runs, and missed, refused or skipped ones. */
  done = 0;
  notDone = 0;
  readonly notes = new Map<string, Note["value"]>();
  readonly #revisions = new Map<number, RevisionRow>();
  /** Those that are not over. */
  readonly #runs = new Map<number, { readonly row: RunRow; readonly steps: Map<number, StepRow> }>();

  get state(): CampaignState {
    if (this.campaign === null) {
      throw new Error("The journal has no campaign");
    }
    return this.campaign.state;
  }

  get runs(): RunRow[] {
    return [...this.#runs.values()].map(({ row }) => row);
  }

  get steps(): StepRow[] {
    return [...this.#runs.values()].flatMap(({ steps }) => [...steps.values()]);
  }

  stepsOf(run: number): StepRow[] {
    return [...(this.#runs.get(run)?.steps.values() ?? [])];
  }

  measurementsOf(run: number): string[] {
    return this.stepsOf(run).flatMap(({ measurement_id: id }) => id ?? []);
  }

  revisionOf(revision: number): RevisionRow {
    const row = this.#revisions.get(revision);
    if (row === undefined) {
      throw new Error(`The journal has no revision ${revision} of its campaign`);
    }
    return row;
  }

  /** A run's steps follow the run, in the same change or a later one. */
  apply({ campaign, revisions = [], runs = [], steps = [], notes = [] }: Change): void {
    this.campaign = campaign ?? this.campaign;
    for (const revision of revisions) {
      this.#revisions.set(revision.revision, revision);
    }
    for (const run of runs) {
      this.#applyRun(run);
    }
    for (const step of steps) {
      this.#runs.get(step.run)?.steps.set(step.step, step);
    }
    for (const { key, value } of notes) {
      this.notes.set(key, value);
    }
  }

  #applyRun(row: RunRow): void {
    if (row.state === "open") {
      this.#runs.set(row.run, { row, steps: this.#runs.get(row.run)?.steps ?? new Map() });
      return;
    }
    for (const { step } of this.stepsOf(row.run)) {
      this.notes.delete(stepKey(this.campaign?.campaign_id ?? "", row.run, step));
    }
    this.#runs.delete(row.run);
    if (row.state === "done") {
      this.done++;
    } else {
      this.notDone += row.last_run - row.run + 1;
    }
  }

  /** The first step of a run is due, the others follow later. */
  stepOf(order: {
    readonly run: number;
    readonly step: number;
    readonly revision: number;
    readonly work: StepWork;
    readonly times: Times;
  }): StepRow {
    const { run, step, revision, work, times } = order;
    return {
      ...{ run, step, revision, kind: work.kind, state: step === 0 ? "due" : "later", ...times },
      agents: work.kind === "measure" ? work.agents : null,
      probes: work.kind === "measure" ? work.probes : null,
      word: work.kind === "wait" ? work.until : (work.rule ?? null),
      given: work.given ?? null,
      ...{ reason: null, measurement_id: null, taken_ms: null },
    };
  }

  /** A step that follows another in its run. */
  laterStep({ run, revision, due_ms, latest_ms }: StepRow, step: number, work: StepWork): StepRow {
    return this.stepOf({ run, revision, step, work, times: { due_ms, latest_ms } });
  }

  /** A step as its taker sees it. A step begun in time may end late. */
  claimed(row: StepRow, nowMs: number): Step {
    const { run, step, kind, word, given, measurement_id } = row;
    const revision = this.revisionOf(row.revision);
    const campaign_id = this.campaign?.campaign_id ?? "";
    const isBegun = this.notes.has(stepKey(campaign_id, run, step));
    return {
      ...{ campaign_id, run, step, kind, word, given, measurement_id, user_hash: "" },
      revision: row.revision,
      agents: row.agents ?? revision.agents,
      probes: row.probes ?? revision.probes,
      spread_sec: revision.spreadSec,
      is_late: nowMs > row.latest_ms && !isBegun,
      before: this.measurementsOf(run),
    };
  }
}
