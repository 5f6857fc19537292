/** A measurement within the budget. */
import { grouped } from "../../../lib/base/terminal/figures.ts";
import { GatewayError } from "../../../lib/engines/gateway-client/gateway-error.ts";
import type { Vantage } from "../../../lib/engines/sdk/vantage.ts";
import { answerOf, type ToolAnswer, ToolError } from "./answer.ts";
import type { Budget } from "./budget.ts";
import type { OwnMeasurements } from "./own-measurements.ts";
import { type LookUp, type MeasurementInput, planOf } from "./plan.ts";

interface ToolCall {
  readonly vantage: Vantage;
  readonly budget: Budget;
  /** Ids of measurements that this server started. */
  readonly own: OwnMeasurements;
  readonly signal: AbortSignal;
}

/** A lookup can leak data to the zone's name servers: without a budget for probes, names are not resolved. */
function lookUpOf({ vantage, budget, signal }: ToolCall): LookUp {
  return async (name) => {
    if (budget.total === 0) {
      throw new ToolError(`Cannot look up ${name}: without a budget no names are looked up; give addresses`);
    }
    return (await vantage.lookup(name, { signal })).address;
  };
}

/** Throws ToolError, and rejects with GatewayError. */
export async function estimate(call: ToolCall, input: MeasurementInput): Promise<ToolAnswer> {
  const { vantage, budget, signal } = call;
  const plan = await planOf(input, await vantage.agents({ signal }), lookUpOf(call));
  const { probes_per_day: quota } = await vantage.limits({ signal });
  const cost = plan.probes * plan.agents;
  return answerOf({
    probes: plan.probes,
    agents_at_most: plan.agents,
    probes_in_all: cost,
    budget_left: budget.left,
    quota_left_today: quota.remaining,
    fits: cost <= Math.min(budget.left, quota.remaining),
    addresses: plan.addresses,
  });
}

/** Throws ToolError, and rejects with GatewayError. */
export async function measure(call: ToolCall, input: MeasurementInput): Promise<ToolAnswer> {
  const { vantage, budget, own, signal } = call;
  const plan = await planOf(input, await vantage.agents({ signal }), lookUpOf(call));
  const cost = plan.probes * plan.agents;
  const taken = budget.take(cost);
  if (taken === null) {
    const left = `${grouped(budget.left)} of ${grouped(budget.total)} probes are left of the budget`;
    throw new ToolError(
      `${left}, and this takes up to ${grouped(cost)}: measure less, or ask the person for vantage mcp --budget`,
    );
  }
  try {
    const submitted = await vantage.measure({ agents: input.agents, probes: plan.lines, signal });
    own.add(submitted.id);
    taken.settle(submitted.probes * submitted.agents.length);
    return answerOf({ ...submitted, addresses: plan.addresses, budget_left: budget.left });
  } catch (error) {
    // Without a response it may have been accepted.
    if (error instanceof GatewayError && error.status !== null) {
      taken.settle(0);
    }
    throw error;
  }
}
