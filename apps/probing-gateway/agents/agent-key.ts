/** Finds the agent of a key. Keys are random and stored as SHA-256, so looking one up by its hash reveals nothing. */
import { Problem } from "../../../lib/http/problem.ts";
import { keyProblem } from "../../../lib/http/require-key.ts";
import type { Database } from "../../../lib/store/postgres/open.ts";

/** Agent id of the key with this SHA-256; null = not an agent's key. Throws Problem 401 `revoked_key`. */
export async function findAgentKey(database: Database, keyHash: Uint8Array): Promise<string | null> {
  const [found] = await database.timed(
    "agent_key",
    () => database.sql<{ agent_id: string; is_revoked: boolean }[]>`
      SELECT agent_id, revoked_at IS NOT NULL AS is_revoked FROM agent_keys WHERE key_hash = ${keyHash}`,
  );
  if (found?.is_revoked === true) {
    throw keyProblem("revoked_key", "The key was revoked; ask the gateway's operator for another");
  }
  return found?.agent_id ?? null;
}

export function wrongAgent(own: string): Problem {
  return new Problem({ status: 403, code: "wrong_agent", message: `The key belongs to agent "${own}"` });
}
