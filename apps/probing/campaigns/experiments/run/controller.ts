/**
 * Runs an experiment: each action at its time after the start, journaled before and after. What another gateway had
 * requested before it was killed is repeated under the same name, and so takes effect once: an existing announcement
 * changes nothing, and a measurement is identified by its key.
 */
import { pause } from "../../../../../lib/engines/gateway-client/pause.ts";
import type { Experiment } from "../../../../../lib/measuring/experiment/definition.ts";
import type { KeptEvent } from "../../../../../lib/measuring/experiment/journal.ts";
import type { PlannedAction } from "../../../../../lib/measuring/experiment/plan.ts";
import { dueActions, standingAfter } from "../../../../../lib/measuring/experiment/schedule.ts";
import { nanosOf } from "../../../../../lib/measuring/probing/nanos-of.ts";
import { experimentReportMs, experimentTickMs } from "../../limits.ts";
import type { AimPlanner } from "./aim-planner.ts";
import { Announcer } from "./announcer.ts";
import { Attempts, isPassing, reasonOf } from "./attempts.ts";
import { controllerEvent } from "./controller-event.ts";
import type { LeaseKeeper } from "./lease-keeper.ts";
import { LookTaker } from "./look-taker.ts";
import type { Look } from "./looks.ts";
import { Observer } from "./observer.ts";
import type { OpenJournal } from "./open-journal.ts";
import type { ControlPlane, DataPlane, RoutePlane } from "./planes.ts";
import { RouteObserver } from "./route-observer.ts";

/** What its user wants of it now. */
export type Wanted = "run" | "pause" | "stop";

interface ExperimentRun {
  readonly id: string;
  readonly experiment: Experiment;
  /** So far: those of an aim become more. */
  readonly actions: () => readonly PlannedAction[];
  /** Null = its steps are given. */
  readonly planner: AimPlanner | null;
  readonly startMs: number;
  readonly journal: OpenJournal;
  readonly control: ControlPlane;
  readonly data: DataPlane;
  /** Receives routes; null = no collector. */
  readonly collector: RoutePlane | null;
  readonly lease: LeaseKeeper;
  readonly intervalMs: number;
  readonly nowMs: () => number;
  readonly wanted: () => Promise<Wanted>;
  /** Aborted when this gateway ends: another one continues. */
  readonly signal: AbortSignal;
}

/**
 * Resolves to the reason of its end; then the prefix has been withdrawn everywhere, or its withdrawal requested. Null =
 * this gateway ends, and another one continues. Rejects with TakenOver when one does already.
 */
export async function runExperiment(run: ExperimentRun): Promise<string | null> {
  const controller = new Controller(run);
  try {
    return await controller.run();
  } finally {
    await controller.leave();
  }
}

class Controller {
  readonly #run: ExperimentRun;
  readonly #announcer: Announcer;
  readonly #observer: Observer;
  /** Null = no collector. */
  readonly #routes: RouteObserver | null;
  readonly #looks: LookTaker;
  readonly #looking = new Map<number, Promise<void>>();
  readonly #ending = new AbortController();
  /** Actions that were written as requested by this gateway. */
  readonly #asked = new Set<number>();
  readonly #attempts = new Attempts((reason) => this.#seen("trouble", "*", reason, "control"));
  /** Why it must end. */
  #failure: string | null = null;
  /** Time of the prefix's last change, by this process or an earlier one. */
  #changedMs: number | null;
  #reportedMs = 0;
  #lastWanted: Wanted = "run";

  constructor(run: ExperimentRun) {
    this.#run = run;
    const { control: plane, intervalMs, nowMs, experiment, journal, data, collector } = run;
    const { ledger } = journal;
    const { doneMs } = ledger;
    const made = run.actions().flatMap((action, i) => ("site" in action ? (doneMs.get(i) ?? []) : []));
    this.#changedMs = made.length === 0 ? null : Math.max(...made);
    const tell = (event: KeptEvent) => this.#note(event);
    const write: OpenJournal["write"] = (entry) => journal.write(entry);
    this.#observer = new Observer({ data, write, nowMs, tell });
    const { signal } = this.#ending;
    const seen = (event: string, subject: string, detail: string) => this.#seen(event, subject, detail);
    this.#looks = new LookTaker({
      ...{ ...run, ledger, write, observer: this.#observer, signal, seen, note: tell },
    });
    const say = (reason: string) => this.#attempts.failed("ask the collector", reason);
    const compare = (routes: RoutePlane) => this.#observer.compareCollector(routes);
    this.#routes = collector && new RouteObserver({ plane: collector, ledger, nowMs, tell, say, compare });
    this.#announcer = new Announcer({
      ...{ plane, prefix: experiment.prefix, intervalMs, nowMs, tell, number: () => journal.changeNumber },
      compare: (site, betweenMs, clockNs) => this.#observer.compareSite(site, betweenMs, clockNs),
    });
  }

  async run(): Promise<string | null> {
    const { nowMs, signal, journal, lease, planner } = this.#run;
    this.#adopt();
    void this.#routes?.follow(this.#ending.signal);
    await this.#routes?.look();
    while (!signal.aborted) {
      const wanted = await this.#wanted();
      const reason = wanted === "stop" ? "stopped" : this.#reason();
      if (reason !== null) {
        return await this.#end(reason);
      }
      await this.#tried("renew", async () => {
        if (await this.#announcer.renew()) {
          this.#changedMs = nowMs();
        }
      });
      await this.#tried("renew the lease", () => lease.keep());
      if (wanted === "run") {
        await this.#takeDue();
        if (this.#isOver()) {
          planner?.start();
        }
      }
      if (nowMs() - this.#reportedMs >= experimentReportMs) {
        this.#reportedMs = nowMs();
        await this.#tried("report", () => this.#announcer.look());
        await this.#routes?.look();
      }
      this.#failure ??= journal.isFull ? "its journal is full" : null;
      await this.#stored();
      await pause(experimentTickMs, signal);
    }
    return null;
  }

  /** Ends what is in progress here; announcements and measurements stay. */
  async leave(): Promise<void> {
    this.#ending.abort();
    await Promise.all([...this.#looking.values(), this.#run.planner?.ended()]);
  }

  /** As before while the database is unavailable. */
  async #wanted(): Promise<Wanted> {
    await this.#tried("read what is wanted", async () => {
      this.#lastWanted = await this.#run.wanted();
    });
    return this.#lastWanted;
  }

  /** Rejects with TakenOver. Without the database an experiment continues what it has begun. */
  async #stored(): Promise<boolean> {
    return await this.#tried("write the journal", () => this.#run.journal.flush());
  }

  /** Resumes renewing announcements from before a kill that were not withdrawn since. */
  #adopt(): void {
    const { actions, journal } = this.#run;
    for (const [site, as] of standingAfter(actions(), journal.ledger)) {
      this.#announcer.adopt(site, as);
    }
  }

  /** Why it ends; null = it continues. */
  #reason(): string | null {
    const { planner } = this.#run;
    const finished = planner === null ? (this.#isOver() ? "finished" : null) : planner.outcome;
    return this.#attempts.refusal ?? this.#failure ?? finished;
  }

  #isOver(): boolean {
    const { actions, journal } = this.#run;
    const left = actions().filter(
      (action, index) => !journal.ledger.done.has(index) && !this.#isLastWithdrawal(action),
    );
    return left.length === 0;
  }

  /** Withdrawals at the end of the plan: the end withdraws everywhere once all is done. */
  #isLastWithdrawal({ kind, sec }: PlannedAction): boolean {
    return kind === "withdraw" && sec === this.#run.actions().at(-1)?.sec;
  }

  async #takeDue(): Promise<void> {
    const { actions, startMs, nowMs, journal } = this.#run;
    const { ledger } = journal;
    const progress = { startMs, nowMs: nowMs(), changedMs: this.#changedMs };
    const due = dueActions(actions(), { ...progress, isDone: (action) => ledger.done.has(action) }).filter(
      ([, action]) => !this.#isLastWithdrawal(action),
    );
    await this.#changeDue(due);
    for (const [index, action] of due) {
      if ("probes" in action && !this.#looking.has(index)) {
        this.#looking.set(index, this.#look(index, action));
      }
    }
  }

  /** Simultaneous actions of sites are one change. */
  async #changeDue(due: readonly (readonly [number, PlannedAction])[]): Promise<void> {
    const changes = due.flatMap(([index, action]) => ("site" in action ? [{ index, action }] : []));
    for (const own of Map.groupBy(changes, ({ action }) => action.sec).values()) {
      // Withdrawing and announcing at the same site in one step means announcing.
      const sites = new Map(own.map(({ action }) => [action.site, "as" in action ? action.as : null]));
      const indices = own.map(({ index }) => index);
      await this.#acted(indices, async () => {
        await this.#announcer.change([...sites].map(([site, as]) => ({ site, as })));
        this.#changedMs = this.#run.nowMs();
      });
    }
  }

  /**
   * A permanent refusal by the gateway ends the run; temporary failures are retried. Each gateway that runs it writes
   * the action before its first attempt: the numbers of changes by a gateway that was taken for dead are lower.
   */
  async #acted(indices: readonly number[], act: () => Promise<void>): Promise<void> {
    for (const action of indices.filter((one) => !this.#asked.has(one))) {
      this.#asked.add(action);
      this.#run.journal.write({ kind: "asked", action, atNs: this.#nowNs() });
    }
    if (!(await this.#stored())) {
      return;
    }
    if (await this.#tried("act", act)) {
      for (const action of indices) {
        this.#run.journal.write({ kind: "done", action, atNs: this.#nowNs() });
      }
    }
  }

  async #look(index: number, look: Look): Promise<void> {
    const { journal } = this.#run;
    try {
      const wasAsked = journal.ledger.asked.has(index);
      if (!wasAsked) {
        journal.write({ kind: "asked", action: index, atNs: this.#nowNs() });
        await journal.flush();
      }
      await this.#looks.take(index, look, wasAsked);
      journal.write({ kind: "done", action: index, atNs: this.#nowNs() });
    } catch (error) {
      if (!this.#ending.signal.aborted && !isPassing(error)) {
        this.#failure ??= `${look.kind} at ${look.sec} s: ${reasonOf(error)}`;
      }
    } finally {
      this.#looking.delete(index);
    }
  }

  /** Retried until the announcements have ended by themselves, as after two intervals without a renewal. */
  async #end(reason: string): Promise<string | null> {
    const { intervalMs, nowMs, journal, signal } = this.#run;
    await this.leave();
    await this.#stored();
    this.#attempts.refusal = null;
    const untilMs = nowMs() + 2 * intervalMs;
    while (!(await this.#tried("withdraw", () => this.#announcer.withdrawAll()))) {
      if (signal.aborted) {
        return null;
      }
      if (this.#attempts.refusal !== null || nowMs() >= untilMs) {
        const why = this.#attempts.refusal ?? "the peering gateway was unavailable";
        this.#seen(
          "not-withdrawn",
          "*",
          `it ends by itself, ${(2 * intervalMs) / 1000} s after its last renewal: ${why}`,
        );
        break;
      }
      await pause(experimentTickMs, signal);
    }
    journal.write({ kind: "ended", atNs: this.#nowNs(), reason });
    while (!signal.aborted && !(await this.#stored())) {
      await pause(experimentTickMs, signal);
    }
    return reason;
  }

  /** Whether it was done. */
  #tried(what: string, act: () => Promise<void>): Promise<boolean> {
    return this.#attempts.of(what, act);
  }

  #seen(event: string, subject: string, detail: string, plane: "control" | "data" = "data"): void {
    this.#note(controllerEvent(plane, this.#run.nowMs(), { subject, event, detail }));
  }

  #note(event: KeptEvent): void {
    this.#run.journal.write({ kind: "event", event });
    this.#observer.compareStack(event);
  }

  #nowNs(): string {
    return String(nanosOf(this.#run.nowMs()));
  }
}
