/**
 * The number of agents that now measure in each destination bucket, from the gateway's latest response: shared memory
 * that the gateway client writes and the consumer reads.
 *
 *     0 its time, f64, ms since the epoch by the gateway's clock, 0 = never
 *     8 most agents in any bucket, f64: while no other agent measures, no bucket need be read
 *     16 agents, u16, of each bucket
 *
 * Buckets are those of lib/measuring/probing/destination-bucket.ts. A read during a write sees parts of both tables,
 * each of which is right at about that time.
 */
import { destinationBuckets } from "../../../../lib/measuring/probing/destination-bucket.ts";

const headBytes = 16;

export class CrowdBoard {
  readonly buffer: SharedArrayBuffer;
  /** Time, and the most agents. */
  readonly #head: Float64Array;
  readonly #agents: Uint16Array;

  /** Wraps another thread's buffer, or allocates one. */
  constructor(buffer = new SharedArrayBuffer(headBytes + 2 * destinationBuckets)) {
    this.buffer = buffer;
    this.#head = new Float64Array(buffer, 0, 2);
    this.#agents = new Uint16Array(buffer, headBytes, destinationBuckets);
  }

  /** `agents` has a number for each bucket. */
  write(agents: Uint16Array, atMs: number): void {
    this.#agents.set(agents);
    this.#head[1] = agents.reduce((most, count) => Math.max(most, count), 0);
    this.confirm(atMs);
  }

  /** The gateway confirms the table. */
  confirm(atMs: number): void {
    this.#head[0] = atMs;
  }

  /**
   * Number of agents that share a limit in this bucket. The gateway counts the measurement from the given time on.
   */
  agentsAt(
    bucket: number,
    { agents, knownAtMs }: { readonly agents: number; readonly knownAtMs: number },
  ): number {
    const counted = (this.#head[1] ?? 0) > 1 ? (this.#agents[bucket] ?? 0) : 1;
    return (this.#head[0] ?? 0) > knownAtMs ? Math.max(1, counted) : Math.max(agents, counted);
  }
}
