/** Kinds of values that many commands share. For a single command, use `kindOf`. */
import { readFileSync } from "node:fs";
import { systemReason } from "../../base/failure/system-reason.ts";
import { formats } from "../../base/terminal/rows-output.ts";
import type { Address } from "../../net/ip/address.ts";
import type { Prefix } from "../../net/ip/prefix.ts";
import { because, readAddress, readPrefix } from "../../net/ip/typed-address.ts";
import type { CompletedValues, Kind } from "./table.ts";

/** A bad value; the message continues after the value: `is not a number from 1 to 9`. */
export class UnfitValue extends Error {}

/** Any non-empty text: an unset shell variable would go unnoticed. */
export const text = kindOf("TEXT", "any", filled);
/** The command reads its content. */
export const file = kindOf("FILE", "file", filled);
export const folder = kindOf("DIR", "folder", filled);

export const address: Kind<Address> = kindOf("IP", "any", (given) => {
  const read = readAddress(given);
  return read.ok ? read.value : unfit(read.reason);
});

/** An address counts as a host prefix. */
export const prefix: Kind<Prefix> = kindOf("PREFIX", "any", (given) => {
  const read = readPrefix(given);
  return read.ok
    ? read.value
    : unfit(because("is not an address or a prefix, as 192.0.2.0/24 or 2001:db8::1", read.reason));
});

export const url = kindOf("URL", "any", (given) => {
  return /^https?:/.test(given) && URL.canParse(given)
    ? given
    : unfit("is not a URL, as http://127.0.0.1:8080");
});

/** Output formats of every command with rows. */
export const format = choice(formats, "FORMAT");

/** `@FILE` is replaced by the file's content, because all users of a machine can see command lines. */
export const textOrFile = kindOf("TEXT", "any", (given) => {
  if (!given.startsWith("@")) {
    return filled(given);
  }
  try {
    return readFileSync(given.slice(1), "utf8").trim();
  } catch (error) {
    return unfit(`cannot be read: ${systemReason(error)}`);
  }
});

export function choice<const Choice extends string>(
  choices: readonly Choice[],
  placeholder = "WORD",
): Kind<Choice> {
  return kindOf(placeholder, choices, (given) => {
    return choices.find((known) => known === given) ?? unfit(`is not one of ${choices.join(", ")}`);
  });
}

/** Decimal digits only, from `low` to `high`. */
export function number(low: number, high: number, placeholder = "N"): Kind<number> {
  return kindOf(placeholder, "any", (given) => {
    const value = Number(given);
    return /^\d{1,16}$/.test(given) && value >= low && value <= high
      ? value
      : unfit(`is not a number from ${low} to ${high}`);
  });
}

/** Milliseconds, of `90` or `90s`, `500ms`, `30m`, `12h`, `2d`. */
export function duration(highMs: number): Kind<number> {
  return durationIn("s", [1, highMs], "TIME");
}

/** Milliseconds, of `500` or `500ms`, `2s`: for options that have the unit in their name. */
export function milliseconds(low: number, high: number): Kind<number> {
  return durationIn("ms", [low, high], "N");
}

function durationIn(
  unit: "s" | "ms",
  [low, high]: readonly [number, number],
  placeholder: string,
): Kind<number> {
  const range = unit === "ms" ? `from ${low} to ${high}` : `up to ${Math.floor(high / 86_400_000)}d`;
  const rule =
    unit === "ms" ? `is not a number of milliseconds ${range}` : `is not a time ${range}, as 90s, 30m or 2d`;
  return kindOf(placeholder, "any", (given) => {
    const durationMs = durationMsOf(given, unit);
    return durationMs === null || durationMs < low || durationMs > high ? unfit(rule) : durationMs;
  });
}

/** Milliseconds since the epoch: a time of RFC 3339, or a duration ago. */
export const time: Kind<number> = kindOf("TIME", "any", (given) => {
  const durationMs = durationMsOf(given, null);
  const timeMs = durationMs === null ? Date.parse(given) : Date.now() - durationMs;
  return Number.isFinite(timeMs) ? timeMs : unfit("is not a time, as 30m, 2d or 2026-01-31T12:00:00Z");
});

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `unit` applies to a bare number; null = a unit is required. Returns null for a text that is not a duration. */
function durationMsOf(given: string, unit: "s" | "ms" | null): number | null {
  const [, digits, named = unit] = /^(\d{1,9})(ms|[smhd])?$/.exec(given) ?? [];
  return digits === undefined || named === null ? null : Number(digits) * (unitMs[named] ?? 0);
}

/** A kind for a single command; `read` throws UnfitValue by `unfit`. */
export function kindOf<Value>(
  placeholder: string,
  values: CompletedValues,
  read: (given: string) => Value,
): Kind<Value> {
  return { placeholder, values, read };
}

export function unfit(reason: string): never {
  throw new UnfitValue(reason);
}

function filled(given: string): string {
  return given === "" ? unfit("is empty") : given;
}
