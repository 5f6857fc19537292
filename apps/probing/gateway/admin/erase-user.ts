/**
 * Erases a user: stops all sending, deletes the column store's rows, then the database's in one transaction. After an
 * interruption or a refusal it can be repeated: deleted rows stay deleted.
 */

import type { TransactionSql } from "postgres";
import type { InferOutput } from "valibot";
import { embeddedFolder } from "../../../../lib/base/api/embedded-folder.ts";
import { type erasureAnswer, leftInBackups, leftInDatabase } from "../../../../lib/base/api/erasure.ts";
import { isFailure } from "../../../../lib/base/failure/failure.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import {
  countUserRows,
  eraseUserRows,
  erasingStatements,
  sumOfCounts,
  type UserCounts,
} from "../../../../lib/engines/store/clickhouse/user-rows.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { rowOf } from "../../../../lib/engines/store/postgres/row-of.ts";
import { topicRetentionMs } from "../../../../lib/net/wire/target-header.ts";
import { writeAudit } from "../audit.ts";
import { answersSettleMs, retryAfterSeconds } from "../limits.ts";
import { endParts } from "../measurements/end-parts.ts";
import type { AdminServices } from "./admin-services.ts";
import { type OwnedData, ownedData } from "./user-data.ts";
import { readUser } from "./users.ts";

type Erasure = InferOutput<typeof erasureAnswer>;

interface ErasureOrder {
  readonly hash: string;
  readonly by: string;
  /** The column store's rows are deleted by other means. */
  readonly isStoreSkipped: boolean;
}

/** An erased user's names in the audit log. */
const erasedName = "user:erased";

/** Throws Problem: 404, and 409 while the user's probes may still be sent, or the store refuses. */
export async function eraseUser(services: AdminServices, order: ErasureOrder): Promise<Erasure> {
  const { database, users } = services;
  await stopUser(database, order);
  await checkIdle(database, order.hash);
  const owned = await ownedData(database, order.hash);
  const stored = order.isStoreSkipped ? null : await eraseStored(services, owned);
  const rows = await database.timed("user_erase", () =>
    database.sql.begin((tx) => eraseRows(tx, order, stored)),
  );
  users.forget(order.hash);
  return {
    user_hash: order.hash,
    erased: [
      ...Object.entries(rows).map(([what, count]) => ({ place: "database", what, rows: count })),
      ...Object.entries(stored ?? {}).map(([what, count]) => ({ place: "column store", what, rows: count })),
    ],
    remains: remainsOf(services, owned, stored),
  };
}

/** Refuses further submissions, and cancels the running measurements at the agents. */
async function stopUser(database: Database, { hash, by }: ErasureOrder): Promise<void> {
  await database.timed("user_stop", () =>
    database.sql.begin(async (tx) => {
      const { suspended_at } = await readUser(tx, hash);
      if (suspended_at === null) {
        const reason = "The account is being erased";
        await tx`UPDATE users SET suspended_at = now(), suspended_reason = ${reason} WHERE user_hash = ${hash}`;
        await writeAudit(tx, {
          actor: by,
          action: "user.suspend",
          subject: `user:${hash}`,
          details: { reason },
        });
      }
      const running = await tx<{ measurement_id: string }[]>`
        SELECT measurement_id FROM measurements WHERE user_hash = ${hash} AND ended_at IS NULL`;
      if (running.length > 0) {
        const measurementIds = running.map(({ measurement_id }) => measurement_id);
        await endParts(tx, {
          measurementIds,
          agentId: null,
          status: "cancelled",
          error: null,
          isSettled: false,
        });
      }
    }),
  );
}

interface Busy {
  /** Agents that have not confirmed that they stopped. */
  readonly agents: readonly string[];
  readonly until: Date | null;
  readonly is_publishing: boolean;
  readonly is_fresh: boolean;
}

/** Throws Problem 409 until all agents have stopped, no gateway publishes, and replies have arrived. */
async function checkIdle({ sql, timed }: Database, hash: string): Promise<void> {
  const found = await timed(
    "user_idle",
    () => sql<Busy[]>`
      WITH own AS (SELECT * FROM measurements WHERE user_hash = ${hash}), open AS (
        SELECT agent_id, not_after FROM own JOIN measurement_agents USING (measurement_id)
        WHERE not_after > now() AND (status IN ('queued', 'running')
          OR status IN ('cancelled', 'failed') AND settled_at IS NULL AND sent_probes < expected_probes))
      SELECT ARRAY(SELECT DISTINCT agent_id FROM open ORDER BY agent_id) AS agents,
        (SELECT max(not_after) FROM open) AS until,
        EXISTS (SELECT FROM own WHERE published_at IS NULL AND publishing_ended_at IS NULL AND not_after > now())
          AS is_publishing,
        EXISTS (SELECT FROM own WHERE greatest(ended_at, updated_at) > now() - ${answersSettleMs} * interval '1 ms')
          AS is_fresh`,
  );
  const busy = rowOf(found);
  const { agents, until } = busy;
  if (agents.length > 0) {
    const names = agents.slice(0, 10).join(", ");
    const end = until?.toISOString() ?? "";
    throw userBusy(`${names} may still send probes of the user, and none after ${end}`, {
      agents,
      until: end,
    });
  }
  if (busy.is_publishing || busy.is_fresh) {
    throw userBusy("measurements of the user ended a moment ago, and answers are on their way", {});
  }
}

function userBusy(reason: string, extra: Readonly<Record<string, unknown>>): Problem {
  return new Problem({
    status: 409,
    code: "user_busy",
    message: `The user is suspended, but not erased yet: ${reason}; try again`,
    headers: { "retry-after": String(retryAfterSeconds) },
    extra,
  });
}

/** Null without a store. Throws Problem 409 with the statements, for a store that may only be read. */
async function eraseStored(
  { store, config }: AdminServices,
  { selection }: OwnedData,
): Promise<UserCounts | null> {
  if (config.storeAddress === null) {
    return null;
  }
  try {
    const counts = await store.ask((open) => countUserRows(open, selection));
    if (sumOfCounts(counts) > 0) {
      await store.ask((open) => eraseUserRows(open, selection));
    }
    return counts;
  } catch (error) {
    if (isFailure(error, "store") && error.code === "busy") {
      throw userBusy("the column store still erases rows", {});
    }
    if (isFailure(error, "store") && error.code === "refused") {
      const message =
        "The column store refuses to erase rows; run the statements there, in a cluster on each shard, " +
        "then try again with store=skip";
      throw new Problem({
        status: 409,
        code: "store_refuses",
        message,
        extra: { statements: erasingStatements(selection) },
        cause: error,
      });
    }
    throw error;
  }
}

/** Resolves to the number of deleted rows, by table. */
async function eraseRows(
  tx: TransactionSql,
  { hash, by }: ErasureOrder,
  stored: UserCounts | null,
): Promise<Record<string, number>> {
  await tx`SELECT FROM users WHERE user_hash = ${hash} FOR UPDATE`;
  const name = `user:${hash}`;
  await tx`SELECT set_config('vantage.erasing', 'yes', true)`;
  const named = await tx`SELECT FROM audit WHERE subject = ${name} OR actor = ${name}`;
  await tx`
    UPDATE audit SET details = '{}', subject = CASE WHEN subject = ${name} THEN ${erasedName} ELSE subject END,
      actor = CASE WHEN actor = ${name} THEN ${erasedName} ELSE actor END
    WHERE subject = ${name} OR actor = ${name}`;
  await tx`SELECT set_config('vantage.erasing', 'no', true)`;
  const tokens = await tx`DELETE FROM api_tokens WHERE user_hash = ${hash}`;
  const shares = await tx`DELETE FROM shares WHERE user_hash = ${hash}`;
  const experiments = await tx`DELETE FROM experiments WHERE user_hash = ${hash}`;
  const campaigns = await tx`DELETE FROM campaigns WHERE user_hash = ${hash}`;
  const measurements = await tx`DELETE FROM measurements WHERE user_hash = ${hash}`;
  const prefixes = await tx`DELETE FROM user_prefixes WHERE user_hash = ${hash}`;
  const days = await tx`DELETE FROM quota_days WHERE user_hash = ${hash}`;
  const logins = await tx`DELETE FROM console_sessions WHERE user_hash = ${hash}`;
  const accounts = await tx`DELETE FROM users WHERE user_hash = ${hash}`;
  const rows = {
    "users and limits": accounts.count,
    "campaigns, with their runs": campaigns.count,
    "experiments, with their journals": experiments.count,
    "measurements, with agents and sources": measurements.count,
    "source prefixes": prefixes.count,
    "days of the quota": days.count,
    "logins in browsers": logins.count,
    "API tokens, with their use": tokens.count,
    "what was shared": shares.count,
    "names in the audit": named.length,
  };
  const details = { ...rows, ...(stored ?? {}) };
  await writeAudit(tx, { actor: by, action: "user.erase", subject: erasedName, details });
  return rows;
}

const inEmbeddedLog =
  "probes and replies in its log, by measurement and address, without a name; single entries cannot be removed";
const inTopics =
  "probes and replies, by measurement and address, without a name; 24 h unless your topics keep them longer";
const inSpools = "replies in spools of offline agents: they arrive later, and belong to no known measurement";

function remainsOf(
  { config }: AdminServices,
  { lastSentAt, selection }: OwnedData,
  stored: UserCounts | null,
): Erasure["remains"] {
  const dropAt = lastSentAt === null ? null : new Date(lastSentAt.getTime() + topicRetentionMs).toISOString();
  const isEmbedded = embeddedFolder("broker", config.broker.address) !== null;
  const ofMeasurements = [
    { place: "broker", what: isEmbedded ? inEmbeddedLog : inTopics, until: dropAt },
    { place: "agents", what: inSpools, until: null },
  ];
  return [
    leftInDatabase,
    ...(selection.measurementIds.length > 0 ? ofMeasurements : []),
    leftInStore(stored, config.storeAddress !== null),
    leftInBackups,
  ];
}

/** ClickHouse removes obsolete parts after 8 minutes (`old_parts_lifetime`). */
function leftInStore(stored: UserCounts | null, hasStore: boolean): Erasure["remains"][number] {
  const place = "column store";
  if (stored !== null) {
    const until = new Date(Date.now() + oldPartsMs).toISOString();
    return { place, what: leftOnItsDisk, until };
  }
  const what = hasStore
    ? "what the statements that were run there did not delete"
    : "this gateway has none; results in others expire with their retention";
  return { place, what, until: null };
}

/** `mutation_*.txt` of a table: ClickHouse keeps the last hundred (`finished_mutations_to_keep`). */
const leftOnItsDisk =
  "obsolete files on its disk, out of reach of queries; its list of the last 100 removals contains measurement ids";

const oldPartsMs = 600_000;
