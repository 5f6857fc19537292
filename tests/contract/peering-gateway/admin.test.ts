/** What an operator sees and changes. */
import { expect, test } from "bun:test";
import { onBothEngines } from "./on-both-engines.ts";
import { adminKey, hashOf, hourMs, inPath } from "./peering-home.ts";

onBothEngines((start) => {
  test("limits of one user count at once, and null is the default again", async () => {
    await using home = await start();
    const path = `/admin/users/${hashOf("limits")}`;
    expect((await home.admin("PATCH", path, { leases_max: 2 })).status).toBe(404);
    await home.lease("limits");
    const set = await home.admin("PATCH", path, { leases_max: 2, lease_hours_max: 48 });
    expect(set.body).toMatchObject({ leases_max: 2, lease_hours_max: 48, live_leases: 1 });
    await home.lease("limits", 48);
    await expect(home.lease("limits")).rejects.toThrow("403 Maximum lease limit reached.");
    await expect(home.lease("limits", 49)).rejects.toThrow("400 Duration must be between 1 and 48 hours");
    expect((await home.ask("limits", "GET", "/api/user/info")).body).toMatchObject({
      max_leases: 2,
      max_duration_hours: 48,
    });
    expect((await home.admin("PATCH", path, { leases_max: null })).body).toMatchObject({
      leases_max: null,
      lease_hours_max: 48,
    });
    expect((await home.admin("PATCH", path, {})).body).toMatchObject({ lease_hours_max: 48 });
    for (const wrong of [{ leases_max: -1 }, { leases_max: 65 }, { lease_hours_max: 0 }, { other: 1 }]) {
      expect((await home.admin("PATCH", path, wrong)).status).toBe(422);
    }
  });

  test("a suspended user has no prefixes in the mappings and gets nothing, until resumed", async () => {
    await using home = await start({
      yaml: "rpki: { mode: lease, adapter: local, origin_asn: 64500 }",
    });
    const prefix = await home.lease("ann", 5);
    const path = `/admin/users/${hashOf("ann")}`;
    expect((await home.admin("POST", `${path}/suspend`, { reason: "abuse" })).body).toMatchObject({
      suspended_reason: "abuse",
    });
    const mapping = async () => (await home.service("/service/mappings")).body.mappings[0];
    expect(await mapping()).toMatchObject({ prefixes: [], leases: [], suspended: true, asn: 65000 });
    expect((await home.send(null, "GET", "/vrps.json")).body.roas).toEqual([]);
    expect((await home.ask("ann", "GET", "/api/user/info")).body).toMatchObject({ suspended: true });
    const renewal = `/api/user/prefix/${inPath(prefix)}/renew`;
    expect((await home.ask("ann", "POST", renewal, { duration_hours: 1 })).body.code).toBe("user_suspended");
    expect((await home.ask("ann", "POST", "/api/user/asn")).body.code).toBe("user_suspended");
    await expect(home.lease("ann")).rejects.toThrow("403 You are suspended");
    expect((await home.admin("GET", "/admin/users?suspended=true")).body).toHaveLength(1);
    expect((await home.admin("POST", `${path}/resume`)).body.suspended_at).toBeNull();
    expect(await mapping()).toMatchObject({ prefixes: [prefix], suspended: false });
  });

  test("an ASN is taken back when no lease is live, and given again as the lowest free one", async () => {
    await using home = await start({ asns: '{ pool: ["65000-65001"] }' });
    const prefix = await home.lease("ann");
    await home.ask("bob", "POST", "/api/user/asn");
    const path = `/admin/users/${hashOf("ann")}/asn`;
    expect((await home.admin("DELETE", path)).body.code).toBe("asn_in_use");
    await home.admin("DELETE", `/admin/leases/${inPath(prefix)}`);
    expect((await home.admin("DELETE", path)).body.asn).toBeNull();
    expect((await home.admin("DELETE", path)).body.asn).toBeNull();
    expect((await home.ask("eve", "POST", "/api/user/asn")).body.asn).toBe(65000);
    expect((await home.ask("ann", "POST", "/api/user/asn")).status).toBe(503);
    expect((await home.admin("DELETE", `/admin/users/${hashOf("nobody")}/asn`)).status).toBe(404);
  });

  test("pools are counted: leased, cooling down, free", async () => {
    await using home = await start({ asns: '{ pool: ["65000-65009"] }' });
    const prefix = await home.lease("ann");
    await home.lease("bob", 5);
    await home.ask("ann", "DELETE", `/api/user/prefix/${inPath(prefix)}`);
    const pools = async () => (await home.admin("GET", "/admin/pools")).body;
    expect(await pools()).toEqual({
      asns: { total: 10, assigned: 2, free: 8 },
      prefixes: { total: 258, leased: 1, cooling_down: 1, free: 256 },
    });
    await home.shift(2 * hourMs);
    expect((await pools()).prefixes).toEqual({ total: 258, leased: 1, cooling_down: 0, free: 257 });
  });

  test("every change is in the record, with who made it; nothing changes the record", async () => {
    await using home = await start();
    await home.lease("audited");
    await home.admin("PATCH", `/admin/users/${hashOf("audited")}`, { leases_max: 3 });
    const { body } = await home.admin("GET", `/admin/audit?user=${hashOf("audited")}`);
    const told = body.map(({ actor, action }: { actor: string; action: string }) => [actor, action]);
    const self = `user:${hashOf("audited")}`;
    expect(told).toEqual([
      ["admin", "user.limits"],
      [self, "lease.grant"],
      [self, "asn.assign"],
    ]);
    expect(body[0].details).toEqual({ leases_max: 3 });
    const { sql } = home.services.database;
    await sql`DELETE FROM changes`;
    await sql`UPDATE changes SET actor = 'nobody'`;
    expect((await home.admin("GET", `/admin/audit?user=${hashOf("audited")}`)).body).toEqual(body);
    const page = await home.admin(
      "GET",
      `/admin/audit?user=${hashOf("audited")}&limit=1&after=${body[0].number}`,
    );
    expect(page.body).toEqual(body.slice(1, 2));
  });

  test("users are listed in pages and found by the start of their hash", async () => {
    await using home = await start();
    const hashes = ["a", "b", "c", "d"].map(hashOf).sort();
    for (const user of ["a", "b", "c", "d"]) {
      await home.ask(user, "POST", "/api/user/asn");
    }
    const list = async (query: string) => {
      const { body } = await home.admin("GET", `/admin/users?${query}`);
      return body.map(({ user_hash }: { user_hash: string }) => user_hash);
    };
    expect(await list("")).toEqual(hashes);
    expect(await list(`limit=2&after=${hashes[0]}`)).toEqual(hashes.slice(1, 3));
    expect(await list(`hash=${hashes[2]?.slice(0, 12)}`)).toEqual(hashes.slice(2, 3));
    const { headers } = await home.app.request("/admin/users?limit=2", {
      headers: { authorization: `Bearer ${adminKey}` },
    });
    expect(headers.get("link")).toBe(`</admin/users?limit=2&after=${hashes[1]}>; rel="next"`);
  });

  test("keys of services are made, shown once, and end when they are revoked", async () => {
    await using home = await start();
    const made = await home.admin("POST", "/admin/service-keys", { name: "exchange-2" });
    expect(made).toEqual({
      status: 201,
      body: { name: "exchange-2", key: expect.stringMatching(/^vantage_/) },
    });
    const ask = async () => (await home.send(made.body.key, "GET", "/service/changes")).status;
    expect(await ask()).toBe(200);
    expect((await home.admin("POST", "/admin/service-keys", { name: "exchange-2" })).status).toBe(409);
    expect((await home.admin("POST", "/admin/service-keys", { name: "test" })).status).toBe(409);
    const listed = await home.admin("GET", "/admin/service-keys");
    expect(JSON.stringify(listed.body)).not.toContain(made.body.key);
    expect((await home.admin("DELETE", "/admin/service-keys/exchange-2")).status).toBe(204);
    expect((await home.admin("DELETE", "/admin/service-keys/exchange-2")).status).toBe(404);
    expect(await ask()).toBe(401);
    expect((await home.admin("POST", "/admin/service-keys", { name: "exchange-2" })).status).toBe(201);
  });
});
