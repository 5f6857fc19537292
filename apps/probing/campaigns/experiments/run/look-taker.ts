/** Samples the data plane for a running experiment, and journals the results. */
import { pause } from "../../../../../lib/engines/gateway-client/pause.ts";
import { measuresLatency } from "../../../../../lib/measuring/experiment/aim-steps.ts";
import { convergenceOf } from "../../../../../lib/measuring/experiment/convergence.ts";
import type { Experiment } from "../../../../../lib/measuring/experiment/definition.ts";
import type {
  ExperimentEntry,
  ExperimentLedger,
  KeptEvent,
} from "../../../../../lib/measuring/experiment/journal.ts";
import { answersOf, type Look, latenciesOf, lossEvents, orderOf, pathsText, roundOf } from "./looks.ts";
import type { Observer } from "./observer.ts";

interface LookScene {
  readonly id: string;
  readonly experiment: Experiment;
  readonly startMs: number;
  readonly ledger: ExperimentLedger;
  readonly write: (entry: ExperimentEntry) => void;
  readonly nowMs: () => number;
  readonly observer: Observer;
  /** Aborted at the end of the run. */
  readonly signal: AbortSignal;
  readonly note: (event: KeptEvent) => void;
  /** Journals an event with the current time. */
  readonly seen: (event: string, subject: string, detail: string) => void;
}

export class LookTaker {
  readonly #scene: LookScene;

  constructor(scene: LookScene) {
    this.#scene = scene;
  }

  /** `wasAsked`: requested by an earlier process. Resolves when all of it is written; rejects like the gateway. */
  take(index: number, look: Look, wasAsked: boolean): Promise<void> {
    return look.kind === "paths"
      ? this.#watchPaths(index, look, wasAsked)
      : this.#lookOnce(index, look, wasAsked);
  }

  async #lookOnce(index: number, look: Look, wasAsked: boolean): Promise<void> {
    const { experiment, id, startMs, observer, signal, write, note, seen } = this.#scene;
    const runSec = Math.floor(startMs / 1000);
    const everySends = experiment.aim !== undefined && measuresLatency(experiment.aim);
    const key = `experiment ${id} ${index}`;
    const order = orderOf(look, experiment.probe, { key, number: runSec, everySends });
    const received = await observer.probe(order, { isNew: !wasAsked, signal });
    if (look.kind === "watch") {
      for (const event of lossEvents(look, experiment.probe, received)) {
        note(event);
      }
      if (received.length === 0) {
        seen("loss", "all targets", "no probe was answered");
      }
      return;
    }
    const answers = answersOf(look, runSec, received);
    const { kept, words } = roundOf(experiment.probe.targets, answers);
    const latencies = everySends ? { latencies: latenciesOf(answers) } : {};
    write({ kind: "round", round: look.round ?? 0, sites: kept, ...latencies });
    seen("catchment", `round ${look.round ?? 0}`, words);
  }

  async #watchPaths(index: number, look: Look, wasAsked: boolean): Promise<void> {
    const { experiment, id, startMs, nowMs, ledger, observer, signal, write, seen } = this.#scene;
    const first = ledger.looks.get(index)?.length ?? 0;
    // A late step has the same intervals between its samples.
    const firstMs = Math.max(startMs + 1000 * look.sec, nowMs() - 1000 * first * look.everySec);
    const step = (experiment.steps ?? []).find(
      ({ at, probe }) => at === look.sec && probe.paths !== undefined,
    );
    const untilConverged = step?.probe.paths?.until === "converged";
    for (let number = 0; number < look.times; number++) {
      const before = ledger.looks.get(index) ?? [];
      if (before[number] !== undefined) {
        continue;
      }
      const dueMs = firstMs + 1000 * number * look.everySec;
      await pause(Math.max(0, dueMs - nowMs()), signal);
      signal.throwIfAborted();
      const order = orderOf(look, experiment.probe, { key: `experiment ${id} ${index}`, number });
      const isNew = !wasAsked || number > first;
      const text = pathsText(await observer.probe(order, { isNew, signal }));
      write({ kind: "look", action: index, number, seen: text === null ? null : digest(text) });
      const looks = ledger.looks.get(index) ?? [];
      if (looks.length > 1 && looks.at(-1) !== looks.at(-2)) {
        seen("paths", `look ${number}`, text === null ? "no answer" : "other paths than before");
      }
      if (untilConverged && convergenceOf(looks).since !== null) {
        seen("converged", `look ${convergenceOf(looks).since}`, "the same paths three times in a row");
        return;
      }
    }
  }
}

function digest(text: string): string {
  return Bun.hash.wyhash(text).toString(16);
}
