/**
 * ASN and prefixes of each user, for the generators of routing policy.
 *
 * A page of users is one statement and one piece of text, made when the reader has taken the previous one; the next
 * page is read meanwhile. So memory is bounded at any number of users. Addresses come from the cache. A reader that
 * joins users by address would read `null` as a user without one, and after a restart of the gateway for all of them:
 * it gets 503 until the provider has answered for each. With `partial=true` a reader does not wait.
 */
import type { Row as AnyRow, PendingQuery } from "postgres";
import type * as v from "valibot";
import type { mappingAnswer } from "../../../../lib/base/api/leases.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import type { EmailDirectory } from "../email/email-directory.ts";
import { emailRetrySec, mappingsPageUsers } from "../limits.ts";

type Mapping = v.InferOutput<typeof mappingAnswer>;

/** A lease of a user, or a user without any. */
interface Row {
  readonly user_number: number;
  readonly user_hash: string;
  readonly asn: number;
  readonly suspended: boolean;
  readonly announcements_stopped: boolean;
  readonly may_poison: boolean;
  readonly may_blackhole: boolean;
  readonly prefix: string | null;
  /** Milliseconds since the epoch. */
  readonly end_ms: number;
  /** By exchange server, where there are requests for single ones. */
  readonly servers: Readonly<Record<string, number>> | null;
}

/** One user's leases; at least one row. */
type UserRows = readonly [Row, ...Row[]];

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
  let next = Promise.resolve(await readPage(database, Number.MAX_SAFE_INTEGER));
  let isFirst = true;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const users = await next;
        const isLast = users.length < mappingsPageUsers;
        if (!isLast) {
          // While this page is written.
          next = readPage(database, users.at(-1)?.[0].user_number ?? 0);
          next.catch(() => {});
        }
        const mappings = users.map((rows) => mappingOf(rows, emailNow(rows[0], addresses)));
        const text = JSON.stringify(mappings).slice(1, -1);
        const start = isFirst ? '{"mappings":[' : text === "" ? "" : ",";
        isFirst = false;
        controller.enqueue(encoder.encode(`${start}${text}${isLast ? "]}" : ""}`));
        if (isLast) {
          controller.close();
        }
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
async function allKnown({ sql, timed }: Database, directory: EmailDirectory): Promise<void> {
  const unknown: string[] = [];
  let before = Number.MAX_SAFE_INTEGER;
  for (let isLast = false; !isLast; ) {
    const rows = await timed(
      "mappings_hashes",
      () => sql<Pick<Row, "user_number" | "user_hash">[]>`
        SELECT user_number, user_hash FROM users WHERE asn IS NOT NULL AND user_number < ${before}
        ORDER BY user_number DESC LIMIT ${mappingsPageUsers}`,
    );
    unknown.push(...rows.map((row) => row.user_hash).filter((userHash) => !directory.isKnown(userHash)));
    before = rows.at(-1)?.user_number ?? 0;
    isLast = rows.length < mappingsPageUsers;
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
  const rows = await timed("mapping", () => sql<Row[]>`${selectMappings(sql, sql`user_hash = ${userHash}`)}`);
  const [user] = byUser(rows);
  if (user === undefined) {
    return null;
  }
  const email = (await addresses?.directory.find(userHash)) ?? null;
  if (addresses !== null && !addresses.isPartial && !addresses.directory.isKnown(userHash)) {
    throw emailsUnknown(1);
  }
  return mappingOf(user, email);
}

/** In the order of first contact, backwards. */
async function readPage({ sql, timed }: Database, beforeNumber: number): Promise<UserRows[]> {
  const users = sql`user_number < ${beforeNumber} ORDER BY user_number DESC LIMIT ${mappingsPageUsers}`;
  return byUser(await timed("mappings_page", () => sql<Row[]>`${selectMappings(sql, users)}`));
}

/** `which` continues after AND. Exchange servers may accept a prefix until its lease or its request ends. */
function selectMappings(sql: Database["sql"], which: PendingQuery<AnyRow[]>) {
  return sql`
    WITH clock AS MATERIALIZED (
      SELECT vantage_now() AS now, stopped_at IS NOT NULL AS is_stopped FROM announcement_stop
    ), page AS MATERIALIZED (
      SELECT user_number, user_hash, asn, suspended_at IS NOT NULL AS suspended, may_poison, may_blackhole
      FROM users WHERE asn IS NOT NULL AND ${which}
    ), held AS MATERIALIZED (
      SELECT user_number, prefix, (extract(epoch FROM ends) * 1000)::bigint AS end_ms, servers
      FROM clock, page, LATERAL (
        -- By the index of each user: a plan that reads all leases for a page takes four times as long.
        SELECT * FROM leases WHERE user_hash = page.user_hash AND closed_at IS NULL OFFSET 0
      ) AS leases, LATERAL (
        SELECT
          CASE WHEN bool_or(server = '*')
            THEN least(end_time, max(CASE WHEN is_announced THEN coalesce(until, end_time) ELSE '-infinity' END))
            ELSE end_time END AS ends,
          -- 0 = not at all; '*' = servers that are not named.
          CASE WHEN bool_or(server <> '*') THEN jsonb_object_agg(server, CASE WHEN is_announced
            THEN (extract(epoch FROM least(coalesce(until, end_time), end_time)) * 1000)::bigint ELSE 0 END)
            END AS servers
        FROM announcements WHERE user_hash = leases.user_hash AND prefix = leases.prefix
      ) AS requested
      WHERE NOT suspended AND NOT is_stopped AND ends > now
    )
    SELECT page.*, is_stopped AS announcements_stopped, prefix, end_ms, servers
    FROM clock, page LEFT JOIN held USING (user_number)
    ORDER BY user_number DESC, prefix`;
}

/** Those of a user follow each other. */
function byUser(rows: readonly Row[]): UserRows[] {
  const users: [Row, ...Row[]][] = [];
  for (const row of rows) {
    const last = users.at(-1);
    if (last?.[0].user_number === row.user_number) {
      last.push(row);
    } else {
      users.push([row]);
    }
  }
  return users;
}

function mappingOf(rows: UserRows, email: string | null): Mapping {
  const { user_hash, asn, suspended, announcements_stopped, may_poison, may_blackhole } = rows[0];
  const leases = rows.flatMap(leaseOf);
  return {
    user_hash,
    user_id: user_hash,
    email,
    asn,
    prefixes: leases.map(({ prefix }) => prefix),
    leases,
    suspended,
    announcements_stopped,
    may_poison,
    may_blackhole,
  };
}

function leaseOf({ prefix, end_ms: endMs, servers }: Row): Mapping["leases"] {
  if (prefix === null) {
    return [];
  }
  const lease = { prefix, end_time: timeOf(endMs) };
  if (servers === null) {
    return [lease];
  }
  const ends = Object.entries(servers).map(([name, ms]) => [name, timeOf(ms)] as const);
  return [{ ...lease, servers: Object.fromEntries(ends) }];
}

function timeOf(endMs: number): string {
  return new Date(endMs).toISOString();
}
