/** What discoveries need of the gateway that runs them, beside what other campaigns do. */
import type { AskedOrder, AskedRow } from "../../../../lib/engines/store/clickhouse/asked-probes.ts";
import type { AllowedRanges } from "../../../../lib/measuring/probing/forbidden-ranges.ts";
import type { MadeFor, Step, StepPlace } from "../journal.ts";
import type { UnitTable } from "./units.ts";

export interface RoundLines {
  readonly lines: AsyncIterable<Uint8Array>;
  /** Those of a second, which leave together; null = all at once. */
  readonly recordProbes: number | null;
}

interface LinesOrder extends RoundLines {
  readonly userHash: string;
  /** As of every step: what is made under it is made once. */
  readonly key: string;
  readonly agents: string;
  readonly step: MadeFor;
}

/** What is known when a round is computed. */
export interface RoundNote {
  readonly round: number;
  /** That it plans, of all agents. */
  readonly probes: number;
  /** Prefixes x agents that still want probes. */
  readonly units: number;
  /** Found so far. */
  readonly links: number;
  readonly nodes: number;
}

export interface RoundMeasure {
  /** The targets of a step's revision. Throws RangeError for what another version has written. */
  units(step: Step): Promise<UnitTable>;
  /** By the platform's lists: of the operator, the admins, and the registries of special addresses. */
  allowed(): Promise<AllowedRanges>;
  /** These measurements are over, and what was sent of them is in the store. Throws RangeError if it never will be. */
  areAllIn(measurementIds: readonly string[], settleSec: number): Promise<boolean>;
  /** What an agent was asked in these measurements, which are in the order of their steps. */
  asked(measurementIds: readonly string[], order: Omit<AskedOrder, "measurements">): AsyncIterable<AskedRow>;
  /** Resolves to the measurement's id, whether it was made now or before. Throws Problem. */
  submitLines(order: LinesOrder): Promise<string>;
  /** Measurements of the newest run before this one that has any, in the order of their steps. */
  runBefore(place: StepPlace): Promise<readonly string[]>;
  /** Units of each agent of a run, or of one agent, as bits; none = nobody has decided. */
  shares(place: StepPlace, agent: string | null): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Where some are kept already, those stay. */
  keepShares(place: StepPlace, shares: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** Keeps what people see of a round; again, it takes the place of what was there. */
  note(place: StepPlace, note: RoundNote): Promise<void>;
}
