/** A user's data handed over and erased, on both engines; and what must not come of it for others. */
import { expect, test } from "bun:test";
import { onBothEngines } from "./on-both-engines.ts";
import { hashOf, hourMs, type PeeringHome } from "./peering-home.ts";

onBothEngines((start) => {
  const path = (user: string) => `/admin/users/${hashOf(user)}`;
  const rowsNaming = async ({ services }: PeeringHome, user: string) => {
    const { sql } = services.database;
    const hash = `%${hashOf(user)}%`;
    const [row] = await sql`
      SELECT (SELECT count(*) FROM users WHERE users::text LIKE ${hash}) AS users,
        (SELECT count(*) FROM leases WHERE leases::text LIKE ${hash}) AS leases,
        (SELECT count(*) FROM pool_prefixes WHERE pool_prefixes::text LIKE ${hash}) AS prefixes,
        (SELECT count(*) FROM grants WHERE grants::text LIKE ${hash}) AS grants,
        (SELECT count(*) FROM changes WHERE changes::text LIKE ${hash}) AS changes`;
    return row;
  };
  const give = async (home: PeeringHome, prefix: string) => {
    const order = { name: "lab", prefixes: [prefix], changes_max: 1 };
    const expires_at = new Date(Date.now() + hourMs).toISOString();
    return (await home.ask("ann", "POST", "/api/grants", { ...order, expires_at })).body.secret;
  };

  test("all that is kept is exported, the subject in plain", async () => {
    await using home = await start();
    const prefix = await home.lease("ann", 2);
    await home.admin("PATCH", path("ann"), { leases_max: 2 });
    const secret = await give(home, prefix);
    const { status, body } = await home.admin("GET", `${path("ann")}/export`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      user: { user_hash: hashOf("ann"), subject: "ann", asn: 65_000, leases_max: 2, email_in_memory: null },
      leases: [{ prefix, closed_as: null }],
      grants: [{ name: "lab", prefixes: [prefix], state: "live" }],
      changes: [
        { action: "asn.assign" },
        { action: "lease.grant", prefix },
        { action: "user.limits", actor: "admin" },
        { action: "grant.make" },
      ],
    });
    expect(JSON.stringify(body)).not.toContain("subject_jwe");
    expect(JSON.stringify(body)).not.toContain(secret);
    expect((await home.admin("GET", `${path("nobody")}/export`)).status).toBe(404);
  });

  test("nothing names an erased user, and others keep theirs", async () => {
    await using home = await start({
      leases: '{ pool: ["2001:db8:1::/48", "2001:db8:2::/48"], per_user_max: 2 }',
    });
    const [first, second] = [await home.lease("ann"), await home.lease("bob")];
    await home.ask("ann", "DELETE", `/api/user/prefix/${encodeURIComponent(first)}`);
    const secret = await give(home, await home.lease("ann", 3));
    await home.admin("POST", `${path("ann")}/suspend`, { reason: "Ann asked for it" });
    const { status, body } = await home.admin("DELETE", path("ann"));
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        user_hash: hashOf("ann"),
        erased: [{ rows: 1 }, { what: "leases, live and past", rows: 2 }, { rows: 7 }],
        remains: [
          { place: "database" },
          { place: "exchange servers" },
          { place: "exchange servers" },
          { place: "backups" },
        ],
      },
    });
    expect(await rowsNaming(home, "ann")).toEqual({
      users: 0,
      leases: 0,
      prefixes: 0,
      grants: 0,
      changes: 0,
    });
    expect((await home.send(secret, "GET", "/api/grant")).status).toBe(401);
    expect(await rowsNaming(home, "bob")).toMatchObject({ users: 1, leases: 1, prefixes: 1 });
    const { body: mappings } = await home.service("/service/mappings");
    expect(mappings.mappings).toMatchObject([{ user_hash: hashOf("bob"), prefixes: [second] }]);
    expect((await home.admin("DELETE", path("ann"))).status).toBe(404);
  });

  test("the feed goes on without a gap, says that somebody was erased, and cannot be changed", async () => {
    await using home = await start();
    await home.lease("ann");
    await home.admin("DELETE", path("ann"));
    const { body } = await home.admin("GET", "/admin/audit");
    expect(body[0]).toMatchObject({
      action: "user.erase",
      actor: "admin",
      user_hash: null,
      details: { leases: 1 },
    });
    const numbers = body.map(({ number }: { number: number }) => number);
    expect(numbers).toEqual(numbers.map((_: number, i: number) => numbers.length - i));
    expect(body.slice(1, 4)).toMatchObject([
      { action: "lease.revoke", actor: "admin", prefix: null },
      { action: "lease.grant", actor: "user:erased", user_hash: null, prefix: null, details: {} },
      { action: "asn.assign", actor: "user:erased", details: {} },
    ]);
    const { sql } = home.services.database;
    await sql`UPDATE changes SET actor = 'nobody'`;
    await sql`DELETE FROM changes`;
    expect((await home.admin("GET", "/admin/audit")).body).toEqual(body);
  });

  test("the prefix cools down, then another has it; the ASN goes back to the pool", async () => {
    await using home = await start({
      leases: '{ pool: ["2001:db8:1::/48"], cool_down_minutes: 60 }',
      asns: '{ pool: ["65000-65000"] }',
    });
    const prefix = await home.lease("ann", 5);
    await expect(home.lease("bob")).rejects.toThrow("503");
    await home.admin("DELETE", path("ann"));
    // The ASN is free at once, the prefix after its cool-down, which nobody's name holds any more.
    expect((await home.ask("bob", "POST", "/api/user/asn")).body.asn).toBe(65_000);
    await expect(home.lease("bob")).rejects.toThrow("503");
    expect((await home.admin("GET", "/admin/pools")).body.prefixes).toMatchObject({
      leased: 0,
      cooling_down: 1,
    });
    await home.shift(hourMs + 1000);
    expect(await home.lease("bob")).toBe(prefix);
  });

  test("who comes back is a new user", async () => {
    await using home = await start();
    await home.lease("ann");
    await home.admin("PATCH", path("ann"), { leases_max: 0 });
    await home.admin("DELETE", path("ann"));
    expect((await home.ask("ann", "GET", "/api/user/info")).body).toMatchObject({
      asn: null,
      active_leases: [],
    });
    await home.lease("ann");
    expect((await home.admin("GET", path("ann"))).body).toMatchObject({ leases_max: null, live_leases: 1 });
  });
});
