/** Repeated submissions with the same Idempotency-Key get the first one's response. */
import { sameHash } from "../../../../lib/engines/auth/secret-key.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import type { SubmissionAnswer } from "./acceptance.ts";

interface EarlierSubmission {
  readonly answer: SubmissionAnswer;
  readonly isPublished: boolean;
}

interface Asked {
  readonly userHash: string;
  readonly idempotencyKey: string | null;
  /** The caller may read all measurements of the user: a token may be narrowed to one. */
  readonly seesAll: boolean;
}

/** Null = this is the first one. Throws Problem 409 when the key was used with other content. */
export async function findEarlierSubmission(
  { sql, timed }: Database,
  { userHash, idempotencyKey, seesAll }: Asked,
  requestDigest: Uint8Array,
): Promise<EarlierSubmission | null> {
  if (idempotencyKey === null) {
    return null;
  }
  const [row] = await timed(
    "submission_earlier",
    () => sql<{ answer: SubmissionAnswer; request_digest: Uint8Array; is_published: boolean }[]>`
      SELECT answer, request_digest, published_at IS NOT NULL AS is_published FROM measurements
      WHERE user_hash = ${userHash} AND idempotency_key = ${idempotencyKey}`,
  );
  if (row === undefined) {
    return null;
  }
  if (!sameHash(row.request_digest, requestDigest)) {
    throw new Problem({
      status: 409,
      code: "idempotency_key_reused",
      message: "This Idempotency-Key was used with another request: use a new one",
      ...(seesAll ? { extra: { id: row.answer.id } } : {}),
    });
  }
  return { answer: row.answer, isPublished: row.is_published };
}
