/**
 * Ends agents' parts of measurements early: the same code for cancelling, failing and expiring, so that unsent probes
 * are refunded once (refunds.ts), and a measurement ends with its last part.
 */
import type { TransactionSql } from "postgres";
import { heldByHost } from "../agent-state.ts";
import { lockForRefund, refundUnsent } from "./refunds.ts";

interface Ending {
  readonly measurementIds: readonly string[];
  /** Null = all agents. */
  readonly agentId: string | null;
  readonly status: "cancelled" | "failed" | "expired";
  /** Shown to users; null = none. */
  readonly error: string | null;
  /** Whether no more probes of the parts can be sent: their agent has reported it, or their time is over. */
  readonly isSettled: boolean;
}

/**
 * Ends the parts that are queued or running, and resolves to their number.
 *
 * The measurements are locked first, in one order everywhere: else two parts that end at once would each see the other
 * as unfinished, and the whole would never end.
 */
export async function endParts(tx: TransactionSql, ending: Ending): Promise<number> {
  const ids = ending.measurementIds as string[];
  await lockForRefund(tx, ids);
  const ended = await tx`
    UPDATE measurement_agents
    SET status = ${ending.status}, error = coalesce(error, ${errorOf(tx, ending)}), updated_at = now(),
      stopped_at = now(), settled_at = ${ending.isSettled ? tx`now()` : null}
    WHERE measurement_id = ANY(${ids}::uuid[]) AND status IN ('queued', 'running')
      ${ending.agentId === null ? tx`` : tx`AND agent_id = ${ending.agentId}`}
    RETURNING agent_id`;
  if (ended.length === 0) {
    return 0;
  }
  if (!ending.isSettled) {
    await tx`UPDATE measurements SET settle_at = not_after WHERE measurement_id = ANY(${ids}::uuid[])`;
  }
  await refundUnsent(tx, ids);
  await endWholes(tx, ids);
  return ended.length;
}

/** An expired part has a reason when its destinations' rate limits, or its agent's host, were the cause. */
function errorOf(tx: TransactionSql, { error, status }: Ending) {
  return status === "expired"
    ? tx`${error}::text || CASE WHEN held_probes = 0 THEN ''
        ELSE ': ' || held_probes || ' probes waited for destinations that had enough' END
      || coalesce(': the agent is ' || (SELECT ${heldByHost(tx)} FROM agents
        WHERE agents.agent_id = measurement_agents.agent_id), '')`
    : tx`${error}::text`;
}

/** Ends the measurements whose parts have all ended. The caller has locked them. */
export async function endWholes(tx: TransactionSql, measurementIds: readonly string[]): Promise<void> {
  await tx`
    UPDATE measurements AS whole
    SET updated_at = now(), ended_at = CASE WHEN EXISTS (
      SELECT FROM measurement_agents AS part
      WHERE part.measurement_id = whole.measurement_id AND part.status IN ('queued', 'running')
    ) THEN NULL ELSE now() END
    WHERE measurement_id = ANY(${measurementIds as string[]}::uuid[]) AND ended_at IS NULL`;
}
