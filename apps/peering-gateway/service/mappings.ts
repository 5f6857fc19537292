/**
 * ASN and prefixes of each user, for the generators of routing policy.
 *
 * A page of users is one statement and one piece of text, made when the reader has taken the previous one: memory is
 * bounded at any number of users. Addresses come from the cache. A reader that joins users by address would read
 * `null` as a user without one, and after a restart of the gateway for all of them: it gets 503 until the provider has
 * answered for each. With `partial=true` a reader does not wait.
 */
import type * as v from "valibot";
import type { mappingAnswer } from "../../../lib/api/leases.ts";
import { Problem } from "../../../lib/http/problem.ts";
import type { Database } from "../../../lib/store/postgres/open.ts";
import type { EmailDirectory } from "../email/email-directory.ts";
import { emailRetrySec, mappingsPageUsers } from "../limits.ts";

type Mapping = v.InferOutput<typeof mappingAnswer>;

interface Row {
  readonly user_number: number;
  readonly user_hash: string;
  readonly asn: number;
  readonly suspended: boolean;
  readonly announcements_stopped: boolean;
  readonly may_poison: boolean;
  readonly may_blackhole: boolean;
  /** Prefix, and end in milliseconds; by exchange server too, where there are wishes for single ones. */
  readonly leases: readonly (readonly [string, number, Readonly<Record<string, number>> | null])[];
}

interface Addresses {
  readonly directory: EmailDirectory;
  /** Answers with the known addresses only. */
  readonly isPartial: boolean;
}

/**
 * `{"mappings":[…]}`, newest user first, in pieces. Rejects at once when the first page cannot be read. Throws Problem
 * 503 while addresses are unknown; an address that is evicted meanwhile cuts the text off.
 */
export async function mappingsText(
  database: Database,
  addresses: Addresses | null,
): Promise<ReadableStream<Uint8Array>> {
  if (addresses !== null && !addresses.isPartial) {
    await allKnown(database, addresses.directory);
  }
  const encoder = new TextEncoder();
  let rows = await readRows(database, Number.MAX_SAFE_INTEGER);
  let isFirst = true;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const texts = rows.map((row) => JSON.stringify(mappingOf(row, emailNow(row, addresses))));
        const start = isFirst ? '{"mappings":[' : texts.length > 0 ? "," : "";
        isFirst = false;
        const isLast = rows.length < mappingsPageUsers;
        controller.enqueue(encoder.encode(`${start}${texts.join(",")}${isLast ? "]}" : ""}`));
        if (isLast) {
          controller.close();
          return;
        }
        rows = await readRows(database, rows.at(-1)?.user_number ?? 0);
      },
    },
    { highWaterMark: 0 },
  );
}

function emailNow({ user_hash: userHash }: Row, addresses: Addresses | null): string | null {
  if (addresses === null) {
    return null;
  }
  if (!addresses.isPartial && !addresses.directory.isKnown(userHash)) {
    throw emailsUnknown(1);
  }
  return addresses.directory.peek(userHash);
}

/** Page by page, so that thousands of users are not in memory at once. */
async function allKnown(database: Database, directory: EmailDirectory): Promise<void> {
  const unknown: string[] = [];
  let before = Number.MAX_SAFE_INTEGER;
  for (
    let rows = await readRows(database, before);
    rows.length > 0;
    rows = await readRows(database, before)
  ) {
    unknown.push(
      ...rows.map(({ user_hash }) => user_hash).filter((userHash) => !directory.isKnown(userHash)),
    );
    before = rows.at(-1)?.user_number ?? 0;
  }
  const left = await directory.settle(unknown);
  if (left > 0) {
    throw emailsUnknown(left);
  }
}

function emailsUnknown(count: number): Problem {
  return new Problem({
    status: 503,
    code: "emails_unknown",
    message: `E-mail addresses of ${count} users are not known yet; ask again in a moment, or with partial=true`,
    headers: { "retry-after": String(emailRetrySec) },
  });
}

/** Null for a user without ASN, an unknown user, and text that is not a hash. */
export async function oneMapping(
  { sql, timed }: Database,
  addresses: Addresses | null,
  userHash: string,
): Promise<Mapping | null> {
  if (!/^[\da-f]{64}$/.test(userHash)) {
    return null;
  }
  const [row] = await timed(
    "mapping",
    () => sql<Row[]>`${selectMappings({ sql })} AND user_hash = ${userHash}`,
  );
  if (row === undefined) {
    return null;
  }
  const email = (await addresses?.directory.find(userHash)) ?? null;
  if (addresses !== null && !addresses.isPartial && !addresses.directory.isKnown(userHash)) {
    throw emailsUnknown(1);
  }
  return mappingOf(row, email);
}

/** In the order of first contact, backwards. */
function readRows({ sql, timed }: Database, beforeNumber: number): Promise<Row[]> {
  return timed(
    "mappings_page",
    () => sql<Row[]>`
      ${selectMappings({ sql })} AND user_number < ${beforeNumber}
      ORDER BY user_number DESC LIMIT ${mappingsPageUsers}`,
  );
}

function selectMappings({ sql }: Pick<Database, "sql">) {
  return sql`
    WITH clock AS MATERIALIZED (SELECT vantage_now() AS now)
    SELECT user_number, user_hash, asn, suspended_at IS NOT NULL AS suspended,
      stopped_at IS NOT NULL AS announcements_stopped, may_poison, may_blackhole, (
      SELECT coalesce(jsonb_agg(jsonb_build_array(prefix, (extract(epoch FROM ends) * 1000)::bigint,
        announced_at(users.user_hash, prefix, end_time)) ORDER BY prefix), '[]')
      FROM leases, announced_until(users.user_hash, prefix, end_time) AS ends
      WHERE leases.user_hash = users.user_hash AND closed_at IS NULL AND ends > now
        AND suspended_at IS NULL AND stopped_at IS NULL
    ) AS leases
    FROM users, clock, announcement_stop WHERE asn IS NOT NULL`;
}

function mappingOf({ user_hash, asn, leases, ...states }: Row, email: string | null): Mapping {
  const { suspended, announcements_stopped, may_poison, may_blackhole } = states;
  return {
    user_hash,
    user_id: user_hash,
    email,
    asn,
    prefixes: leases.map(([prefix]) => prefix),
    leases: leases.map(([prefix, endMs, servers]) => ({
      prefix,
      end_time: timeOf(endMs),
      ...(servers === null
        ? {}
        : { servers: Object.fromEntries(Object.entries(servers).map(([name, ms]) => [name, timeOf(ms)])) }),
    })),
    suspended,
    announcements_stopped,
    may_poison,
    may_blackhole,
  };
}

function timeOf(endMs: number): string {
  return new Date(endMs).toISOString();
}
