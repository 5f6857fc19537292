/** Embedded databases begin as a copy of one that was made beforehand: it is as the one that PGlite makes itself. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { startEmbedded } from "../../../lib/engines/store/postgres/embedded-server.ts";
import { makeCluster } from "../../postgres/make-cluster.ts";

/** What a cluster is made as, and cannot be changed later. */
const facts = `SELECT version(), c.pg_control_version, c.catalog_version_no,
  (SELECT json_agg(s ORDER BY name) FROM (SELECT name, setting FROM pg_settings
    WHERE source = 'configuration file') s) AS settings,
  (SELECT json_agg(d ORDER BY datname) FROM (SELECT datname, encoding, datcollate, datctype FROM pg_database) d)
    AS databases,
  (SELECT count(*)::int FROM pg_proc) AS functions, (SELECT count(*)::int FROM pg_collation) AS collations
  FROM pg_control_system() c`;

async function factsOf(folder: string): Promise<unknown> {
  await using engine = await PGlite.create({ dataDir: folder });
  return (await engine.query(facts)).rows;
}

test("a new embedded database is what initdb of this PGlite makes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-cluster-"));
  try {
    await (await startEmbedded(join(folder, "ours")))[Symbol.asyncDispose]();
    await makeCluster(join(folder, "made"));
    const made = await factsOf(join(folder, "made"));
    expect(made).toHaveLength(1);
    expect(await factsOf(join(folder, "ours/pgdata"))).toEqual(made);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
