/** One finding of `vantage doctor`. */
import { systemReason } from "../../base/failure/system-reason.ts";

export interface Finding {
  /** `warn`: it works, but with a problem, or it could not be checked. `fail`: it cannot work. */
  readonly level: "ok" | "warn" | "fail";
  /** The thing checked. */
  readonly what: string;
  /** The result, and the problem if there is one. */
  readonly found: string;
  /** The next step; empty where there is none, or where `found` contains it. */
  readonly next: string;
}

/** Characters of a finding: a quoted response may have millions, and a reader needs a line. */
const foundCharsMax = 1000;

export const ok = (what: string, found: string): Finding => finding("ok", what, found, "");

export function warn(what: string, found: string, next: string): Finding {
  return finding("warn", what, found, next);
}

export function fail(what: string, found: string, next: string): Finding {
  return finding("fail", what, found, next);
}

function finding(level: Finding["level"], what: string, text: string, next: string): Finding {
  const more = text.length - foundCharsMax;
  const found = more <= 0 ? text : `${text.slice(0, foundCharsMax)}… (and ${more} characters more)`;
  return { level, what, found, next };
}

export function messageOf(error: unknown): string {
  const text = systemReason(error);
  return text.replaceAll(/\s+/g, " ").trim();
}
