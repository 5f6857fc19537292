/** Agents, and their sources, as command lines name them. */
import { isFailure } from "../../failure/failure.ts";
import { parseTargets, type Target } from "../../submission/targets.ts";
import { wrongUsage } from "../command-error.ts";

/** Parses comma lists; throws CommandError `usage`, which names the entry and what would be right. */
export function agentTargets(lists: readonly string[]): Target[] {
  try {
    return parseTargets(lists.join(","));
  } catch (error) {
    throw isFailure(error, "submission") ? wrongUsage(error.message) : error;
  }
}
