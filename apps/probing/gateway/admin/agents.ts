/** Lets an admin create, describe, pause, change and retire agents. */
import type { JSONValue, Sql, TransactionSql } from "postgres";
import { hashKey, makeKey } from "../../../../lib/engines/auth/secret-key.ts";
import { Problem, problem } from "../../../../lib/engines/http/problem.ts";
import { type ListPage, type PageOrder, readPage } from "../../../../lib/engines/store/postgres/list-page.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import type { AgentInstance, DesiredConfig } from "../../../../lib/measuring/probing/agent-config.ts";
import { heldByHost, isOnline } from "../agent-state.ts";
import type { AgentPlace } from "../agents/agent-row.ts";
import { grantAgain } from "../agents/posted-config.ts";
import { unknownAgent } from "../agents/require-agent.ts";
import { writeAudit } from "../audit.ts";

interface AdminAgentRow extends AgentPlace {
  readonly id: string;
  readonly paused: boolean;
  readonly online: boolean;
  readonly healthy: boolean | null;
  /** Active with only its granted prefixes. */
  readonly config: readonly AgentInstance[] | null;
  /** It may use these source prefixes, and prefixes inside them. */
  readonly granted_prefixes: readonly string[];
  /** Further prefixes that it reports: they are not used until they are granted. */
  readonly pending_prefixes: readonly string[];
  readonly desired: DesiredConfig;
  readonly config_version: number;
  readonly created_at: Date;
  /** Null before first contact. */
  readonly registered_at: Date | null;
  readonly last_seen_at: Date | null;
  readonly retired_at: Date | null;
  readonly keys: readonly AgentKeyRow[];
}

interface AgentKeyRow {
  /** First 16 hex digits of the key's hash. */
  readonly key_id: string;
  readonly created_at: string;
  readonly revoked_at: string | null;
}

/** Settings of an agent by an admin; undefined members stay unchanged. */
interface AgentNotes {
  readonly location?: string | null | undefined;
  readonly country?: string | null | undefined;
  readonly asn?: number | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly paused?: boolean | undefined;
  readonly granted_prefixes?: readonly string[] | undefined;
}

interface AgentPage extends PageOrder {
  /** Whether it has prefixes that were not granted; undefined = all agents. */
  readonly pending?: "true" | "false" | undefined;
}

export function listAgents(
  database: Database,
  { pending, ...page }: AgentPage,
): Promise<ListPage<AdminAgentRow>> {
  const { sql } = database;
  const only = pending === undefined ? sql`` : sql`AND (pending_prefixes <> '{}') = ${pending === "true"}`;
  return readPage(
    database,
    "admin_agents",
    page,
    (limit, after = "") => sql<AdminAgentRow[]>`
      ${selectAdminAgents(sql)} WHERE agent_id > ${after} ${only} ORDER BY agent_id LIMIT ${limit}`,
  );
}

/** Throws Problem 404. */
export async function readAgent(sql: Sql | TransactionSql, id: string): Promise<AdminAgentRow> {
  const [agent] = await sql<AdminAgentRow[]>`${selectAdminAgents(sql)} WHERE agent_id = ${id}`;
  if (agent === undefined) {
    throw unknownAgent(id);
  }
  return agent;
}

/** Creates an agent with a key. Throws Problem 409. */
export function createAgent(
  database: Database,
  by: string,
  id: string,
  notes: AgentNotes,
): Promise<ChangedAgent> {
  const {
    location = null,
    country = null,
    asn = null,
    tags = [],
    paused = false,
    granted_prefixes = [],
  } = notes;
  return change(
    database,
    {
      by,
      action: "agent.create",
      id,
      details: { location, country, asn, tags: [...tags], granted_prefixes: [...granted_prefixes] },
    },
    async (tx) => {
      const [made] = await tx`
      INSERT INTO agents (agent_id, location, country, asn, tags, paused, granted_prefixes)
      VALUES (${id}, ${location}, ${country}, ${asn}, ${tags as string[]}, ${paused}, ${granted_prefixes as string[]})
      ON CONFLICT DO NOTHING RETURNING agent_id`;
      if (made === undefined) {
        throw problem(409, "agent_id_taken", `There is an agent "${id}" already`);
      }
      return addKey(tx, id);
    },
  );
}

export function describeAgent(
  database: Database,
  by: string,
  id: string,
  notes: AgentNotes,
): Promise<ChangedAgent> {
  const given = Object.entries(notes).filter(([, value]) => value !== undefined);
  const details: Record<string, JSONValue> = Object.fromEntries(given);
  const { location, country, asn, tags, paused, granted_prefixes: granted } = notes;
  return change(database, { by, action: "agent.change", id, details }, async (tx) => {
    await tx`
      UPDATE agents SET agent_id = agent_id
        ${location === undefined ? tx`` : tx`, location = ${location}`}
        ${country === undefined ? tx`` : tx`, country = ${country}`}
        ${asn === undefined ? tx`` : tx`, asn = ${asn}`}
        ${tags === undefined ? tx`` : tx`, tags = ${tags as string[]}`}
        ${paused === undefined ? tx`` : tx`, paused = ${paused}`}
        ${granted === undefined ? tx`` : tx`, granted_prefixes = ${granted as string[]}`}
      WHERE agent_id = ${id}`;
    if (granted !== undefined) {
      await grantAgain(tx, id);
    }
    return {};
  });
}

/** Replaces the operator's desired configuration. Throws Problem 422 for an instance that the agent does not have. */
export function desireConfig(
  database: Database,
  by: string,
  id: string,
  desired: DesiredConfig,
): Promise<ChangedAgent> {
  return change(
    database,
    { by, action: "agent.desire", id, details: { desired: { ...desired } } },
    async (tx) => {
      const { config } = await readAgent(tx, id);
      checkInstances(config, desired);
      await tx`
      UPDATE agents SET desired = ${tx.json({ ...desired })}, config_version = config_version + 1
      WHERE agent_id = ${id}`;
      await grantAgain(tx, id);
      return {};
    },
  );
}

/** Revokes its keys and hides it; its id stays reserved, because results refer to it. */
export function retireAgent(database: Database, by: string, id: string): Promise<ChangedAgent> {
  return change(database, { by, action: "agent.retire", id, details: {} }, async (tx) => {
    await tx`UPDATE agents SET retired_at = coalesce(retired_at, now()) WHERE agent_id = ${id}`;
    await tx`UPDATE agent_keys SET revoked_at = now() WHERE agent_id = ${id} AND revoked_at IS NULL`;
    return {};
  });
}

/** Adds a key; the others stay valid until they are revoked, or are revoked now with `isOnly`. */
export function rotateKey(
  database: Database,
  by: string,
  id: string,
  isOnly: boolean,
): Promise<ChangedAgent> {
  return change(database, { by, action: "agent.key", id, details: { only: isOnly } }, async (tx) => {
    const { retired_at } = await readAgent(tx, id);
    if (retired_at !== null) {
      throw problem(409, "agent_retired", `Agent "${id}" was retired`);
    }
    if (isOnly) {
      await tx`UPDATE agent_keys SET revoked_at = now() WHERE agent_id = ${id} AND revoked_at IS NULL`;
    }
    return addKey(tx, id);
  });
}

/** Throws Problem 404 for a key that does not belong to this agent. */
export function revokeKey(database: Database, by: string, id: string, keyId: string): Promise<ChangedAgent> {
  return change(database, { by, action: "agent.revoke", id, details: { key_id: keyId } }, async (tx) => {
    const revoked = await tx`
      UPDATE agent_keys SET revoked_at = coalesce(revoked_at, now())
      WHERE agent_id = ${id} AND left(encode(key_hash, 'hex'), 16) = ${keyId} RETURNING key_hash`;
    if (revoked.length === 0) {
      throw problem(404, "unknown_key_id", `Agent "${id}" has no key ${keyId}`);
    }
    return {};
  });
}

interface ChangedAgent extends AdminAgentRow {
  /** A new key, shown only once. */
  readonly agent_key?: string;
}

interface Change {
  /** The actor: see lib/engines/http/require-operator.ts. */
  readonly by: string;
  readonly action: string;
  readonly id: string;
  readonly details: Readonly<Record<string, JSONValue>>;
}

/** Resolves to the changed agent, with the result of `make`. */
function change(
  database: Database,
  { by, action, id, details }: Change,
  make: (tx: TransactionSql) => Promise<{ readonly agent_key?: string }>,
): Promise<ChangedAgent> {
  return database.timed("admin_agent_change", () =>
    database.sql.begin(async (tx) => {
      const more = await make(tx);
      const agent = await readAgent(tx, id);
      await writeAudit(tx, { actor: by, action, subject: `agent:${id}`, details });
      return { ...agent, ...more };
    }),
  );
}

async function addKey(tx: TransactionSql, id: string): Promise<{ readonly agent_key: string }> {
  const key = makeKey();
  await tx`INSERT INTO agent_keys (key_hash, agent_id) VALUES (${hashKey(key)}, ${id})`;
  return { agent_key: key };
}

/** A typo in a name would silently change nothing. */
function checkInstances(config: readonly AgentInstance[] | null, desired: DesiredConfig): void {
  const names = config?.map(({ name }) => name) ?? null;
  const strangers = Object.keys(desired).filter((name) => names?.includes(name) === false);
  if (strangers.length > 0) {
    const known = names?.join(", ") ?? "";
    const fields = strangers.map((path) => ({
      path,
      reason: `is not an instance of this agent; it has ${known}`,
    }));
    const message = `The agent has no instance "${strangers[0]}"; it has ${known}`;
    throw new Problem({ status: 422, code: "unknown_instance", message, fields });
  }
}

function selectAdminAgents(sql: Sql | TransactionSql) {
  return sql`
    SELECT agent_id AS id, location, country, asn, tags, paused, ${isOnline(sql)} AS online,
      ${heldByHost(sql)} AS held_by_host, healthy, config,
      granted_prefixes, pending_prefixes, desired,
      config_version, created_at, registered_at, last_seen_at, retired_at,
      (
        SELECT coalesce(jsonb_agg(jsonb_build_object(
          'key_id', left(encode(key_hash, 'hex'), 16),
          'created_at', created_at, 'revoked_at', revoked_at) ORDER BY created_at, key_hash), '[]')
        FROM agent_keys WHERE agent_keys.agent_id = agents.agent_id
      ) AS keys
    FROM agents`;
}
