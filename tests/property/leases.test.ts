/**
 * Whatever users, operators and clocks do, some of it at once: no two live leases share a prefix, nobody has more than
 * the limit, nobody gets a prefix in another one's cool-down, ASNs are unique and stay, and nothing is forgotten.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type Database, openDatabase } from "../../lib/engines/store/postgres/open.ts";
import { hashOf, inPath, PeeringHome } from "../contract/peering-gateway/peering-home.ts";
import { type EngineHome, startEngine } from "../postgres/engines.ts";
import { inTier } from "../run/tier.ts";

const runs = inTier({ usual: 25, long: 100 });
const users = ["ann", "bob", "eve", "joe"] as const;
type User = (typeof users)[number];

/** Steps on a lease that the user has. */
type LeaseStep =
  | { readonly kind: "renew"; readonly user: User; readonly hours: number }
  | { readonly kind: "release" | "revoke"; readonly user: User };

type Step =
  | LeaseStep
  | { readonly kind: "request"; readonly user: User; readonly hours: number }
  | { readonly kind: "suspend" | "resume" | "takeAsn"; readonly user: User }
  | { readonly kind: "limit"; readonly user: User; readonly leases: number }
  | { readonly kind: "clock"; readonly minutes: number };

const user = fc.constantFrom(...users);
const hours = fc.integer({ min: 0, max: 4 });
const together: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("request" as const), user, hours }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("renew" as const), user, hours }) },
  fc.record({
    kind: fc.constantFrom("release" as const, "revoke" as const, "suspend" as const, "resume" as const),
    user,
  }),
);
const alone: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("clock" as const),
      minutes: fc.integer({ min: -90, max: 200 }),
    }),
  },
  fc.record({ kind: fc.constant("limit" as const), user, leases: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ kind: fc.constant("takeAsn" as const), user }),
);
/** Steps of one list happen at once. */
const batches = fc.array(
  fc.oneof(
    fc.array(together, { minLength: 1, maxLength: 5 }),
    alone.map((step) => [step]),
  ),
  { minLength: 1, maxLength: 25 },
);

/** A lease that ended, its user's ASN taken, and then the clock is set back to before its end. Found by a run. */
const endedThenSetBack: Step[][] = [
  [{ kind: "request", user: "eve", hours: 1 }],
  [{ kind: "clock", minutes: 60 }],
  [{ kind: "takeAsn", user: "eve" }],
  [{ kind: "clock", minutes: -1 }],
];

let engine: EngineHome;
let database: Database;
let home: PeeringHome;

beforeAll(async () => {
  engine = await startEngine();
  database = await openDatabase(await engine.freshDatabase(), { applicationName: "vantage test" });
  home = await PeeringHome.start({
    database,
    leases: '{ pool: ["2001:db8:1::/48", "2001:db8:4::/47"], cool_down_minutes: 60, ends_soon_minutes: 30 }',
    asns: '{ pool: ["65000-65002", "65010-65020"] }',
  });
  await home.shift(0);
});
afterAll(async () => {
  await home[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await engine[Symbol.asyncDispose]();
});

test("any sequence of requests, ends, limits and clock steps", async () => {
  await fc.assert(
    fc.asyncProperty(batches, async (sequence) => {
      await emptied();
      const world = new World();
      for (const batch of sequence) {
        await Promise.all(batch.map((step) => world.take(step)));
        await world.check();
      }
    }),
    { numRuns: runs, examples: [[endedThenSetBack]] },
  );
});

async function emptied(): Promise<void> {
  await database.sql`
    TRUNCATE announcements, announcement_versions, announcement_changes, announcement_reports, leases, changes,
      pool_prefixes, asns_given_back, grant_changes, grants, users RESTART IDENTITY`;
  await database.sql`UPDATE pool_runs SET next_number = first_number`;
  await database.sql`UPDATE asn_ranges SET next_asn = first_asn`;
  await database.sql`UPDATE feed SET last_number = 0, renewals = 0`;
  await database.sql`UPDATE test_clock SET skew = '0'`;
}

interface Count {
  readonly user_hash: string;
  readonly open: number;
}

/** Answers to users, and their expected leases. */
class World {
  readonly #told: string[] = [];
  readonly #limits = new Map<string, number>(users.map((name) => [hashOf(name), 1]));
  /** Leases from before a limit was lowered stay. */
  readonly #allowed = new Map<string, number>(this.#limits);
  readonly #asns = new Map<string, number>();

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case "request":
        return this.#request(step.user, step.hours);
      case "clock":
        return home.shift(step.minutes * 60_000);
      case "limit":
        return this.#limit(step.user, step.leases);
      case "takeAsn":
        return this.#takeAsn(step.user);
      case "suspend":
        await home.admin("POST", `/admin/users/${hashOf(step.user)}/suspend`, { reason: "test" });
        return;
      case "resume":
        await home.admin("POST", `/admin/users/${hashOf(step.user)}/resume`);
        return;
      default:
        return this.#change(step);
    }
  }

  async #request(name: User, forHours: number): Promise<void> {
    const { status, body } = await home.ask(name, "POST", "/api/user/prefix", { duration_hours: forHours });
    expect(status).toBeOneOf([200, 400, 403, 503]);
    if (status === 200) {
      this.#told.push(`${hashOf(name)} ${body.prefix} ${body.start_time}`);
    }
  }

  async #limit(name: User, leases: number): Promise<void> {
    const { status } = await home.admin("PATCH", `/admin/users/${hashOf(name)}`, { leases_max: leases });
    if (status === 200) {
      this.#limits.set(hashOf(name), leases);
    }
  }

  async #takeAsn(name: User): Promise<void> {
    const { status } = await home.admin("DELETE", `/admin/users/${hashOf(name)}/asn`);
    if (status === 200) {
      this.#asns.delete(hashOf(name));
    }
  }

  async #change(step: LeaseStep): Promise<void> {
    const { body } = await home.ask(step.user, "GET", "/api/user/info");
    const [lease] = body.active_leases;
    if (lease === undefined) {
      return;
    }
    const path = `/api/user/prefix/${inPath(lease.prefix)}`;
    const { status } = await (step.kind === "renew"
      ? home.ask(step.user, "POST", `${path}/renew`, { duration_hours: step.hours })
      : step.kind === "release"
        ? home.ask(step.user, "DELETE", path)
        : home.admin("DELETE", `/admin/leases/${inPath(lease.prefix)}`));
    expect(status).toBeOneOf([200, 204, 400, 403, 404]);
  }

  async check(): Promise<void> {
    const { sql } = database;
    const shared = await sql`
      SELECT a.lease_id FROM leases AS a JOIN leases AS b ON a.prefix = b.prefix AND a.lease_id < b.lease_id
      WHERE (a.start_time < b.end_time AND b.start_time < a.end_time)
        OR (a.user_hash <> b.user_hash AND a.start_time < b.held_until AND b.start_time < a.held_until)
        OR (a.closed_at IS NULL AND b.closed_at IS NULL)`;
    expect([...shared]).toEqual([]);
    const rows = await sql<{ told: string }[]>`
      SELECT user_hash || ' ' || prefix || ' '
        || to_char(start_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS told
      FROM leases`;
    expect(rows.map(({ told }) => told).toSorted()).toEqual(this.#told.toSorted());
    const [{ gaps } = { gaps: -1 }] = await sql<{ gaps: number }[]>`
      SELECT last_number - renewals - (SELECT count(*) FROM changes) AS gaps FROM feed`;
    expect(gaps).toBe(0);
    await this.#checkLimits();
    await this.#checkAsns();
  }

  async #checkLimits(): Promise<void> {
    const counts = await database.sql<Count[]>`
      SELECT user_hash, count(*) FILTER (WHERE closed_at IS NULL) AS open FROM leases GROUP BY user_hash`;
    for (const [userHash, limit] of this.#limits) {
      const open = counts.find(({ user_hash }) => user_hash === userHash)?.open ?? 0;
      const allowed = Math.max(limit, this.#allowed.get(userHash) ?? 0);
      expect(open).toBeLessThanOrEqual(allowed);
      this.#allowed.set(userHash, Math.max(limit, Math.min(allowed, open)));
    }
  }

  async #checkAsns(): Promise<void> {
    const rows = await database.sql<{ user_hash: string; asn: number | null; leases: number }[]>`
      SELECT user_hash, asn, (SELECT count(*) FROM leases
        WHERE leases.user_hash = users.user_hash AND closed_at IS NULL AND end_time > (SELECT vantage_now())) AS leases
      FROM users`;
    const given = rows.flatMap(({ asn }) => asn ?? []);
    expect(new Set(given).size).toBe(given.length);
    for (const { user_hash, asn, leases } of rows) {
      expect(leases > 0 && asn === null).toBe(false);
      expect(asn).toBe(this.#asns.get(user_hash) ?? asn);
      if (asn !== null) {
        this.#asns.set(user_hash, asn);
      }
    }
  }
}
