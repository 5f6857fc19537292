/** Two gateways at once: prefixes run out exactly, and a gateway that is killed forgets no lease that it told of. */
import { expect, test } from "bun:test";
import { inTier } from "../../run/tier.ts";
import { hashOf, inPath } from "./peering-home.ts";
import { TwoGateways } from "./two-gateways.ts";

const pool = (count: number) =>
  Array.from({ length: count }, (_, i) => `"2001:db8:${(i + 1).toString(16)}::/48"`).join(", ");

const post = { method: "POST" } as const;

async function atOnce(count: number, ask: (i: number) => Promise<Response>) {
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const response = await ask(i);
      return { status: response.status, body: await bodyOf(response) };
    }),
  );
}

test("500 users at once, 100 prefixes: 100 leases and 400 clean refusals", async () => {
  await using gateways = await TwoGateways.start(`{ pool: [${pool(100)}] }`);
  // Half of them have an ASN already: those do not wait for one another's.
  const asns = await atOnce(250, (i) => gateways.ask(i % 2, `user${2 * i}`, "/api/user/asn", post));
  expect(asns.map(({ status }) => status)).toEqual(Array(250).fill(200));
  const answers = await atOnce(500, (i) => gateways.lease(Math.floor(i / 2) % 2, `user${i}`));
  const granted = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status, body }) => status === 503 && body.code === "prefix_pool_empty");
  expect([granted.length, refused.length]).toEqual([100, 400]);
  expect(new Set(granted.map(({ body }) => body.prefix)).size).toBe(100);
  expect(await gateways.overlaps()).toBe(0);
  const [counts] = await gateways.database.sql`
    SELECT (SELECT count(*) FROM leases) AS leases, count(*) AS users, count(DISTINCT asn) AS asns, max(asn) AS highest
    FROM users`;
  expect(counts).toMatchObject({ leases: 100, users: 500, asns: 500, highest: 65_499 });
});

test("ASNs that were given back go to others who ask at once, each to one", async () => {
  await using gateways = await TwoGateways.start(`{ pool: [${pool(1)}] }`);
  await atOnce(40, (i) => gateways.ask(i % 2, `early${i}`, "/api/user/asn", post));
  const { sql } = gateways.database;
  await sql`INSERT INTO asns_given_back SELECT asn FROM users`;
  await sql`UPDATE users SET asn = NULL`;
  const answers = await atOnce(60, (i) => gateways.ask(i % 2, `late${i}`, "/api/user/asn", post));
  const given = answers.map(({ body }) => body.asn).toSorted((a, b) => a - b);
  expect(given).toEqual(Array.from({ length: 60 }, (_, i) => 65_000 + i));
});

test("one user, 40 requests at once at two gateways: one lease", async () => {
  await using gateways = await TwoGateways.start(`{ pool: [${pool(100)}] }`);
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async (_, i) => (await gateways.lease(i % 2, "greedy")).status),
  );
  expect(statuses.toSorted()).toEqual([200, ...Array(39).fill(403)]);
});

interface Told {
  readonly user: string;
  readonly prefix: string;
  readonly start: string;
}

test("gateways that are killed under load keep what they have told, and grant nothing twice", async () => {
  const kills = inTier({ usual: 2, long: 6 });
  const enough = inTier({ usual: 100, long: 300 });
  await using gateways = await TwoGateways.start(`{ pool: [${pool(20)}], cool_down_minutes: 0 }`);
  const leased: Told[] = [];
  const released: Told[] = [];
  const isDone = () => leased.length >= enough;

  const live = async (user: string) => {
    for (let number = 0; !isDone(); number = 1 - number) {
      await oneRound(number, user).catch(() => Bun.sleep(20));
    }
  };
  const oneRound = async (number: number, user: string) => {
    const response = await gateways.lease(number, user);
    if (response.status !== 200) {
      await release(number, user, await currentOf(number, user));
      return;
    }
    const { prefix, start_time: start } = await bodyOf(response);
    const told = { user, prefix, start };
    leased.push(told);
    await release(1 - number, user, told);
  };
  const currentOf = async (number: number, user: string): Promise<Told | null> => {
    const { active_leases } = await bodyOf(await gateways.ask(number, user, "/api/user/info"));
    const [lease] = active_leases ?? [];
    return lease === undefined ? null : { user, prefix: lease.prefix, start: lease.start_time };
  };
  const release = async (number: number, user: string, told: Told | null) => {
    if (told !== null) {
      const path = `/api/user/prefix/${inPath(told.prefix)}`;
      if ((await gateways.ask(number, user, path, { method: "DELETE" })).status === 204) {
        released.push(told);
      }
    }
  };

  const users = Array.from({ length: 24 }, (_, i) => live(`user${i}`));
  for (let i = 1; i <= kills; i++) {
    while (leased.length < (i * enough) / (kills + 1)) {
      await Bun.sleep(2);
    }
    await gateways.kill(i % 2);
    await gateways.startAgain(i % 2);
  }
  await Promise.all(users);

  expect(await gateways.overlaps()).toBe(0);
  const rows = await gateways.database.sql<Row[]>`
    SELECT user_hash, prefix, start_time AS start, closed_as FROM leases`;
  const known = new Map(rows.map((row) => [keyOf(row.user_hash, row.prefix, row.start), row.closed_as]));
  for (const { user, prefix, start } of leased) {
    expect(known.has(keyOf(hashOf(user), prefix, new Date(start)))).toBe(true);
  }
  for (const { user, prefix, start } of released) {
    expect(known.get(keyOf(hashOf(user), prefix, new Date(start)))).toBe("released");
  }
  const [{ changes } = { changes: -1 }] = await gateways.database.sql<{ changes: number }[]>`
    SELECT last_number - renewals - count(*) AS changes FROM feed, changes GROUP BY last_number, renewals`;
  expect(changes).toBe(0);
});

interface Body {
  readonly code: string;
  readonly asn: number;
  readonly prefix: string;
  readonly start_time: string;
  readonly active_leases?: readonly Pick<Body, "prefix" | "start_time">[];
}

/** Whatever there is of these members. */
async function bodyOf(response: Response): Promise<Body> {
  return JSON.parse(await response.text());
}

interface Row {
  readonly user_hash: string;
  readonly prefix: string;
  readonly start: Date;
  readonly closed_as: string | null;
}

function keyOf(userHash: string, prefix: string, start: Date): string {
  return `${userHash} ${prefix} ${start.toISOString()}`;
}
