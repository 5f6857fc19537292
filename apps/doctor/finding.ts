/** One line of what `vantage doctor` says. */

export interface Finding {
  /** `warn`: it works, and something is not as it should be, or could not be looked at. `fail`: it cannot work so. */
  readonly level: "ok" | "warn" | "fail";
  /** What was looked at. */
  readonly what: string;
  /** What was found there, and why it is wrong where it is. */
  readonly found: string;
  /** What to do next; empty where nothing is to be done, and where `found` says so already. */
  readonly next: string;
}

export const ok = (what: string, found: string): Finding => ({ level: "ok", what, found, next: "" });

export function warn(what: string, found: string, next: string): Finding {
  return { level: "warn", what, found, next };
}

export function fail(what: string, found: string, next: string): Finding {
  return { level: "fail", what, found, next };
}

export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s+/g, " ").trim();
}
