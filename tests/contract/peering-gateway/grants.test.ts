/** What the holder of a grant may do with it, and that it may nothing else: each refusal is a sentence. */
import { expect, test } from "bun:test";
import { onBothEngines } from "./on-both-engines.ts";
import { hourMs, inPath, type PeeringHome } from "./peering-home.ts";

const yaml = "announcements: { prefix_minutes: 0, per_hour_max: 100 }";
const two = '{ pool: ["2001:db8:100::/40"], per_user_max: 2 }';
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

interface Given {
  readonly prefixes: readonly string[];
  readonly kinds?: readonly string[];
  readonly changes_max?: number;
  readonly expires_at?: string;
}

onBothEngines((start) => {
  const make = async (home: PeeringHome, given: Given) => {
    const order = {
      name: "lab",
      kinds: ["prepend", "lease"],
      changes_max: 10,
      expires_at: inMs(hourMs),
      ...given,
    };
    const { status, body } = await home.ask("ann", "POST", "/api/grants", order);
    expect([status, body.state]).toEqual([201, "live"]);
    return body as { id: string; secret: string };
  };
  const put = async (home: PeeringHome, secret: string, number: number, requests: readonly object[]) => {
    const order = { number, announcements: requests };
    const { status, body } = await home.send(secret, "PUT", "/api/grant/announcements", order);
    return [status, body.outcome ?? body.code, body.message ?? ""] as const;
  };
  const announced = async (home: PeeringHome) =>
    (await home.ask("ann", "GET", "/api/announcements")).body.announcements.flatMap(
      (row: { announce: boolean; prefix: string; server: string; prepend: number }) =>
        row.announce ? [`${row.prefix} ${row.server} ${row.prepend}`] : [],
    );

  test("its holder announces, renews and withdraws; the audit says by which grant, and for whom", async () => {
    await using home = await start({ leases: two, yaml });
    const prefix = await home.lease("ann", 2);
    const { id, secret } = await make(home, { prefixes: [prefix], changes_max: 2 });
    const request = { prefix, servers: ["ixp-a"], prepend: 2, until: inMs(60_000) };
    expect(await put(home, secret, 5, [request])).toEqual([200, "changed", ""]);
    expect(await put(home, secret, 5, [request])).toEqual([200, "same", ""]);
    expect(await put(home, secret, 5, [{ ...request, until: inMs(90_000) }])).toEqual([200, "renewed", ""]);
    expect(await announced(home)).toEqual([`${prefix} ixp-a 2`]);
    const { body } = await home.send(secret, "GET", "/api/grant");
    expect(body).toMatchObject({ name: "lab", changes: 1, changes_max: 2, leases: [{ prefix }] });
    expect(body.announced.announcements).toHaveLength(1);
    const line = (await home.admin("GET", "/admin/audit")).body.find(
      ({ action }: { action: string }) => action === "announcement.set",
    );
    expect(line).toMatchObject({ actor: `grant:${id}`, user_hash: body.user_hash, prefix });
    expect(await put(home, secret, 6, [{ prefix, announce: false }])).toEqual([200, "changed", ""]);
    expect(await announced(home)).toEqual([]);
    // What the user does says so, also behind it.
    await home.ask("ann", "PUT", `/api/announcements/${inPath(prefix)}`, {});
    const [last] = (await home.admin("GET", "/admin/audit")).body;
    expect(last.actor).toBe(`user:${body.user_hash}`);
  });

  test("no announcement outlives it", async () => {
    await using home = await start({ leases: two, yaml });
    const prefix = await home.lease("ann", 2);
    const expires_at = inMs(600_000);
    const { secret } = await make(home, { prefixes: [prefix], expires_at });
    await put(home, secret, 1, [{ prefix, servers: ["ixp-a"], until: inMs(hourMs) }]);
    await put(home, secret, 1, [{ prefix, servers: ["ixp-b"] }]);
    const { announcements } = (await home.ask("ann", "GET", "/api/announcements")).body;
    expect(announcements.map(({ until }: { until: string }) => until)).toEqual([expires_at, expires_at]);
  });

  test("what is not in it is refused, and changes nothing", async () => {
    await using home = await start({ leases: two, yaml });
    const [prefix, other] = [await home.lease("ann", 2), await home.lease("ann", 2)];
    const { id, secret } = await make(home, { prefixes: [prefix], changes_max: 1 });
    const refused = async (number: number, request: object, status: number, code: string, words: string) => {
      expect(await put(home, secret, number, [request])).toEqual([
        status,
        code,
        expect.stringContaining(words),
      ]);
    };
    await refused(1, { prefix: other }, 403, "grant_prefix", `is not for ${other}: it names ${prefix}`);
    await refused(1, { prefix, no_export: true }, 403, "grant_kind", "does not include no_export");
    expect(await announced(home)).toEqual([]);
    expect((await put(home, secret, 7, [{ prefix, servers: ["ixp-a"] }]))[1]).toBe("changed");
    await refused(8, { prefix, servers: ["ixp-b"] }, 403, "grant_used_up", "its 1 changes are used up");
    // Withdrawing is always allowed; then what was sent before it is out of date.
    expect((await put(home, secret, 9, [{ prefix, announce: false }]))[1]).toBe("changed");
    await refused(
      7,
      { prefix, servers: ["ixp-a"] },
      409,
      "grant_replay",
      `change 9 of ${prefix} has been made since`,
    );
    expect(await announced(home)).toEqual([]);
    // Another user's revocation is none.
    expect((await home.ask("bob", "DELETE", `/api/grants/${id}`)).status).toBe(404);
    expect((await home.ask("ann", "DELETE", `/api/grants/${id}`)).body.state).toBe("revoked");
    await refused(10, { prefix }, 401, "grant_revoked", 'The grant "lab" was revoked');
    expect((await home.send(secret, "GET", "/api/grant")).body.code).toBe("grant_revoked");
    const short = await make(home, { prefixes: [prefix], expires_at: inMs(60_000) });
    await home.shift(61_000);
    expect(await put(home, short.secret, 11, [{ prefix }])).toEqual([
      401,
      "grant_expired",
      expect.stringContaining('The grant "lab" expired at'),
    ]);
    expect(await announced(home)).toEqual([]);
    const states = (await home.ask("ann", "GET", "/api/grants")).body.map(
      ({ state }: { state: string }) => state,
    );
    expect(states).toEqual(["expired", "revoked"]);
  });

  test("it is checked again where its change is stored, behind a revocation that came between", async () => {
    await using home = await start({ leases: two, yaml });
    const prefix = await home.lease("ann", 2);
    const { sql } = home.services.database;
    const outcome = async ({ id }: { readonly id: string }) => {
      const requests = [{ prefix, servers: ["*"], announce: true, wish: { prepend: 0 }, until: null }];
      const [row] = await sql<{ outcome: string }[]>`
        SELECT outcome FROM set_announcements_by(${id}, 1, ${sql.json(requests)}, '0', 100, 64)`;
      return row?.outcome;
    };
    const [revoked, expired] = [
      await make(home, { prefixes: [prefix] }),
      await make(home, { prefixes: [prefix] }),
    ];
    await home.ask("ann", "DELETE", `/api/grants/${revoked.id}`);
    expect(await outcome(revoked)).toBe("grant_revoked");
    await sql`UPDATE grants SET expires_at = now() - interval '1 s' WHERE grant_id = ${expired.id}`;
    expect(await outcome(expired)).toBe("grant_expired");
    expect(await announced(home)).toEqual([]);
  });

  test("a lease is renewed within it, never shortened", async () => {
    await using home = await start({ leases: two, yaml });
    const [prefix, other] = [await home.lease("ann", 2), await home.lease("ann", 2)];
    const leaseEnd = async () => {
      const leases = (await home.ask("ann", "GET", "/api/user/info")).body.active_leases;
      return Date.parse(leases.find((lease: { prefix: string }) => lease.prefix === prefix).end_time);
    };
    const { secret } = await make(home, { prefixes: [prefix], expires_at: inMs(3.5 * hourMs) });
    const renew = async (holder: string, target: string, hours: number) => {
      const path = `/api/grant/leases/${inPath(target)}/renew`;
      const { status, body } = await home.send(holder, "POST", path, { duration_hours: hours });
      return [status, body.code ?? "renewed"];
    };
    const before = await leaseEnd();
    expect(await renew(secret, prefix, 1)).toEqual([200, "renewed"]);
    expect(await leaseEnd()).toBe(before);
    expect(await renew(secret, prefix, 4)).toEqual([200, "renewed"]);
    expect(await leaseEnd()).toBeGreaterThan(before + 1.9 * hourMs);
    expect(await renew(secret, prefix, 5)).toEqual([403, "grant_lease"]);
    expect(await renew(secret, other, 1)).toEqual([403, "grant_prefix"]);
    const plain = await make(home, { prefixes: [prefix], kinds: [] });
    expect(await renew(plain.secret, prefix, 1)).toEqual([403, "grant_kind"]);
  });

  test("it opens no other route, and nobody gives what is not theirs", async () => {
    await using home = await start({ leases: two, yaml });
    const prefix = await home.lease("ann", 2);
    const { secret } = await make(home, { prefixes: [prefix] });
    for (const [method, path] of [
      ["GET", "/service/mappings"],
      ["GET", "/admin/audit"],
    ] as const) {
      expect((await home.send(secret, method, path)).status).toBe(401);
    }
    const order = { name: "x", changes_max: 1, expires_at: inMs(hourMs) };
    const theirs = await home.ask("bob", "POST", "/api/grants", { ...order, prefixes: [prefix] });
    expect([theirs.status, theirs.body.message]).toEqual([404, expect.stringContaining(prefix)]);
    const late = { ...order, prefixes: [prefix], expires_at: inMs(100 * 24 * hourMs) };
    expect((await home.ask("ann", "POST", "/api/grants", late)).body.message).toContain("days ahead");
    // The secret is nowhere: only its hash is.
    const { sql } = home.services.database;
    const [row] = await sql<{ text: string }[]>`SELECT to_jsonb(grants)::text AS text FROM grants`;
    expect(row?.text).not.toContain(secret);
  });
});
