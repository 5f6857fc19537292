/** One fault, as data. */
import type { Campaign } from "./campaign.ts";
import type { FaultName } from "./fault-names.ts";
import type { Kill } from "./kill-trace.ts";

export interface Fault {
  readonly name: FaultName;
  /** In words, for the table. */
  readonly what: string;
  /** Packets may be sent twice, replies that the kernel had may be lost: an agent was killed. */
  readonly killsAgent: boolean;
  /** The kill of that agent, once it has happened. */
  readonly kill?: () => Kill | null;
  /** Runs before, and is not part of the fault. */
  readonly prepare?: () => Promise<void>;
  /** Resolves when what was taken away is back, or a supervisor will bring it back. */
  readonly play: () => Promise<void>;
  /** What is well again when all is; the campaign on Kafka. */
  readonly campaign?: () => Campaign;
}
