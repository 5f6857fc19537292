/**
 * The journal of an experiment's run, line by line: requests, results, observations. Replayed, it yields what is left
 * to do. Pure.
 */
import type { ClockSample } from "../probing/clocks.ts";

/** Times are nanoseconds since the epoch, as text: they exceed safe integers. */
export type ExperimentEntry =
  | { readonly kind: "begun"; readonly name: string; readonly startMs: number; readonly definition: string }
  /** An action was requested, and may have been performed. */
  | { readonly kind: "asked"; readonly action: number; readonly atNs: string }
  | { readonly kind: "done"; readonly action: number; readonly atNs: string }
  /** The next change of an aim: its actions follow those before it. */
  | ({ readonly kind: "planned" } & PlannedSetting)
  | { readonly kind: "event"; readonly event: KeptEvent }
  /** The replies of a catchment: the sites at which each target was received. */
  | {
      readonly kind: "round";
      readonly round: number;
      readonly sites: SitesOfTargets;
      /** By target: milliseconds from and to its site, where that was measured. */
      readonly latencies?: Readonly<Record<string, number>>;
    }
  /** One sample of the paths, as text that is equal when they are; null = nothing was seen. */
  | { readonly kind: "look"; readonly action: number; readonly number: number; readonly seen: string | null }
  /** A clock was compared with the controller's. */
  | ({ readonly kind: "clock"; readonly source: string } & KeptClockSample)
  | { readonly kind: "ended"; readonly atNs: string; readonly reason: string };

export interface PlannedSetting {
  /** Seconds after the start. */
  readonly sec: number;
  /** By site; a site that announces nothing is missing. */
  readonly announced: Readonly<
    Record<string, { readonly prepend: number; readonly notTo: readonly number[] }>
  >;
  readonly why: "learn" | "try";
  /** The forecast for each goal: a share, and the interval for 90 %. */
  readonly forecast: readonly { readonly share: number; readonly low: number; readonly high: number }[];
}

/** As in clocks.ts, in text. */
type KeptClockSample = { readonly [Stamp in keyof ClockSample]: string };

export type SitesOfTargets = Readonly<Record<string, readonly string[]>>;

export interface KeptEvent {
  readonly timeNs: string;
  readonly plane: "control" | "data";
  readonly source: string;
  readonly subject: string;
  readonly event: string;
  readonly detail: string;
  /** Present if the time is by the controller's clock: its accuracy in nanoseconds. */
  readonly withinNs?: string;
  /** The clock's owner, if a source has several: each site has a client stack. */
  readonly clock?: string;
}

/** The state that the entries add up to. */
export class ExperimentLedger {
  begun: Extract<ExperimentEntry, { kind: "begun" }> | null = null;
  ended: Extract<ExperimentEntry, { kind: "ended" }> | null = null;
  readonly done = new Set<number>();
  readonly doneMs = new Map<number, number>();
  /** When each action was first requested. */
  readonly asked = new Map<number, bigint>();
  readonly clocks = new Map<string, ClockSample[]>();
  readonly events: KeptEvent[] = [];
  readonly rounds = new Map<number, SitesOfTargets>();
  readonly latencies = new Map<number, Readonly<Record<string, number>>>();
  /** Changes of an aim. */
  readonly planned: PlannedSetting[] = [];
  readonly looks = new Map<number, (string | null)[]>();

  apply(entry: ExperimentEntry): void {
    switch (entry.kind) {
      case "begun":
        this.begun = entry;
        break;
      case "ended":
        this.ended = entry;
        break;
      case "asked":
        this.asked.set(entry.action, this.asked.get(entry.action) ?? BigInt(entry.atNs));
        break;
      case "done":
        this.done.add(entry.action);
        this.doneMs.set(entry.action, Number(BigInt(entry.atNs) / 1_000_000n));
        break;
      case "planned":
        this.planned.push(entry);
        break;
      case "event":
        this.events.push(entry.event);
        break;
      case "round":
        this.rounds.set(entry.round, entry.sites);
        if (entry.latencies !== undefined) {
          this.latencies.set(entry.round, entry.latencies);
        }
        break;
      case "clock": {
        const { askedNs, receivedNs, sentNs, answeredNs } = entry;
        const own = this.clocks.get(entry.source) ?? [];
        own.push({
          ...{ askedNs: BigInt(askedNs), receivedNs: BigInt(receivedNs) },
          ...{ sentNs: BigInt(sentNs), answeredNs: BigInt(answeredNs) },
        });
        this.clocks.set(entry.source, own);
        break;
      }
      case "look": {
        const own = this.looks.get(entry.action) ?? [];
        own[entry.number] = entry.seen;
        this.looks.set(entry.action, own);
        break;
      }
    }
  }
}
