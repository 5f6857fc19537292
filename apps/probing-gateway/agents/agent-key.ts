/** Who an agent's key belongs to. Keys are random and kept as SHA-256, so looking one up by its hash tells nothing. */
import { hashKey } from "../../../lib/auth/secret-key.ts";
import { Problem } from "../../../lib/http/problem.ts";
import type { Database } from "../../../lib/store/postgres/open.ts";

/** Agent id of the key; null = no agent's. Throws Problem 401 `revoked_key`. */
export async function findAgentKey(database: Database, key: string): Promise<string | null> {
  const [found] = await database.timed(
    "agent_key",
    () => database.sql<{ agent_id: string; is_revoked: boolean }[]>`
      SELECT agent_id, revoked_at IS NOT NULL AS is_revoked FROM agent_keys WHERE key_hash = ${hashKey(key)}`,
  );
  if (found?.is_revoked === true) {
    throw keyProblem("revoked_key", "The key was revoked; ask the gateway's operator for another");
  }
  return found?.agent_id ?? null;
}

/** The key after `Bearer `. Throws Problem 401. */
export function bearerKey(header: string | undefined): string {
  if (header === undefined) {
    throw keyProblem("missing_authorization", "Authorization header is missing");
  }
  const key = /^Bearer (\S+)$/.exec(header)?.[1];
  if (key === undefined) {
    throw keyProblem("malformed_authorization", 'Authorization header must start with "Bearer "');
  }
  return key;
}

export function keyProblem(code: string, message: string): Problem {
  return new Problem({ status: 401, code, message, headers: { "WWW-Authenticate": "Bearer" } });
}

export function wrongAgent(own: string): Problem {
  return new Problem({ status: 403, code: "wrong_agent", message: `The key belongs to agent "${own}"` });
}
