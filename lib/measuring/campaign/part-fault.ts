/**
 * What is wrong with a cron pattern, in its author's terms: the library counts months and days from 0, and reports its
 * internal numbers.
 */
import { CronPattern } from "croner";

interface Part {
  readonly name: string;
  readonly low: number;
  readonly high: number;
}

const partsOfPattern: readonly Part[] = [
  { name: "minute", low: 0, high: 59 },
  { name: "hour", low: 0, high: 23 },
  { name: "day of the month", low: 1, high: 31 },
  { name: "month", low: 1, high: 12 },
  { name: "day of the week", low: 0, high: 7 },
];

/** The first of the five parts that is wrong; null = each is right by itself. */
export function partFault(texts: readonly string[]): string | null {
  for (const [at, part] of partsOfPattern.entries()) {
    const text = texts[at] ?? "";
    if (!isGood(at, text)) {
      const entries = text.split(",");
      const bad = entries.find((entry) => entry !== "" && !isGood(at, entry)) ?? text;
      return entries.includes("")
        ? `${part.name} ${text} has an empty place`
        : `${part.name} ${bad} ${reasonOf(at, bad, part)}`;
    }
  }
  return null;
}

function isGood(at: number, text: string): boolean {
  return messageOf(at, text) === null;
}

/** The library's own error, for a pattern that has no other. */
function messageOf(at: number, text: string): string | null {
  const pattern = partsOfPattern.map((_, other) => (other === at ? text : "*")).join(" ");
  try {
    new CronPattern(pattern, undefined, { mode: "5-part" });
    return null;
  } catch (error) {
    return String(error);
  }
}

function reasonOf(at: number, text: string, { low, high }: Part): string {
  const message = messageOf(at, text) ?? "";
  if (message.includes("Invalid value for")) {
    return `is not from ${low} to ${high}`;
  }
  if (message.includes("From value is larger")) {
    return "ends before it begins";
  }
  const [, from, step] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  return from === undefined || step === undefined
    ? "is not a number, name, range or step"
    : `is a step from a number: write */${step} or ${from}-${high}/${step}`;
}
