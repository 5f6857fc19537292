/** Agents that do not take part, and which ones may have been meant. */
import * as v from "valibot";
import { nearest } from "../../../lib/config/nearest.ts";
import type { Gateway } from "../../../lib/gateway-client/gateway.ts";
import { GatewayError } from "../../../lib/gateway-client/gateway-error.ts";
import { agentSchema } from "./answers.ts";

export interface Rejected {
  readonly id: string;
  readonly reason: string;
}

const rejectedSchema = v.array(v.object({ id: v.string(), reason: v.string() }));

/** What an error says of the agents that were asked for; empty when it says nothing. */
export function rejectedIn({ details }: GatewayError): Rejected[] {
  const parsed = v.safeParse(rejectedSchema, details.rejected);
  return parsed.success ? parsed.output : [];
}

/** A line for each agent; the gateway's list is only asked for when there are some. */
export async function rejectedLines(gateway: Gateway, rejected: readonly Rejected[]): Promise<string[]> {
  if (rejected.length === 0) {
    return [];
  }
  const known = await agentIds(gateway);
  return rejected.map(({ id, reason }) => {
    const meant = known.includes(id) ? null : nearest(id, known);
    return `agent ${id} does not take part: ${reason}${meant === null ? "" : `; did you mean "${meant}"?`}`;
  });
}

/** Advice must not fail. */
async function agentIds(gateway: Gateway): Promise<string[]> {
  try {
    const agents = await gateway.read("/api/agents", v.array(agentSchema), { anonymous: true });
    return agents.map(({ id }) => id);
  } catch (error) {
    if (error instanceof GatewayError) {
      return [];
    }
    throw error;
  }
}
