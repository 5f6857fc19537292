import { systemReason } from "../../lib/failure/system-reason.ts";
/** One line of `vantage agent check`. */
export interface CheckResult {
  readonly what: string;
  readonly problem: boolean;
  /** What was found; of a problem, what to do too. */
  readonly detail: string;
}

export const ok = (what: string, detail: string): CheckResult => ({ what, problem: false, detail });
export const problem = (what: string, detail: string): CheckResult => ({ what, problem: true, detail });

export function messageOf(error: unknown): string {
  return systemReason(error);
}
