/**
 * Registers an agent: with its own key, which an admin created, or with an enrolment key, in exchange for its own key.
 *
 * The id belongs to the first host that registers a secret for it. An agent that enrols again with the right secret has
 * lost its key: it gets a new one, and the old ones are revoked. Its granted source prefixes stay.
 */
import type { Sql, TransactionSql } from "postgres";
import { hashKey, makeKey } from "../../../../lib/engines/auth/secret-key.ts";
import { type Problem, problem } from "../../../../lib/engines/http/problem.ts";
import { keyProblem } from "../../../../lib/engines/http/require-key.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { writeAudit } from "../audit.ts";
import { findAgentKey, wrongAgent } from "./agent-key.ts";

interface Registration {
  readonly id: string;
  readonly secret: string;
}

/**
 * Resolves to the key that the agent must use from now on; null = the key of this request. Throws Problem: 401 for an
 * unknown key, 403 for another agent's, 409 for an id with another secret.
 */
export async function register(
  database: Database,
  keyHash: Uint8Array,
  registration: Registration,
): Promise<string | null> {
  const own = await findAgentKey(database, keyHash);
  if (own === null) {
    return database.timed("agent_enrol", () => database.sql.begin((tx) => enrol(tx, keyHash, registration)));
  }
  if (own !== registration.id) {
    throw wrongAgent(own);
  }
  await database.timed("agent_register", () => database.sql.begin((tx) => registerKnown(tx, registration)));
  return null;
}

/** With its own key: the row exists, with or without a secret. */
async function registerKnown(tx: TransactionSql, { id, secret }: Registration): Promise<void> {
  const hash = hashKey(secret);
  const [agent] = await tx<{ is_first: boolean }[]>`
    UPDATE agents SET secret_hash = ${hash}, registered_at = coalesce(registered_at, now()), last_seen_at = now()
    WHERE agent_id = ${id} AND retired_at IS NULL AND coalesce(secret_hash, ${hash}) = ${hash}
    RETURNING registered_at = now() AS is_first`;
  if (agent === undefined) {
    throw taken(id);
  }
  if (agent.is_first) {
    await writeAudit(tx, { actor: `agent:${id}`, action: "agent.register", subject: `agent:${id}` });
  }
}

async function enrol(tx: TransactionSql, keyHash: Uint8Array, { id, secret }: Registration): Promise<string> {
  const { label, granted_prefixes, location, country, asn, tags } = await spendUse(tx, keyHash);
  const hash = hashKey(secret);
  const [agent] = await tx`
    INSERT INTO agents (
      agent_id, secret_hash, registered_at, last_seen_at, granted_prefixes, location, country, asn, tags)
    VALUES (${id}, ${hash}, now(), now(), ${granted_prefixes}, ${location}, ${country}, ${asn}, ${tags})
    ON CONFLICT (agent_id) DO UPDATE SET last_seen_at = now()
    WHERE agents.secret_hash = ${hash} AND agents.retired_at IS NULL
    RETURNING agent_id`;
  if (agent === undefined) {
    throw taken(id);
  }
  await tx`UPDATE agent_keys SET revoked_at = now() WHERE agent_id = ${id} AND revoked_at IS NULL`;
  const agentKey = makeKey();
  await tx`INSERT INTO agent_keys (key_hash, agent_id) VALUES (${hashKey(agentKey)}, ${id})`;
  const details = { enrolment_key: label };
  await writeAudit(tx, { actor: `agent:${id}`, action: "agent.enrol", subject: `agent:${id}`, details });
  return agentKey;
}

interface EnrolmentKey {
  readonly label: string;
  readonly granted_prefixes: string[];
  readonly location: string | null;
  readonly country: string | null;
  readonly asn: number | null;
  readonly tags: string[];
}

/** Uses up one use of an enrolment key, restored when the transaction fails. */
async function spendUse(tx: TransactionSql, keyHash: Uint8Array): Promise<EnrolmentKey> {
  const [spent] = await tx<EnrolmentKey[]>`
    UPDATE enrolment_keys SET uses_left = uses_left - 1
    WHERE key_hash = ${keyHash} AND uses_left > 0 AND coalesce(expires_at > now(), true)
    RETURNING label, granted_prefixes, location, country, asn, tags`;
  if (spent !== undefined) {
    return spent;
  }
  throw (await whyNot(tx, keyHash)) ?? usedUp();
}

/**
 * Throws Problem 401 unless this is an agent's own key, or an enrolment key with a use left: call it before any other
 * check of a request. The id's owner is checked at registration.
 */
export async function checkMayRegister(database: Database, keyHash: Uint8Array): Promise<void> {
  if ((await findAgentKey(database, keyHash)) === null) {
    const problem = await database.timed("enrolment_key", () => whyNot(database.sql, keyHash));
    if (problem !== null) {
      throw problem;
    }
  }
}

/** The refusal of a key that does not belong to an agent. */
export async function notAnAgentsKey({ sql, timed }: Database, keyHash: Uint8Array): Promise<Problem> {
  const [found] = await timed(
    "enrolment_key",
    () => sql<{ label: string }[]>`SELECT label FROM enrolment_keys WHERE key_hash = ${keyHash}`,
  );
  return found === undefined
    ? keyProblem(
        "unknown_key",
        "The key does not belong to an agent; register, or ask the gateway's operator for one",
      )
    : keyProblem(
        "enrolment_key",
        `This enrolment key ("${found.label}") only registers an agent, which then has to use the agent_key of the ` +
          "answer. An agent that cannot, such as saimiris, needs a key of its own from the gateway's operator: " +
          "vantage admin agents add ID",
      );
}

/** Why this enrolment key is refused; null = it is accepted. */
async function whyNot(sql: Sql | TransactionSql, keyHash: Uint8Array): Promise<Problem | null> {
  const [found] = await sql<{ uses_left: number; is_over: boolean }[]>`
    SELECT uses_left, coalesce(expires_at <= now(), false) AS is_over FROM enrolment_keys
    WHERE key_hash = ${keyHash}`;
  if (found === undefined) {
    return keyProblem("unknown_key", "The key does not belong to this gateway; ask its operator for one");
  }
  if (found.uses_left <= 0) {
    return usedUp();
  }
  const message = "The enrolment key has expired; ask the gateway's operator for another";
  return found.is_over ? keyProblem("expired_key", message) : null;
}

function usedUp(): Problem {
  return keyProblem(
    "used_up_key",
    "The enrolment key has no uses left; ask the gateway's operator for another",
  );
}

function taken(id: string): Problem {
  return problem(
    409,
    "agent_id_taken",
    `Agent id "${id}" is taken: it has another secret, is to use a key made for it, or was retired`,
  );
}
