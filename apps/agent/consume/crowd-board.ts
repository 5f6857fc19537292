/**
 * How many agents measure in each bucket of destinations at the moment, as the gateway has told last: shared memory
 * that the gateway's client writes and the consumer reads.
 *
 *     0 time of it, f64, ms since the epoch by the gateway's clock, 0 = never
 *     8 the most agents of a bucket, f64: while nobody else is anywhere, no bucket need be read
 *     16 agents, u16, of each bucket
 *
 * Buckets are those of lib/probing/destination-bucket.ts. A read while another table is written sees some of each:
 * both are right for a moment around.
 */
import { destinationBuckets } from "../../../lib/probing/destination-bucket.ts";

const headBytes = 16;

export class CrowdBoard {
  readonly buffer: SharedArrayBuffer;
  /** Time, and the most agents. */
  readonly #head: Float64Array;
  readonly #agents: Uint16Array;

  /** Wraps a buffer that another thread's board has; without one it makes its own. */
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

  /** The gateway says that it is still so. */
  confirm(atMs: number): void {
    this.#head[0] = atMs;
  }

  /** By how many agents a limit of this bucket is divided, for a measurement that the gateway knows from a time on. */
  agentsAt(
    bucket: number,
    { agents, knownAtMs }: { readonly agents: number; readonly knownAtMs: number },
  ): number {
    const told = (this.#head[1] ?? 0) > 1 ? (this.#agents[bucket] ?? 0) : 1;
    return (this.#head[0] ?? 0) > knownAtMs ? Math.max(1, told) : Math.max(agents, told);
  }
}
