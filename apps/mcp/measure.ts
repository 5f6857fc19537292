/** A measurement within the budget. */
import { GatewayError } from "../../lib/gateway-client/gateway-error.ts";
import type { Vantage } from "../../lib/sdk/vantage.ts";
import { grouped } from "../../lib/terminal/figures.ts";
import { answerOf, type ToolAnswer, ToolError } from "./answer.ts";
import type { Budget } from "./budget.ts";
import { type MeasurementInput, planOf } from "./plan.ts";

interface ToolCall {
  readonly vantage: Vantage;
  readonly budget: Budget;
  readonly signal: AbortSignal;
}

/** Throws ToolError, and rejects with GatewayError. */
export async function estimate(
  { vantage, budget, signal }: ToolCall,
  input: MeasurementInput,
): Promise<ToolAnswer> {
  const plan = await planOf(input, await vantage.agents({ signal }));
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
export async function measure(
  { vantage, budget, signal }: ToolCall,
  input: MeasurementInput,
): Promise<ToolAnswer> {
  const plan = await planOf(input, await vantage.agents({ signal }));
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
    taken.settle(submitted.probes * submitted.agents.length);
    return answerOf({ ...submitted, addresses: plan.addresses, budget_left: budget.left });
  } catch (error) {
    // Without an answer it may have been taken.
    if (error instanceof GatewayError && error.status !== null) {
      taken.settle(0);
    }
    throw error;
  }
}
