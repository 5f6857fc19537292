/** Agents, and their sources, as command lines name them. */
import { SubmissionError } from "../../submission/submission-error.ts";
import { parseTargets, type Target } from "../../submission/targets.ts";
import { wrongUsage } from "../command-error.ts";

/** Of comma lists; throws CommandError `usage`, which names the entry and what would be right. */
export function agentTargets(lists: readonly string[]): Target[] {
  try {
    return parseTargets(lists.join(","));
  } catch (error) {
    throw error instanceof SubmissionError ? wrongUsage(error.message) : error;
  }
}
