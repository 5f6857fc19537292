/** A trace of another program, or a ping as one of a single TTL. */
import type { Sending, Trace } from "./trace.ts";

export interface ImportedTrace extends Omit<Trace, "measurement_id" | "round" | "end_ttl" | keyof Sending> {
  /** Microseconds since the epoch. */
  readonly startUs: number;
  readonly source: string;
}

/** RFC 3339 with nanoseconds, of microseconds since the epoch. */
export function timeText(us: number): string {
  return `${new Date(us / 1000).toISOString().slice(0, 19)}.${String(us % 1e6).padStart(6, "0")}000Z`;
}
