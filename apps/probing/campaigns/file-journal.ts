/**
 * The journal of one campaign in a folder, for one process without a gateway. Each change is a line of JSON in
 * `journal.ndjson`, written to disk before it takes effect; reading all lines restores the state. A line cut off by a
 * kill or a full disk never happened.
 *
 * Memory holds the unfinished runs. The file grows by some 600 bytes per run: 320 MB in a year of one run per minute,
 * without the probe lines of computed steps.
 */
import { ChangeLog } from "../../../lib/base/disk/change-log.ts";
import {
  advance,
  type CampaignEvent,
  editedSchedule,
  newCampaign,
} from "../../../lib/measuring/campaign/advance.ts";
import { laterSlipSec } from "../../../lib/measuring/campaign/limits.ts";
import { progressOf, stepAt } from "../../../lib/measuring/campaign/run-steps.ts";
import { CampaignBook, type Change, type RevisionRow, type RunRow, type StepRow } from "./campaign-book.ts";
import type { Journal, NextStep, SlotStep, Step, StepPlace, WorkAhead } from "./journal.ts";
import { lookMsMax, reasonCharsMax } from "./limits.ts";

interface FileJournalOptions {
  readonly nowMs: () => number;
  /** Whether agents have finished a measurement. */
  readonly isEnded: (measurementId: string) => Promise<boolean>;
  /** A run has started, has ended, or was skipped; with its measurements so far. */
  readonly onRun: (run: RunRow, measurementIds: readonly string[]) => void;
}

/** Its definition is compared with that of a later start. */
export interface FileRevision extends Omit<RevisionRow, "revision"> {
  /** False = an edit keeps the existing start. */
  readonly isStartGiven: boolean;
}

export class FileJournal implements Journal, Disposable {
  readonly book = new CampaignBook();
  readonly #options: FileJournalOptions;
  readonly #log: ChangeLog<Change>;
  /** Claimed or postponed steps, until when. */
  readonly #heldUntilMs = new Map<string, number>();

  private constructor(folder: string, options: FileJournalOptions) {
    this.#options = options;
    this.#log = new ChangeLog(folder, "a campaign", (change) => this.book.apply(change));
  }

  /** Throws an Error, with the next step, when another process has the folder, or the file is not such a journal. */
  static open(folder: string, options: FileJournalOptions): FileJournal {
    return new FileJournal(folder, options);
  }

  /** Creates the campaign, or edits it when its definition has changed. */
  begin(id: string, { isStartGiven, ...revision }: FileRevision): "made" | "edited" | "as before" {
    const { campaign } = this.book;
    if (campaign === null) {
      const made = { campaign_id: id, state: newCampaign(revision.schedule), revision: 1, ended: null };
      this.#write({ campaign: made, revisions: [{ revision: 1, ...revision }] });
      return "made";
    }
    const before = this.book.revisionOf(campaign.revision);
    if (before.definition === revision.definition) {
      return "as before";
    }
    const startMs = isStartGiven ? revision.schedule.startMs : before.schedule.startMs;
    const schedule = editedSchedule({ ...revision.schedule, startMs }, campaign.state, this.#options.nowMs());
    const number = campaign.revision + 1;
    this.#write({
      campaign: { ...campaign, revision: number },
      revisions: [{ revision: number, ...revision, schedule }],
    });
    this.#happen({ kind: "edit" });
    return "edited";
  }

  /** Keeps a step's working state under its key until its run is over. */
  note(key: string, value: Readonly<Record<string, unknown>>): void {
    this.#write({ notes: [{ key, value }] });
  }

  ahead(): Promise<WorkAhead> {
    const { state, runs, steps } = this.book;
    const nowMs = this.#options.nowMs();
    const isNext = state.phase === "active" && state.nextMs !== null;
    const waits = steps
      .filter((step) => step.state === "due")
      .map((step) => Math.max(step.due_ms, this.#heldUntilMs.get(keyOf(step)) ?? 0));
    const dueMs = Math.min(
      lookMsMax,
      ...[...(isNext ? [state.nextMs] : []), ...waits].map((at) => at - nowMs),
    );
    return Promise.resolve({ dueMs: Math.ceil(dueMs), isUnderWay: runs.length > 0 });
  }

  takeDue(): Promise<void> {
    const { state } = this.book;
    if (state.phase === "active" && state.nextMs !== null && state.nextMs <= this.#options.nowMs()) {
      this.#happen({ kind: "time" });
    }
    return Promise.resolve();
  }

  async settle(): Promise<void> {
    for (const open of this.book.runs.filter(({ state }) => state === "open")) {
      const steps = this.book.stepsOf(open.run);
      const standing = await Promise.all(
        steps.map(async ({ step, state, reason, measurement_id: id }) => {
          const isUnderWay = id !== null && !(await this.#options.isEnded(id));
          return { step, state, reason, isUnderWay };
        }),
      );
      this.#goOn(open, steps, progressOf(standing));
    }
  }

  claim(room: number): Promise<Step[]> {
    const nowMs = this.#options.nowMs();
    const due = this.book.steps
      .filter((step) => step.state === "due" && step.due_ms <= nowMs)
      .filter((step) => (this.#heldUntilMs.get(keyOf(step)) ?? 0) <= nowMs)
      .toSorted((a, b) => a.due_ms - b.due_ms)
      .slice(0, room);
    for (const step of due) {
      this.#heldUntilMs.set(keyOf(step), Number.POSITIVE_INFINITY);
    }
    return Promise.resolve(due.map((step) => this.book.claimed(step, nowMs)));
  }

  taken(place: StepPlace, measurementId: string): Promise<void> {
    const taken_ms = this.#options.nowMs();
    return this.#change(place, ["due", "dropped"], (row) => ({
      steps: [{ ...row, state: "taken", measurement_id: measurementId, taken_ms }],
    }));
  }

  done(place: StepPlace, next: readonly NextStep[], reason?: string): Promise<void> {
    return this.#change(place, ["due"], (row) => ({
      steps: [
        { ...row, state: "done", reason: reason?.slice(0, reasonCharsMax) ?? row.reason },
        ...next.map(({ step, work }) => this.book.laterStep(row, step, work)),
      ],
    }));
  }

  spread(place: StepPlace, slots: readonly SlotStep[]): Promise<void> {
    return this.#change(place, ["due"], (row) => ({
      steps: [
        { ...row, state: "spread" },
        ...slots.map(({ step, wait_ms: waitMs, agents }) => ({
          ...{ ...row, step, agents },
          ...{ due_ms: row.due_ms + waitMs, latest_ms: row.latest_ms + waitMs },
        })),
      ],
    }));
  }

  over(place: StepPlace, state: "missed" | "refused", reason: string): Promise<void> {
    return this.#change(place, ["due"], (row) => ({
      steps: [{ ...row, state, reason: reason.slice(0, reasonCharsMax) }],
    }));
  }

  again(place: StepPlace, seconds: number): Promise<void> {
    this.#heldUntilMs.set(keyOf(place), this.#options.nowMs() + 1000 * seconds);
    return Promise.resolve();
  }

  /** Nothing to cancel: here a campaign is only stopped by ending the process. */
  cancelling(): Promise<readonly []> {
    return Promise.resolve([]);
  }

  cancelled(): Promise<void> {
    return Promise.resolve();
  }

  [Symbol.dispose](): void {
    this.#log[Symbol.dispose]();
  }

  #change(
    place: StepPlace,
    from: readonly StepRow["state"][],
    changeOf: (row: StepRow) => Change,
  ): Promise<void> {
    const row = this.book.stepsOf(place.run).find(({ step }) => step === place.step);
    if (row !== undefined && from.includes(row.state)) {
      this.#write(changeOf(row));
    }
    this.#heldUntilMs.delete(keyOf(place));
    return Promise.resolve();
  }

  #goOn(open: RunRow, steps: readonly StepRow[], progress: ReturnType<typeof progressOf>): void {
    const nowMs = this.#options.nowMs();
    if (progress.kind === "next") {
      const next = steps.filter(({ step }) => progress.steps.includes(step));
      const times = { due_ms: nowMs, latest_ms: nowMs + 1000 * laterSlipSec };
      this.#write({ steps: next.map((one) => ({ ...one, ...times, state: "due" })) });
    } else if (progress.kind === "over") {
      const { outcome, reason } = progress;
      this.#happen({ kind: "runEnded", number: open.run }, [
        { ...open, state: outcome, reason, ended_ms: nowMs },
      ]);
    }
  }

  /** Writes an event's resulting state, its work, and other runs that it changes, in one line. */
  #happen(event: CampaignEvent, runs: readonly RunRow[] = []): void {
    const { campaign } = this.book;
    if (campaign === null) {
      return;
    }
    const nowMs = this.#options.nowMs();
    const { schedule, works } = this.book.revisionOf(campaign.revision);
    const { state, actions } = advance(schedule, campaign.state, event, nowMs);
    const { revision } = campaign;
    const passed: RunRow[] = [];
    const begun: RunRow[] = [];
    const steps: StepRow[] = [];
    let { ended } = campaign;
    for (const action of actions) {
      if (action.kind === "run") {
        const { number: run, plannedMs: planned_ms } = action.run;
        begun.push({ run, last_run: run, revision, planned_ms, state: "open", reason: null, ended_ms: null });
        const times = { due_ms: planned_ms, latest_ms: action.latestMs };
        steps.push(
          ...works.map((work, place) =>
            this.book.stepOf({ run, revision, step: stepAt(place), work, times }),
          ),
        );
      } else if (action.kind === "pass") {
        const { first, last, reason } = action;
        const times = { planned_ms: first.plannedMs, ended_ms: nowMs };
        passed.push({
          run: first.number,
          last_run: last.number,
          revision,
          ...times,
          state: "passed",
          reason,
        });
      } else if (action.kind === "end") {
        ended = action.reason;
      }
    }
    this.#write({ campaign: { ...campaign, state, ended }, runs: [...runs, ...passed, ...begun], steps });
  }

  #write(change: Change): void {
    this.#log.append(change);
    const changedRuns = (change.runs ?? []).map((run) => ({ run, ids: this.book.measurementsOf(run.run) }));
    this.book.apply(change);
    for (const { run, ids } of changedRuns) {
      this.#options.onRun(run, ids);
    }
  }
}

function keyOf({ run, step }: Pick<StepPlace, "run" | "step">): string {
  return `${run} ${step}`;
}
