/** The lines of `vantage agent check`. */
import { systemReason } from "../../../lib/base/failure/system-reason.ts";

export interface CheckResult {
  readonly what: string;
  readonly problem: boolean;
  /** The finding; for a problem, also what to do. */
  readonly detail: string;
}

export const ok = (what: string, detail: string): CheckResult => ({ what, problem: false, detail });
export const problem = (what: string, detail: string): CheckResult => ({ what, problem: true, detail });

export function messageOf(error: unknown): string {
  return systemReason(error);
}
