/** Finds the user that an operator means, by any printed name or hash. */
import * as v from "valibot";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { userHashOf } from "../../../lib/engines/auth/token-verifier.ts";
import type { Both } from "./both-command.ts";

const found = v.object({ user_hash: v.string(), name: v.optional(v.nullable(v.string()), null) });

/** Candidates listed in a message. */
const shownMax = 5;
/** Characters of a hash that are shown. */
const shortChars = 8;

/** The user's hash. Rejects with CommandError for an ambiguous name; no match means an unknown subject. */
export async function hashOf({ probing, peering }: Both, given: string): Promise<string> {
  if (/^[\da-f]{64}$/.test(given)) {
    return given;
  }
  const users = new Map<string, string | null>();
  for (const api of [probing, peering]) {
    const rows = (await api?.read("/users", v.array(found), { who: given, limit: shownMax + 1 })) ?? [];
    for (const { user_hash: hash, name } of rows) {
      users.set(hash, users.get(hash) ?? name);
    }
  }
  const subject = userHashOf(given);
  const [only = subject] = users.keys();
  if (users.size < 2 || users.has(subject)) {
    return users.has(subject) ? subject : only;
  }
  const shown = [...users]
    .slice(0, shownMax)
    .map(([hash, name]) => `${hash.slice(0, shortChars)} (${name ?? "?"})`);
  throw cannot(
    `Several users are meant by "${given}": ${shown.join(", ")}; give more characters of the hash`,
  );
}
