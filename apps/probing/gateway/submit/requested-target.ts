/** A requested target from a body or a query, not checked against agents yet. */
import * as v from "valibot";
import { isFailure } from "../../../../lib/base/failure/failure.ts";
import { issueReason, jsonTypeNames } from "../../../../lib/engines/config/issue-reason.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import { targetsMax } from "../../../../lib/engines/submission/limits.ts";
import { formatTarget, parseChoices } from "../../../../lib/engines/submission/targets.ts";
import { plainText } from "../../../../lib/measuring/probing/plain-text.ts";
import { isSafeName } from "../../../../lib/measuring/probing/safe-name.ts";
import { formatAddress } from "../../../../lib/net/ip/address.ts";
import { agentIdBytesMax } from "../../../../lib/net/wire/limits.ts";

export const requestedTargetSchema = v.object({
  /** An agent's id, or a selector: lib/measuring/probing/agent-selector.ts. */
  id: v.pipe(plainText(agentIdBytesMax), v.check(isSafeName, "is not a valid agent name")),
  /** Source; absent = the agent chooses. */
  ip_address: v.nullish(v.string(), null),
});

export type RequestedTarget = v.InferOutput<typeof requestedTargetSchema>;

const metadataSchema = v.pipe(v.array(requestedTargetSchema), v.maxLength(targetsMax));

/** The `metadata` of a body. Throws Problem 422 on any other shape. */
export function requestedTargets(metadata: unknown): RequestedTarget[] {
  const result = v.safeParse(metadataSchema, metadata);
  if (result.success) {
    return result.output;
  }
  const fields = result.issues.slice(0, 10).map((issue) => ({
    path: ["metadata", ...(issue.path ?? []).map(({ key }) => String(key))].join("."),
    reason: issueReason(issue, jsonTypeNames, metadataSchema),
  }));
  const [first] = fields;
  const message =
    metadata === undefined
      ? 'Missing "metadata": [{"id": AGENT, "ip_address": SOURCE}, …]'
      : `Cannot use ${first?.path}: ${first?.reason}`;
  throw new Problem({ status: 422, code: "invalid_body", message, fields });
}

/** `agents=a1,a2:[2001:db8::1],3@tag:eu` of the query. Throws Problem 400 on anything else. */
export function requestedTargetsOf(list: string): RequestedTarget[] {
  try {
    return parseChoices(list).map((request) =>
      "agent" in request
        ? { id: request.agent, ip_address: request.source && formatAddress(request.source) }
        : { id: formatTarget(request), ip_address: null },
    );
  } catch (error) {
    if (isFailure(error, "submission")) {
      const fields = [{ path: "agents", reason: error.message }];
      throw new Problem({ status: 400, code: "invalid_query", message: error.message, fields });
    }
    throw error;
  }
}
