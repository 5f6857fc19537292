/** The services that discoveries need from their gateway, besides those of other campaigns. */
import type { AskedOrder, AskedRow } from "../../../../lib/engines/store/clickhouse/asked-probes.ts";
import type { AllowedRanges } from "../../../../lib/measuring/probing/forbidden-ranges.ts";
import type { MadeFor, Step, StepPlace } from "../journal.ts";
import type { UnitTable } from "./units.ts";

export interface RoundLines {
  readonly lines: AsyncIterable<Uint8Array>;
  /** Probes per second, which leave together; null = all at once. */
  readonly recordProbes: number | null;
}

interface LinesOrder extends RoundLines {
  readonly userHash: string;
  /** Idempotency key, as in every step. */
  readonly key: string;
  readonly agents: string;
  readonly step: MadeFor;
}

/** Known when a round is computed. */
export interface RoundNote {
  readonly round: number;
  /** Planned probes of all agents. */
  readonly probes: number;
  /** Prefixes x agents that still need probes. */
  readonly units: number;
  /** Found so far. */
  readonly links: number;
  readonly nodes: number;
}

export interface RoundMeasure {
  /** The targets of a step's revision. Throws RangeError for data that another version has written. */
  units(step: Step): Promise<UnitTable>;
  /** By the platform's lists: the operator's, the admins', and the special-purpose registries. */
  allowed(): Promise<AllowedRanges>;
  /** Whether these measurements have ended and their probes are in the store. Throws RangeError if never. */
  areAllIn(measurementIds: readonly string[], settleSec: number): Promise<boolean>;
  /** An agent's probes in these measurements, which are in the order of their steps. */
  asked(measurementIds: readonly string[], order: Omit<AskedOrder, "measurements">): AsyncIterable<AskedRow>;
  /** Resolves to the measurement's id, whether it was made now or before. Throws Problem. */
  submitLines(order: LinesOrder): Promise<string>;
  /** Measurements of the newest run before this one that has any, in the order of their steps. */
  runBefore(place: StepPlace): Promise<readonly string[]>;
  /** Units of each agent of a run, or of one agent, as bits; none = not decided yet. */
  shares(place: StepPlace, agent: string | null): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Existing ones stay unchanged. */
  keepShares(place: StepPlace, shares: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** Stores or replaces a round's public figures. */
  note(place: StepPlace, note: RoundNote): Promise<void>;
}
