/** Pools as they are configured: read at start, changed at a restart, refused when they are bad. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { hourMs, inPath, PeeringHome } from "./peering-home.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-pools-"));
const file = join(folder, "prefixes.txt");
let engine: EngineHome;
let database: Database;

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function onFreshDatabase(work: () => Promise<void>): Promise<void> {
  database = await openDatabase(await engine.freshDatabase(), { applicationName: "vantage test" });
  try {
    await work();
  } finally {
    await database[Symbol.asyncDispose]();
  }
}

function start(lines: string, asns = "{}"): Promise<PeeringHome> {
  writeFileSync(file, lines);
  return PeeringHome.start({ database, asns, leases: `{ pool_file: "${file}" }` });
}

test("what leaves the pool runs out and is not leased again; what comes back is", async () => {
  await onFreshDatabase(async () => {
    let kept = "";
    {
      await using home = await start("2001:db8:1::/48\n2001:db8:2::/48\n");
      kept = await home.lease("ann", 5);
      await home.ask("bob", "DELETE", `/api/user/prefix/${inPath(await home.lease("bob"))}`);
    }
    {
      await using home = await start("3fff:1::/48 # another one\n");
      expect((await home.service("/service/mappings")).body.mappings[1].prefixes).toEqual([kept]);
      // Neither the free one of last time, nor any other of the former pool.
      expect(await home.lease("bob")).toBe("3fff:1::/48");
      await expect(home.lease("eve")).rejects.toThrow("503");
      expect((await home.admin("GET", "/admin/pools")).body.prefixes).toMatchObject({ total: 1, leased: 1 });
    }
    {
      await using home = await start("2001:db8::/46\n");
      expect(await home.lease("eve")).toBe("2001:db8::/48");
      expect(await home.lease("joe")).toBe("2001:db8:3::/48");
      await expect(home.lease("amy")).rejects.toThrow("503");
      await home.shift(2.5 * hourMs);
      expect(await home.lease("amy")).toBe("2001:db8:2::/48");
      expect(await home.lease("bob")).toBe("2001:db8::/48");
      expect((await home.service("/service/mappings")).body.mappings.at(-1).prefixes).toEqual([kept]);
    }
  });
});

test("ASNs that leave the pool stay with their users; the rest of the pool is given, each once", async () => {
  await onFreshDatabase(async () => {
    const asn = async (home: PeeringHome, user: string) =>
      (await home.ask(user, "POST", "/api/user/asn")).body.asn;
    {
      await using home = await start("2001:db8:1::/48", '{ pool: ["65000-65002"] }');
      expect([await asn(home, "a"), await asn(home, "b"), await asn(home, "c")]).toEqual([
        65000, 65001, 65002,
      ]);
    }
    await using home = await start("2001:db8:1::/48", '{ pool: ["65001-65003"] }');
    expect([await asn(home, "a"), await asn(home, "d"), await asn(home, "e")]).toEqual([
      65000,
      65003,
      undefined,
    ]);
  });
});

test("a bad line stops the start, with its number, and changes nothing", async () => {
  await onFreshDatabase(async () => {
    {
      await using home = await start("2001:db8:1::/48\n");
      await home.lease("ann");
    }
    await expect(start("2001:db8:1::/48\n\n192.0.2.0/24\n")).rejects.toThrow(
      `Cannot use the prefix pool ${file}: line 3: "192.0.2.0/24" is not an IPv6 prefix of at most 48 bits`,
    );
    await using home = await start("2001:db8:1::/48\n");
    expect((await home.admin("GET", "/admin/pools")).body.prefixes).toMatchObject({ total: 1, leased: 1 });
  });
});

test("a pool of 65,536 single lines is one row, and found unchanged at the next start", async () => {
  await onFreshDatabase(async () => {
    const lines = Array.from({ length: 65_536 }, (_, i) => `3fff:1:${i.toString(16)}::/48`);
    const text = lines.join("\n");
    {
      await using home = await start(text);
      expect((await home.admin("GET", "/admin/pools")).body.prefixes.total).toBe(65_536);
      expect(await database.sql`SELECT count(*) AS runs FROM pool_runs`).toMatchObject([{ runs: 1 }]);
      await home.lease("ann");
      const [{ rows } = { rows: 0 }] = await database.sql`SELECT count(*) AS rows FROM pool_prefixes`;
      expect(rows).toBeLessThan(1000);
    }
    await using home = await start(text);
    expect(home.logged.join("")).toContain('"prefix_pool":false');
  });
});
