/** Reports agents chosen by selectors, and those that do not take part, with suggestions for mistyped names. */
import * as v from "valibot";
import { listed } from "../../../base/failure/listed.ts";
import { nearest } from "../../../engines/config/nearest.ts";
import { agentSchema, rejectedSchema, type Submitted } from "../../../engines/gateway-client/answers.ts";
import type { Gateway } from "../../../engines/gateway-client/gateway.ts";
import { GatewayError } from "../../../engines/gateway-client/gateway-error.ts";
import type { GatewaySession } from "./session.ts";

/** Agents listed in a line. */
const chosenShownMax = 20;

interface Rejected {
  readonly id: string;
  readonly reason: string;
}

/**
 * Submits, and reports which agents were chosen and which do not take part, whether others do or not. Rejects as
 * `submit` does.
 */
export async function tellingRejected(
  session: GatewaySession,
  gateway: Gateway,
  submit: () => Promise<Submitted>,
): Promise<Submitted> {
  try {
    const submitted = await submit();
    tellChosen(session, submitted);
    await tell(session, gateway, submitted.rejected);
    return submitted;
  } catch (error) {
    if (error instanceof GatewayError) {
      await tell(session, gateway, rejectedIn(error));
    }
    throw error;
  }
}

/** The choices of selectors, as the user has not named these agents. */
function tellChosen(session: GatewaySession, { selections }: Submitted): void {
  for (const { selector, agents, matching } of selections) {
    const those = agents.length === 0 ? "no others than those you named" : listed(agents, chosenShownMax);
    session.note(`${selector} is ${those} (${matching} match)`);
  }
}

/** The rejected agents in an error; empty without any. */
function rejectedIn({ details }: GatewayError): Rejected[] {
  const parsed = v.safeParse(v.array(rejectedSchema), details.rejected);
  return parsed.success ? parsed.output : [];
}

/** Prints a line for each agent; the gateway's list is only read when needed. */
async function tell(session: GatewaySession, gateway: Gateway, rejected: readonly Rejected[]): Promise<void> {
  const known = rejected.length === 0 ? [] : await agentIds(gateway);
  for (const { id, reason } of rejected) {
    const meant = known.includes(id) ? null : nearest(id, known);
    const advice = meant === null ? "" : `; did you mean "${meant}"?`;
    session.note(`agent ${id} does not take part: ${reason}${advice}`);
  }
}

/** A failed lookup must not hide the original error. */
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
