/** After a rotation: subjects under older keys are encrypted with the newest, so that the old keys can go. */
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { reencryptRowsMax } from "../limits.ts";
import type { SubjectCipher } from "./subject-cipher.ts";

interface SealedRow {
  readonly user_hash: string;
  readonly subject_jwe: string;
}

/**
 * Resolves to how many were changed. Rejects with an Error that names the keys when some are encrypted with keys that
 * are not configured: without them those users' addresses would be lost.
 */
export async function reencrypt(database: Database, cipher: SubjectCipher): Promise<number> {
  await checkKeys(database, cipher);
  for (let changed = 0; ; ) {
    const rows = await database.timed(
      "subjects_old",
      () => database.sql<SealedRow[]>`
        SELECT user_hash, subject_jwe FROM users WHERE subject_kid <> ${cipher.kid} LIMIT ${reencryptRowsMax}`,
    );
    if (rows.length === 0) {
      return changed;
    }
    changed += await reencryptRows(database, cipher, rows);
  }
}

async function checkKeys({ sql }: Database, cipher: SubjectCipher): Promise<void> {
  const strange = await sql<{ subject_kid: string; users: number }[]>`
    SELECT subject_kid, count(*) AS users FROM users WHERE subject_kid <> ALL (${cipher.kids}::text[])
    GROUP BY subject_kid ORDER BY subject_kid`;
  if (strange.length > 0) {
    const named = strange.map(({ subject_kid, users }) => `${subject_kid} (${users} users)`).join(", ");
    throw new Error(
      `Cannot decrypt the subjects of users: add the keys ${named} to subjects.keys, behind the first`,
    );
  }
}

/** Another gateway may do the same: both write what is right. */
async function reencryptRows(
  { sql, timed }: Database,
  cipher: SubjectCipher,
  rows: readonly SealedRow[],
): Promise<number> {
  const sealed = await Promise.all(
    rows.map(async ({ user_hash, subject_jwe }) => {
      const { jwe, kid } = await cipher.seal(await cipher.open(subject_jwe));
      return { user_hash, jwe, kid };
    }),
  );
  await timed(
    "subjects_reencrypt",
    () => sql`
      UPDATE users SET subject_jwe = jwe, subject_kid = kid
      FROM jsonb_to_recordset(${sql.json(sealed)}) AS sealed (user_hash text, jwe text, kid text)
      WHERE users.user_hash = sealed.user_hash`,
  );
  return sealed.length;
}
