/** Runs all checks concurrently; a check that fails to run is also a finding. */
import { type Finding, fail, messageOf } from "./finding.ts";

type Found = Finding | readonly Finding[];

export interface Look {
  readonly what: string;
  readonly see: () => Found | Promise<Found>;
  /** The next step when `see` throws; without it, the error's message contains it. */
  readonly otherwise?: string;
}

/** Findings in the order of the checks. */
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
