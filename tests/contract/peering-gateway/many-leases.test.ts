/**
 * A new lease reads the leases of its user, however many others have: counted by PostgreSQL, on connections that have
 * planned while the table was empty. (Leases/s: tests/bench/peering.)
 */
import { expect, test } from "bun:test";
import { openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { startEngine } from "../../postgres/engines.ts";
import { flushStatistics } from "../../postgres/statistics.ts";
import { inTier } from "../../run/tier.ts";
import { PeeringHome } from "./peering-home.ts";

const users = inTier({ usual: 25, long: 100 });
const leasesEach = 20;

test("the last of many leases reads no more than the first", async () => {
  await using engine = await startEngine();
  await using database = await openDatabase(await engine.freshDatabase(), {
    applicationName: "vantage test",
  });
  await using _home = await PeeringHome.start({ database, leases: '{ pool: ["2001:db8:1000::/36"] }' });
  const { sql } = database;
  await sql`
    INSERT INTO users (user_hash, subject_jwe, subject_kid, asn)
    SELECT encode(sha256(n::text::bytea), 'hex'), '', 'first', 4200000000 + n FROM generate_series(1, ${users}) AS n`;
  const hashes = (await sql<{ user_hash: string }[]>`SELECT user_hash FROM users`).map(
    (row) => row.user_hash,
  );
  for (let round = 0; round < leasesEach; round++) {
    for (const hash of hashes) {
      const [row] =
        await sql`SELECT outcome FROM grant_lease(${hash}, 1, 24, 100, interval '10 minutes', true)`;
      expect(row?.outcome).toBe("granted");
    }
  }
  await flushStatistics(database);
  const [read] = await sql<{ tuples: string }[]>`
    SELECT coalesce((SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'leases'), 0)
      + coalesce((SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname = 'leases'), 0) AS tuples`;
  expect(Number(read?.tuples) / (users * leasesEach)).toBeLessThan(2 * leasesEach);
});
