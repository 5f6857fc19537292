/** A user's current and past leases, newest first. */

import type { historyAnswer } from "../../../../lib/base/api/leases.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import { type ListPage, type PageOrder, readPage } from "../../../../lib/engines/store/postgres/list-page.ts";
import { type ClosedAs, leaseStatus } from "../../../../lib/peering/lease/lease-state.ts";
import type { LeaseServices } from "./grant.ts";

type PastLease = StoredAnswer<typeof historyAnswer>[number];

interface Row extends Omit<PastLease, "status"> {
  readonly closed_as: ClosedAs | null;
  readonly now: Date;
}

export async function leaseHistory(
  { database, rpki }: Pick<LeaseServices, "database" | "rpki">,
  userHash: string,
  page: PageOrder<number>,
): Promise<ListPage<PastLease>> {
  const { rows, total } = await readPage(
    database,
    "lease_history",
    page,
    (limit, after = Number.MAX_SAFE_INTEGER) => database.sql<Row[]>`
      SELECT lease_id, prefix, start_time, end_time, rpki_enabled, closed_as, (SELECT vantage_now()) AS now
      FROM leases WHERE user_hash = ${userHash} AND lease_id < ${after} ORDER BY lease_id DESC LIMIT ${limit}`,
  );
  const leases = rows.map(({ closed_as, now, rpki_enabled, ...lease }) => ({
    ...lease,
    rpki_enabled: rpki.isAlwaysOn || rpki_enabled,
    status: leaseStatus({ end_time: lease.end_time, closed_as }, now.getTime()),
  }));
  return { rows: leases, total };
}
