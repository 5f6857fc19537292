/**
 * What the gateway wants of this agent, kept in the state folder: an agent that starts while the gateway is away goes
 * on with it, and a kill switch stays on.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { healthAnswerSchema } from "../../../lib/probing/agent-report.ts";
import { cancelledMax } from "../../../lib/probing/limits.ts";
import { writeWhole } from "../state-folder.ts";

const { config_version, paused, killed } = healthAnswerSchema.entries;

const ordersSchema = v.object({
  config_version,
  /** Each value is checked where it is applied, so that one that cannot be used hides no other. */
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

/** The answer to a health report, as the agent reads it. */
export const answerSchema = v.object({
  ...ordersSchema.entries,
  blocklist_version: healthAnswerSchema.entries.blocklist_version,
  pending_prefixes: healthAnswerSchema.entries.pending_prefixes,
  crowd: healthAnswerSchema.entries.crowd,
});

const fileName = "gateway-orders.json";

/** Those of an earlier life; none when there are none, or they cannot be read. */
export function readOrders(stateDir: string): GatewayOrders {
  const path = join(stateDir, fileName);
  try {
    return existsSync(path) ? v.parse(ordersSchema, JSON.parse(readFileSync(path, "utf8"))) : noOrders;
  } catch {
    // Cut off by a crash of the host: the gateway's next answer mends it.
    return noOrders;
  }
}

/** Throws when the disk does not take them. */
export function keepOrders(stateDir: string, orders: GatewayOrders): void {
  writeWhole(join(stateDir, fileName), JSON.stringify(orders));
}

/** Of an answer, what has to be kept. */
export function ordersOf(answer: v.InferOutput<typeof answerSchema>): GatewayOrders {
  const { blocklist_version: _, pending_prefixes: __, crowd: ___, ...orders } = answer;
  return orders;
}
