/** Agents and their sources on command lines. */
import { isFailure } from "../../../base/failure/failure.ts";
import {
  type AgentChoice,
  parseChoices,
  parseTargets,
  type Target,
} from "../../../engines/submission/targets.ts";
import { wrongUsage } from "../command-error.ts";

/** For a broker; throws CommandError `usage`, with the entry and the right form. */
export function agentTargets(list: string): Target[] {
  return readBy(parseTargets, list);
}

/** Comma lists for a gateway, which also supports selectors; throws likewise. */
export function agentChoices(lists: readonly string[]): AgentChoice[] {
  return readBy(parseChoices, lists.join(","));
}

function readBy<Entry>(parse: (list: string) => Entry[], list: string): Entry[] {
  try {
    return parse(list);
  } catch (error) {
    throw isFailure(error, "submission") ? wrongUsage(error.message) : error;
  }
}
