/**
 * The port to the journal of campaigns: their states and pending work, written together before the work starts, and
 * again when it is done. Its engine is the gateway's database, which several gateways share (database-journal.ts).
 *
 * Fields have the names of the database columns.
 */
import type { StepGiven, StepWork } from "../../../lib/measuring/campaign/run-steps.ts";
import type { ShapeFields } from "./shape-fields.ts";

export interface StepPlace {
  readonly campaign_id: string;
  readonly run: number;
  readonly step: number;
}

export interface Step extends StepPlace {
  readonly kind: StepWork["kind"];
  readonly user_hash: string;
  readonly agents: string;
  /** Revision of the definition at the start of its run. */
  readonly revision: number;
  /** Probe lines; for a discovery its targets, empty if these are stored as a list. */
  readonly probes: string;
  /** The condition of a wait, the rule of a computation; null = a measurement. */
  readonly word: string | null;
  readonly given: StepGiven | null;
  readonly spread_sec: number;
  /** What the campaign's own probes look like; null = these are others. */
  readonly shape: ShapeFields | null;
  readonly is_late: boolean;
  /** Created under the step's key before. */
  readonly measurement_id: string | null;
  /** The measurements of its run, after which a wait or a computation follows. */
  readonly before: readonly string[];
}

interface NextStep {
  readonly step: number;
  readonly work: StepWork;
}

interface SlotStep {
  readonly step: number;
  readonly wait_ms: number;
  readonly agents: string;
}

export interface WorkAhead {
  /** Milliseconds until a campaign or a step is due. */
  readonly dueMs: number;
  /** Some runs may have ended, or must be cancelled. */
  readonly isUnderWay: boolean;
}

export interface CancellingRun {
  readonly campaign_id: string;
  readonly run: number;
  readonly user_hash: string;
  readonly measurement_ids: readonly string[];
}

/** The campaign step of a measurement: its origin, as shown to users. */
export interface MadeFor {
  readonly campaignId: string;
  readonly run: number;
  /** Number of the discovery's round; null = the campaign does not discover. */
  readonly round: number | null;
}

export interface Journal {
  ahead(): Promise<WorkAhead>;
  /** Starts or skips due runs. */
  takeDue(): Promise<void>;
  /** Advances idle runs: to their next step, or to their end. */
  settle(): Promise<void>;
  /** Claims due steps for a while, at most so many: of experiments, or all others. */
  claim(room: number, kind: "experiments" | "others"): Promise<readonly Step[]>;
  /** Records a step's measurement; if its campaign has been stopped, it is also to be cancelled. */
  taken(place: StepPlace, measurementId: string): Promise<void>;
  /** A wait or a computation is over; these steps follow. `reason`: why none follow, although work is left. */
  done(place: StepPlace, next: readonly NextStep[], reason?: string): Promise<void>;
  /** Replaces a step by these, each with a delay after it. `reason`: why agents are missing. */
  spread(place: StepPlace, slots: readonly SlotStep[], reason?: string): Promise<void>;
  over(place: StepPlace, state: "missed" | "refused", reason: string): Promise<void>;
  /** Postpones the step. */
  again(place: StepPlace, seconds: number): Promise<void>;
  cancelling(): Promise<readonly CancellingRun[]>;
  /** All measurements of the run have been cancelled, except ones created in the meantime. */
  cancelled(run: CancellingRun): Promise<void>;
}
