/** One finding of `vantage doctor`. */

export interface Finding {
  /** `warn`: it works, but with a problem, or it could not be checked. `fail`: it cannot work. */
  readonly level: "ok" | "warn" | "fail";
  /** The thing checked. */
  readonly what: string;
  /** The result, and the problem if there is one. */
  readonly found: string;
  /** The next step; empty where there is none, or where `found` names it. */
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
