/**
 * Runs an experiment: each action at its time after the start, journaled before and after. Requests before a kill are
 * repeated under the same name, and so take effect once: an existing announcement changes nothing, and a measurement is
 * identified by its key.
 */
import { pause } from "../../../../lib/engines/gateway-client/pause.ts";
import type { Experiment } from "../../../../lib/measuring/experiment/definition.ts";
import type {
  ExperimentEntry,
  ExperimentLedger,
  KeptEvent,
} from "../../../../lib/measuring/experiment/journal.ts";
import type { PlannedAction } from "../../../../lib/measuring/experiment/plan.ts";
import { dueActions, standingAfter } from "../../../../lib/measuring/experiment/schedule.ts";
import { experimentReportMs, experimentTickMs } from "../limits.ts";
import { Announcer } from "./announcer.ts";
import { LookTaker } from "./look-taker.ts";
import type { Look } from "./looks.ts";
import { Observer } from "./observer.ts";
import type { ControlPlane, DataPlane, RoutePlane } from "./planes.ts";
import { RouteObserver } from "./route-observer.ts";

interface ExperimentRun {
  readonly id: string;
  readonly experiment: Experiment;
  readonly actions: readonly PlannedAction[];
  readonly startMs: number;
  readonly ledger: ExperimentLedger;
  /** Returns when it is on disk. */
  readonly write: (entry: ExperimentEntry) => void;
  readonly control: ControlPlane;
  readonly data: DataPlane;
  /** Receives routes; null = no collector. */
  readonly collector: RoutePlane | null;
  readonly intervalMs: number;
  readonly nowMs: () => number;
  /** Why the run must end now; null = it continues. */
  readonly stopReason: () => string | null;
  readonly tell: (line: string) => void;
}

/** Resolves to the reason of its end; then the prefix has been withdrawn everywhere, or its withdrawal requested. */
export async function runExperiment(run: ExperimentRun): Promise<string> {
  const controller = new Controller(run);
  return await controller.run();
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
  /** Actions being retried, with the reason. */
  readonly #troubles = new Map<string, string>();
  #failure: string | null = null;
  /** Time of the prefix's last change, by this process or an earlier one. */
  #changedMs: number | null;
  #reportedMs = 0;

  constructor(run: ExperimentRun) {
    this.#run = run;
    const made = run.actions.flatMap((action, index) =>
      "site" in action && run.ledger.doneMs.has(index) ? [run.ledger.doneMs.get(index) ?? 0] : [],
    );
    this.#changedMs = made.length === 0 ? null : Math.max(...made);
    const { control: plane, intervalMs, nowMs, experiment } = run;
    const tell = (event: KeptEvent) => this.#note(event);
    const { data, collector, ledger, write } = run;
    this.#observer = new Observer({ data, write, nowMs, tell });
    const { signal } = this.#ending;
    const seen = (event: string, subject: string, detail: string) => this.#seen(event, subject, detail);
    this.#looks = new LookTaker({ ...run, observer: this.#observer, signal, seen, note: tell });
    const say = (reason: string) => this.#say("ask the collector", reason);
    const compare = (plane: RoutePlane) => this.#observer.compareCollector(plane);
    this.#routes = collector && new RouteObserver({ plane: collector, ledger, nowMs, tell, say, compare });
    this.#announcer = new Announcer({
      ...{ plane, prefix: experiment.prefix, intervalMs, nowMs, tell },
      compare: (site, betweenMs, clockNs) => this.#observer.compareSite(site, betweenMs, clockNs),
    });
  }

  async run(): Promise<string> {
    const { nowMs } = this.#run;
    this.#adopt();
    void this.#routes?.follow(this.#ending.signal);
    await this.#routes?.look();
    for (;;) {
      const reason = this.#run.stopReason() ?? this.#failure ?? (this.#isOver() ? "finished" : null);
      if (reason !== null) {
        await this.#end(reason);
        return reason;
      }
      await this.#tried("renew", async () => {
        if (await this.#announcer.renew()) {
          this.#changedMs = nowMs();
        }
      });
      await this.#takeDue();
      if (nowMs() - this.#reportedMs >= experimentReportMs) {
        this.#reportedMs = nowMs();
        await this.#tried("report", () => this.#announcer.look());
        await this.#routes?.look();
      }
      await pause(experimentTickMs);
    }
  }

  /** Resumes renewing announcements from before a kill that were not withdrawn since. */
  #adopt(): void {
    const { actions, ledger } = this.#run;
    for (const [site, as] of standingAfter(actions, ledger)) {
      this.#announcer.adopt(site, as);
    }
  }

  #isOver(): boolean {
    const { actions, ledger } = this.#run;
    const left = actions.filter(
      (action, index) => !ledger.done.has(index) && !this.#isLastWithdrawal(action),
    );
    return left.length === 0;
  }

  /** Withdrawals at the end of the plan: the end withdraws everywhere once all is done. */
  #isLastWithdrawal({ kind, sec }: PlannedAction): boolean {
    return kind === "withdraw" && sec === this.#run.actions.at(-1)?.sec;
  }

  async #takeDue(): Promise<void> {
    const { actions, startMs, nowMs, ledger } = this.#run;
    const progress = { startMs, nowMs: nowMs(), changedMs: this.#changedMs };
    const due = dueActions(actions, { ...progress, isDone: (action) => ledger.done.has(action) }).filter(
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

  /** A permanent refusal by the gateway ends the run; temporary failures are retried. */
  async #acted(indices: readonly number[], act: () => Promise<void>): Promise<void> {
    for (const action of indices.filter((one) => !this.#run.ledger.asked.has(one))) {
      this.#run.write({ kind: "asked", action, atNs: this.#nowNs() });
    }
    if (await this.#tried("act", act)) {
      for (const action of indices) {
        this.#run.write({ kind: "done", action, atNs: this.#nowNs() });
      }
    }
  }

  async #look(index: number, look: Look): Promise<void> {
    try {
      const wasAsked = this.#run.ledger.asked.has(index);
      if (!wasAsked) {
        this.#run.write({ kind: "asked", action: index, atNs: this.#nowNs() });
      }
      await this.#looks.take(index, look, wasAsked);
      this.#run.write({ kind: "done", action: index, atNs: this.#nowNs() });
    } catch (error) {
      if (!this.#ending.signal.aborted && !this.#isPassing(error)) {
        this.#failure = `${look.kind} at ${look.sec} s: ${reasonOf(error)}`;
      }
    } finally {
      this.#looking.delete(index);
    }
  }

  async #end(reason: string): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#looking.values());
    if (!(await this.#tried("withdraw", () => this.#announcer.withdrawAll()))) {
      const seconds = (2 * this.#run.intervalMs) / 1000;
      this.#run.tell(
        `the withdrawal could not be requested from the gateway; the prefix is withdrawn within ${seconds} s`,
      );
    }
    this.#run.write({ kind: "ended", atNs: this.#nowNs(), reason });
  }

  /** Whether it was done. */
  async #tried(what: string, act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      this.#troubles.delete(what);
      return true;
    } catch (error) {
      if (this.#isPassing(error)) {
        this.#say(what, reasonOf(error));
      } else {
        this.#failure ??= reasonOf(error);
      }
      return false;
    }
  }

  /** Reported once for each problem, at any number of attempts. */
  #say(what: string, reason: string): void {
    if (this.#troubles.get(what) !== reason) {
      this.#troubles.set(what, reason);
      this.#run.tell(`cannot ${what} now, trying again: ${reason}`);
    }
  }

  /** The gateway is unreachable, or has no room. */
  #isPassing(error: unknown): boolean {
    const status = typeof error === "object" && error !== null && "status" in error ? error.status : null;
    return typeof status !== "number" || status >= 500;
  }

  #seen(event: string, subject: string, detail: string): void {
    const timeNs = this.#nowNs();
    this.#note({ timeNs, plane: "data", source: "controller", subject, event, detail });
  }

  #note(event: KeptEvent): void {
    this.#run.write({ kind: "event", event });
    this.#observer.compareStack(event);
    const { subject, detail } = event;
    this.#run.tell(`${event.event} ${subject}: ${detail}`);
  }

  #nowNs(): string {
    return String(BigInt(Math.round(this.#run.nowMs() * 1000)) * 1000n);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
