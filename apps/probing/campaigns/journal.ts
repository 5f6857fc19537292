/**
 * The port to the journal of campaigns: their states, and what is to be done, written together before anything is
 * done, and again when it has been done. Engines: the gateway's database, which several gateways share
 * (database-journal.ts), and a folder of one process (file-journal.ts). One suite of tests runs on all of them.
 *
 * Fields are named as the rows of the database are.
 */
import type { StepGiven, StepWork } from "../../../lib/measuring/campaign/run-steps.ts";

export interface StepPlace {
  readonly campaign_id: string;
  readonly run: number;
  readonly step: number;
}

export interface Step extends StepPlace {
  readonly kind: StepWork["kind"];
  /** Empty = of nobody: a campaign without a gateway. */
  readonly user_hash: string;
  readonly agents: string;
  /** That of the definition with which its run began. */
  readonly revision: number;
  /** Probe lines; of a discovery its targets, and nothing where these came as a list. */
  readonly probes: string;
  /** The condition of a wait, the rule of a computation; null = it is a measurement. */
  readonly word: string | null;
  readonly given: StepGiven | null;
  readonly spread_sec: number;
  readonly is_late: boolean;
  /** Made under the step's key before. */
  readonly measurement_id: string | null;
  /** What a wait or a computation comes after: the measurements of its run. */
  readonly before: readonly string[];
}

export interface NextStep {
  readonly step: number;
  readonly work: StepWork;
}

export interface SlotStep {
  readonly step: number;
  readonly wait_ms: number;
  readonly agents: string;
}

export interface WorkAhead {
  /** Milliseconds until a campaign or a step is due. */
  readonly dueMs: number;
  /** There are runs that may have ended, or are to be cancelled. */
  readonly isUnderWay: boolean;
}

export interface CancellingRun {
  readonly campaign_id: string;
  readonly run: number;
  readonly user_hash: string;
  readonly measurement_ids: readonly string[];
}

/** The step of a campaign that a measurement is made for: its origin, as people see it. */
export interface MadeFor {
  readonly campaignId: string;
  readonly run: number;
  /** Number of the discovery's round; null = the campaign does not discover. */
  readonly round: number | null;
}

export interface Journal {
  ahead(): Promise<WorkAhead>;
  /** Begins runs that are due, or passes over them. */
  takeDue(): Promise<void>;
  /** Goes on with runs of which nothing is under way: to their next step, or to their end. */
  settle(): Promise<void>;
  /** Due steps, at most so many, which are nobody else's for a while. */
  claim(room: number): Promise<readonly Step[]>;
  /** A step is this measurement; one whose campaign has been stopped is to be cancelled, too. */
  taken(place: StepPlace, measurementId: string): Promise<void>;
  /** A wait or a computation is over; these steps come behind it. `reason`: why none do, though not all is done. */
  done(place: StepPlace, next: readonly NextStep[], reason?: string): Promise<void>;
  /** These steps come in the place of one, each so long after it. */
  spread(place: StepPlace, slots: readonly SlotStep[]): Promise<void>;
  over(place: StepPlace, state: "missed" | "refused", reason: string): Promise<void>;
  /** Nobody takes the step for so long. */
  again(place: StepPlace, seconds: number): Promise<void>;
  cancelling(): Promise<readonly CancellingRun[]>;
  /** All measurements of the run have been cancelled, unless there are others by now. */
  cancelled(run: CancellingRun): Promise<void>;
}
