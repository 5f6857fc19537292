/** Finds the agent of a key. Keys are random and stored as SHA-256, so looking one up by its hash reveals nothing. */
import { type Problem, problem } from "../../../../lib/engines/http/problem.ts";
import { keyProblem } from "../../../../lib/engines/http/require-key.ts";
import { Together } from "../../../../lib/engines/service/together.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { sharedAsksMax } from "../limits.ts";

interface KeyRow {
  readonly hash: string;
  readonly agent_id: string;
  readonly is_revoked: boolean;
}

/** Concurrent lookups share a statement: thousands of agents send their key each second. */
export class AgentKeys {
  readonly #together: Together<string, string | null>;

  constructor(database: Database) {
    this.#together = new Together({
      asksMax: sharedAsksMax,
      underWayMax: 2,
      answer: async (hashes) => {
        const rows = await keysOf(database, hashes);
        const byHash = new Map(rows.map((row) => [row.hash, row]));
        return (hash) => agentOf(byHash.get(hash));
      },
    });
  }

  /** See findAgentKey. */
  find(keyHash: Uint8Array): Promise<string | null> {
    return this.#together.ask(keyHash.toHex());
  }
}

/** Agent id of the key with this SHA-256; null = not an agent's key. Rejects with Problem 401 `revoked_key`. */
export async function findAgentKey(database: Database, keyHash: Uint8Array): Promise<string | null> {
  const [found] = await keysOf(database, [keyHash.toHex()]);
  return agentOf(found);
}

function keysOf({ sql, timed }: Database, hashes: readonly string[]): Promise<KeyRow[]> {
  return timed(
    "agent_key",
    () => sql<KeyRow[]>`
      SELECT encode(key_hash, 'hex') AS hash, agent_id, revoked_at IS NOT NULL AS is_revoked FROM agent_keys
      WHERE key_hash = ANY(ARRAY(SELECT decode(asked, 'hex') FROM unnest(${hashes as string[]}::text[]) AS asked))`,
  );
}

function agentOf(found: KeyRow | undefined): string | null {
  if (found?.is_revoked === true) {
    throw keyProblem("revoked_key", "The key was revoked; ask the gateway's operator for another");
  }
  return found?.agent_id ?? null;
}

export function wrongAgent(own: string): Problem {
  return problem(403, "wrong_agent", `The key belongs to agent "${own}"`);
}
