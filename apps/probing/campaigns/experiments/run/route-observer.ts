/**
 * An experiment's observations of routes at the collector: a sample each second has the current routes, a watch the
 * time of each change. Where neither was possible is a gap, and a change found after a gap may be as old as the gap.
 */
import { pause } from "../../../../../lib/engines/gateway-client/pause.ts";
import type { ExperimentLedger, KeptEvent } from "../../../../../lib/measuring/experiment/journal.ts";
import { gapsAskMs, watchRetryMs } from "../../limits.ts";
import type { ReceivedChange, ReceivedRoute, ReportedGap, RoutePlane } from "./planes.ts";

interface RouteObserverParts {
  readonly plane: RoutePlane;
  readonly ledger: ExperimentLedger;
  readonly nowMs: () => number;
  readonly tell: (event: KeptEvent) => void;
  /** Why the collector cannot be queried. */
  readonly say: (reason: string) => void;
  /** Samples its clock, from time to time. */
  readonly compare: (plane: RoutePlane) => Promise<void>;
}

/** A router's last gap: our last sample before it, and the collector's time of its end. Null = it continues. */
interface LostRouter {
  readonly sinceMs: number;
  readonly toNs: bigint | null;
}

const [collector, controller, everyRouter] = ["collector", "controller", "all routers"];
const nanosPerMs = 1_000_000n;
/** Routers report a route's age to the second. */
const stampNs = 1_000_000_000n;

export class RouteObserver {
  readonly #parts: RouteObserverParts;
  /** Current paths, by peer and prefix, with the text of each. */
  readonly #routes = new Map<string, string>();
  /** Stale paths in the last sample, from before their router was lost. */
  #stale: ReadonlySet<string> = new Set();
  /** When the collector received a path's last announcement or withdrawal, by its clock. */
  readonly #lastReceivedNs = { true: new Map<string, bigint>(), false: new Map<string, bigint>() };
  readonly #lost = new Map<string, LostRouter>();
  /** Known gaps, with the end of each. */
  readonly #gaps = new Map<string, ReportedGap["toNs"]>();
  /** Time of the last query; newer changes occurred later. */
  #lookedMs: number;
  #isAway = false;
  #isWatched = false;
  /** Whether there may be gaps that were not fetched yet. */
  #mayHaveGaps = true;
  #gapsAskedMs: number | null = null;

  constructor(parts: RouteObserverParts) {
    this.#parts = parts;
    const lastNs = parts.ledger.events.at(-1)?.timeNs;
    this.#lookedMs = lastNs === undefined ? parts.nowMs() : Number(BigInt(lastNs) / nanosPerMs);
    for (const { source, event, subject, detail } of parts.ledger.events) {
      if (source === collector && event === "route") {
        this.#routes.set(subject, detail);
      } else if (event === "route-gone") {
        this.#routes.delete(subject);
      }
    }
  }

  /** Receives route changes with the collector's microseconds; without it, a change is only between two samples. */
  async follow(signal: AbortSignal): Promise<void> {
    const learn = (change: ReceivedChange | null) => {
      this.#isWatched = true;
      if (change === null) {
        this.#mayHaveGaps = true;
      } else {
        this.#lastReceivedNs[`${change.isThere}`].set(change.subject, change.timeNs);
      }
    };
    while (!signal.aborted) {
      await this.#parts.plane.follow(learn, signal).catch(() => undefined);
      this.#isWatched = false;
      await pause(watchRetryMs, signal).catch(() => undefined);
    }
  }

  /** Never rejects: without a collector an experiment continues. */
  async look(): Promise<void> {
    const { plane, nowMs, say, compare } = this.#parts;
    try {
      await compare(plane);
      const askedMs = nowMs();
      const routes = await plane.routes();
      this.#tellAway(null);
      await this.#askGaps(askedMs);
      this.#tellRoutes(routes);
      this.#lookedMs = askedMs;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      say(reason);
      this.#tellAway(reason);
      this.#mayHaveGaps = true;
    }
  }

  /** Null = it responds. */
  #tellAway(reason: string | null): void {
    if (this.#isAway === (reason !== null)) {
      return;
    }
    this.#isAway = reason !== null;
    const atMs = reason === null ? this.#parts.nowMs() : this.#lookedMs;
    this.#parts.tell({
      timeNs: String(BigInt(atMs) * nanosPerMs),
      ...{ plane: "control", source: controller, subject: collector },
      event: reason === null ? "gap-over" : "gap",
      detail: reason === null ? "asked again" : `could not be asked from here on: ${reason}`,
    });
  }

  /** The collector reports its own gaps; they are only fetched when needed. */
  async #askGaps(atMs: number): Promise<void> {
    const { plane, ledger } = this.#parts;
    const lastMs = this.#gapsAskedMs;
    const isDue = lastMs === null || (!this.#isWatched && atMs - lastMs >= gapsAskMs);
    if (!isDue && !this.#mayHaveGaps) {
      return;
    }
    this.#mayHaveGaps = false;
    const gaps = await plane.gaps();
    this.#gapsAskedMs = atMs;
    const startNs = BigInt(Math.floor(ledger.begun?.startMs ?? atMs)) * nanosPerMs;
    for (const gap of gaps) {
      const isOfBefore = lastMs === null && gap.toNs !== null && gap.toNs < startNs;
      this.#learnGap(gap, isOfBefore);
    }
  }

  #learnGap({ router, fromNs, toNs, reason }: ReportedGap, isOfBefore: boolean): void {
    const subject = router ?? everyRouter;
    const key = `${subject} ${fromNs}`;
    const [isKnown, toBeforeNs] = [this.#gaps.has(key), this.#gaps.get(key)];
    this.#gaps.set(key, toNs);
    if (isOfBefore || (isKnown && toBeforeNs === toNs)) {
      return;
    }
    // A restarted collector reports no earlier gap, although nothing was received from the router since.
    const before = this.#lost.get(subject);
    const sinceMs =
      before !== undefined && (isKnown || before.toNs === null) ? before.sinceMs : this.#lookedMs;
    this.#lost.set(subject, { sinceMs, toNs });
    const tell = (timeNs: bigint, event: string, detail: string) =>
      this.#parts.tell({
        ...{ timeNs: String(timeNs), plane: "control", source: collector, subject, event, detail },
      });
    if (!isKnown) {
      tell(fromNs, "gap", `disconnected: ${reason}`);
    }
    if (toNs !== null) {
      tell(toNs, "gap-over", "reconnected");
    }
  }

  #tellRoutes(routes: readonly ReceivedRoute[]): void {
    const now = new Map(routes.map((route) => [route.subject, route]));
    for (const [subject, text] of [...this.#routes].filter(([one]) => !now.has(one))) {
      this.#routes.delete(subject);
      this.#tellGone(subject, text);
    }
    for (const [subject, route] of now) {
      const before = this.#routes.get(subject);
      if (isChange(before, route)) {
        const [goneNs, thereNs] = [
          this.#lastReceivedNs.false.get(subject),
          this.#lastReceivedNs.true.get(subject),
        ];
        // Between two samples.
        if (before !== undefined && goneNs !== undefined && thereNs !== undefined && goneNs <= thereNs) {
          this.#tellGone(subject, before);
        }
        this.#routes.set(subject, route.text);
        const isOld = this.#isOfGap(subject, (toNs) => route.changedNs <= toNs + stampNs);
        this.#tell({ subject, isThere: true, isOld, detail: route.text });
      }
    }
    this.#stale = new Set(routes.filter(({ isStale }) => isStale).map(({ subject }) => subject));
  }

  #tellGone(subject: string, text: string): void {
    const isOld = this.#isOfGap(subject, () => this.#stale.has(subject));
    this.#tell({ subject, isThere: false, isOld, detail: `was ${text}` });
  }

  /** Whether its router was lost, and still is, or has returned with this change. */
  #isOfGap(subject: string, cameBackWith: (toNs: bigint) => boolean): boolean {
    const lost = this.#lostOf(subject);
    return lost !== undefined && (lost.toNs === null || cameBackWith(lost.toNs));
  }

  #lostOf(subject: string): LostRouter | undefined {
    return this.#lost.get(subject.split(" ")[1] ?? "") ?? this.#lost.get(everyRouter);
  }

  /** `isOld`: it may have occurred at any time in the gap. */
  #tell(told: { subject: string; isThere: boolean; isOld: boolean; detail: string }): void {
    const { subject, isThere, isOld, detail } = told;
    const { tell, nowMs } = this.#parts;
    const lastReceivedNs = this.#lastReceivedNs[`${isThere}`].get(subject);
    this.#lastReceivedNs[`${isThere}`].delete(subject);
    const sinceMs = (isOld ? this.#lostOf(subject)?.sinceMs : undefined) ?? this.#lookedMs;
    const [fromMs, toMs] = [Math.min(sinceMs, nowMs()), nowMs() + 1];
    const between = {
      timeNs: String((BigInt(fromMs + toMs) * nanosPerMs) / 2n),
      withinNs: String((BigInt(toMs - fromMs) * nanosPerMs) / 2n),
    };
    tell({
      ...{ plane: "control", source: collector, subject, event: isThere ? "route" : "route-gone", detail },
      ...(lastReceivedNs === undefined || isOld ? between : { timeNs: String(lastReceivedNs) }),
    });
  }
}

/** Whether the path has changed, ignoring fields that have become unknown. */
function isChange(before: string | undefined, { text, isVague }: ReceivedRoute): boolean {
  return before !== text && !(isVague && before !== undefined && wayOf(before) === wayOf(text));
}

/** The path and its age: `64601 64500 (the router has it since 2026-11-24T02:28:21.000Z`. */
function wayOf(text: string): string {
  return text.slice(0, text.indexOf("Z"));
}
