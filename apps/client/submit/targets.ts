/** Targets as the command line has them. */
import { SubmissionError } from "../../../lib/submission/submission-error.ts";
import { parseTargets as parse, type Target } from "../../../lib/submission/targets.ts";
import { UsageError } from "../failure.ts";

export { formatTarget, type Target } from "../../../lib/submission/targets.ts";

/** Throws UsageError, which names the entry and what would be right. */
export function parseTargets(text: string): Target[] {
  try {
    return parse(text);
  } catch (error) {
    throw error instanceof SubmissionError ? new UsageError(error.message) : error;
  }
}
