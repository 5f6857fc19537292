/** Creates users at their first request that needs it, with their subject encrypted. */
import type { Identity } from "../../../../lib/engines/auth/token-verifier.ts";
import { type Problem, problem } from "../../../../lib/engines/http/problem.ts";
import type { Services } from "../services.ts";
import type { SubjectCipher } from "../subjects/subject-cipher.ts";

export interface AccountServices extends Pick<Services, "database"> {
  readonly cipher: SubjectCipher;
}

/** Calls `ask`; if it gives `unknown_user`, creates the user and calls it again. */
export async function withAccount<Answer extends { readonly outcome: string }>(
  services: AccountServices,
  identity: Identity,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const answer = await ask();
  if (answer.outcome !== "unknown_user") {
    return answer;
  }
  await makeUser(services, identity);
  return ask();
}

async function makeUser(
  { database, cipher }: AccountServices,
  { subject, userHash }: Identity,
): Promise<void> {
  const { jwe, kid } = await cipher.seal(subject);
  await database.timed(
    "user_make",
    () => database.sql`
      INSERT INTO users (user_hash, subject_jwe, subject_kid) VALUES (${userHash}, ${jwe}, ${kid})
      ON CONFLICT DO NOTHING`,
  );
}

export function suspended(): Problem {
  return problem(403, "user_suspended", "You are suspended; ask the operator of the platform why");
}
