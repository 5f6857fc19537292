/** Agents and their sources on command lines. */
import { isFailure } from "../../../base/failure/failure.ts";
import { parseTargets, parseWishes, type Target, type Wish } from "../../../engines/submission/targets.ts";
import { wrongUsage } from "../command-error.ts";

/** For a broker; throws CommandError `usage`, with the entry and the right form. */
export function agentTargets(list: string): Target[] {
  return readBy(parseTargets, list);
}

/** Comma lists for a gateway, which also supports selectors; throws likewise. */
export function agentWishes(lists: readonly string[]): Wish[] {
  return readBy(parseWishes, lists.join(","));
}

function readBy<Entry>(parse: (list: string) => Entry[], list: string): Entry[] {
  try {
    return parse(list);
  } catch (error) {
    throw isFailure(error, "submission") ? wrongUsage(error.message) : error;
  }
}
