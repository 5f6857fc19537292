/** Looks at everything at the same time; what cannot be looked at is a finding too. */
import { type Finding, fail, messageOf } from "./finding.ts";

type Found = Finding | readonly Finding[];

export interface Look {
  readonly what: string;
  readonly see: () => Found | Promise<Found>;
  /** What to do when `see` throws; without it, the message of what was thrown says it. */
  readonly otherwise?: string;
}

/** In the order of the looks. */
export async function examine(looks: readonly Look[]): Promise<Finding[]> {
  const found = await Promise.all(looks.map((look) => seen(look)));
  return found.flat();
}

async function seen({ what, see, otherwise = "" }: Look): Promise<readonly Finding[]> {
  try {
    return [await see()].flat();
  } catch (error) {
    return [fail(what, messageOf(error), otherwise)];
  }
}
