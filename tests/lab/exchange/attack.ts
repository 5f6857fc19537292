/** A route that a rogue announces, and why the exchange refuses it. */
import type { Announcement } from "./bgp-message.ts";
import * as plan from "./plan.ts";

export interface Attack {
  readonly what: string;
  readonly asn?: number;
  readonly announcement: Partial<Announcement>;
  /** As `/status` gives it; null = the daemon drops the route before any filter sees it. */
  readonly reason: string | null;
}

/** Communities that ask the exchange not to pass the route on to AS 0, 1, … */
export function requests(count: number): [number, number, number][] {
  return Array.from({ length: count }, (_, asn) => [plan.platformAsn, 10, asn]);
}
