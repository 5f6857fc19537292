/**
 * The gateway's orders to this agent, stored in the state folder: an agent that starts while the gateway is
 * unreachable follows the last ones, and a kill switch stays on.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { healthAnswerSchema } from "../../../../lib/measuring/probing/agent-report.ts";
import { cancelledMax } from "../../../../lib/measuring/probing/limits.ts";
import { writeWhole } from "../state-folder.ts";

const { config_version, paused, killed } = healthAnswerSchema.entries;

const ordersSchema = v.object({
  config_version,
  /** Each value is checked where it is applied, so that a bad one does not hide others. */
  desired: v.record(v.string(), v.record(v.string(), v.unknown())),
  paused,
  killed,
  cancelled: v.pipe(v.array(v.string()), v.maxLength(cancelledMax)),
});
export type GatewayOrders = v.InferOutput<typeof ordersSchema>;

export const noOrders: GatewayOrders = {
  config_version: 0,
  desired: {},
  paused: false,
  killed: false,
  cancelled: [],
};

/** The response to a health report, as the agent reads it. */
export const answerSchema = v.object({
  ...ordersSchema.entries,
  blocklist_version: healthAnswerSchema.entries.blocklist_version,
  pending_prefixes: healthAnswerSchema.entries.pending_prefixes,
  crowd: healthAnswerSchema.entries.crowd,
  time_ms: healthAnswerSchema.entries.time_ms,
});

const fileName = "gateway-orders.json";

/** The stored orders; `noOrders` when the file is missing or unreadable. */
export function readOrders(stateDir: string): GatewayOrders {
  const path = join(stateDir, fileName);
  try {
    return existsSync(path) ? v.parse(ordersSchema, JSON.parse(readFileSync(path, "utf8"))) : noOrders;
  } catch {
    // Cut off by a crash of the host: the gateway's next response repairs it.
    return noOrders;
  }
}

/** Throws when they cannot be written. */
export function keepOrders(stateDir: string, orders: GatewayOrders): void {
  writeWhole(join(stateDir, fileName), JSON.stringify(orders));
}

/** The part of a response that must be stored. */
export function ordersOf(answer: v.InferOutput<typeof answerSchema>): GatewayOrders {
  const { blocklist_version: _, pending_prefixes: __, crowd: ___, ...orders } = answer;
  return orders;
}
