/** The life of a lease: renewed, given back, expired, had again, and what stays of it. */
import { expect, test } from "bun:test";
import { onBothEngines } from "./on-both-engines.ts";
import { hashOf, hourMs, inPath, type PeeringHome } from "./peering-home.ts";

onBothEngines((start) => {
  const renew = (home: PeeringHome, user: string, prefix: string, hours: number) =>
    home.ask(user, "POST", `/api/user/prefix/${inPath(prefix)}/renew`, { duration_hours: hours });
  const release = (home: PeeringHome, user: string, prefix: string) =>
    home.ask(user, "DELETE", `/api/user/prefix/${inPath(prefix)}`);

  test("renewing counts from now, within the same limits", async () => {
    await using home = await start();
    const prefix = await home.lease("ann", 2);
    await home.shift(hourMs);
    const { status, body } = await renew(home, "ann", prefix, 24);
    expect([status, body.message]).toEqual([200, "Prefix lease renewed"]);
    const leftMs = Date.parse(body.end_time) - Date.parse(body.start_time) - 25 * hourMs;
    expect(Math.abs(leftMs)).toBeLessThan(60_000);
    expect((await renew(home, "ann", prefix, 25)).body.code).toBe("invalid_duration");
    expect((await renew(home, "bob", prefix, 1)).status).toBe(404);
    expect(
      (await home.ask("ann", "POST", "/api/user/prefix/x/renew", { duration_hours: 1 })).body,
    ).toMatchObject({
      code: "invalid_prefix",
      message: "Invalid prefix format",
    });
    await home.shift(24 * hourMs);
    expect((await renew(home, "ann", prefix, 1)).body.code).toBe("unknown_lease");
  });

  test("an expired lease is gone at once, wherever one looks", async () => {
    await using home = await start({
      yaml: "rpki: { mode: lease, adapter: local, origin_asn: 64500 }",
    });
    const prefix = await home.lease("ann", 1);
    await home.shift(hourMs);
    expect((await home.ask("ann", "GET", "/api/user/info")).body.active_leases).toEqual([]);
    expect((await home.service("/service/mappings")).body.mappings[0].prefixes).toEqual([]);
    expect((await home.send(null, "GET", "/vrps.json")).body.roas).toEqual([]);
    expect((await release(home, "ann", prefix)).status).toBe(404);
    expect((await home.ask("ann", "GET", "/api/user/leases")).body).toMatchObject([
      { prefix, status: "expired" },
    ]);
  });

  test("nobody else gets a prefix in its cool-down; its user does", async () => {
    await using home = await start({
      leases: '{ pool: ["2001:db8:1::/48"], cool_down_minutes: 120 }',
    });
    const prefix = await home.lease("ann", 1);
    expect((await release(home, "ann", prefix)).status).toBe(204);
    await expect(home.lease("bob")).rejects.toThrow("503 No available prefixes at this time");
    expect(await home.lease("ann", 1)).toBe(prefix);
    // One hour of the lease, and nearly two of the cool-down.
    await home.shift(2.9 * hourMs);
    await expect(home.lease("bob")).rejects.toThrow("503");
    await home.shift(0.2 * hourMs);
    expect(await home.lease("bob")).toBe(prefix);
    await expect(home.lease("ann")).rejects.toThrow("503");
  });

  test("a user gets the prefix of last time while others take fresh ones, in the order of the pool", async () => {
    await using home = await start({ leases: '{ pool: ["2001:db8:7::/48", "2001:db8:2::/47"] }' });
    expect(await home.lease("ann", 1)).toBe("2001:db8:7::/48");
    expect(await home.lease("bob", 1)).toBe("2001:db8:2::/48");
    await home.shift(3 * hourMs);
    expect(await home.lease("eve", 1)).toBe("2001:db8:3::/48");
    expect(await home.lease("bob", 1)).toBe("2001:db8:2::/48");
    expect(await home.lease("ann", 1)).toBe("2001:db8:7::/48");
  });

  test("when no fresh one is left, the one that has been free longest is taken", async () => {
    await using home = await start({ leases: '{ pool: ["2001:db8:2::/47"] }' });
    await home.lease("ann", 2);
    await home.lease("bob", 1);
    await home.shift(5 * hourMs);
    expect(await home.lease("eve")).toBe("2001:db8:3::/48");
  });

  test("the history of a user is whole, in pages, newest first", async () => {
    await using home = await start();
    const user = "history";
    for (const ending of ["released", "revoked", "released"]) {
      const prefix = await home.lease(user);
      const closed =
        ending === "released"
          ? await release(home, user, prefix)
          : await home.admin("DELETE", `/admin/leases/${inPath(prefix)}`);
      expect(closed.status).toBe(204);
    }
    const prefix = await home.lease(user);
    const { body } = await home.ask(user, "GET", "/api/user/leases");
    expect(body.map(({ status }: { status: string }) => status)).toEqual([
      ...["active", "released", "revoked", "released"],
    ]);
    const page = await home.app.request("/api/user/leases?limit=3", {
      headers: { authorization: `Bearer ${user}` },
    });
    expect(await page.json()).toEqual(body.slice(0, 3));
    const next = /<([^>]*)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1] ?? "";
    expect((await home.ask(user, "GET", next)).body).toEqual(body.slice(3));
    const ofAdmin = await home.admin("GET", `/admin/users/${hashOf(user)}/leases`);
    expect(ofAdmin.body).toEqual(body);
    expect((await home.admin("DELETE", `/admin/leases/${inPath("2001:db8:ffff::/48")}`)).status).toBe(404);
    expect(prefix).toBe(body[0].prefix);
  });

  test("a clock that is set back gives nothing twice, and no user too much", async () => {
    await using home = await start({ leases: '{ pool: ["2001:db8:2::/47"], per_user_max: 1 }' });
    const first = await home.lease("ann", 1);
    await home.shift(1.5 * hourMs);
    // The own one is free at once, the other one in half an hour.
    expect(await home.lease("ann", 2)).toBe(first);
    await home.shift(-1.2 * hourMs);
    const { body } = await home.ask("ann", "GET", "/api/user/info");
    expect(body.active_leases).toHaveLength(1);
    await expect(home.lease("ann", 1)).rejects.toThrow("403");
    expect(await home.lease("bob", 1)).not.toBe(first);
    expect((await release(home, "ann", first)).status).toBe(204);
    expect((await home.ask("ann", "GET", "/api/user/info")).body.active_leases).toEqual([]);
  });

  test("history is deleted only where the configuration says after how long", async () => {
    await using home = await start({ leases: '{ pool: ["2001:db8:2::/47"], history_days: 7 }' });
    await release(home, "ann", await home.lease("ann"));
    const count = async () => (await home.ask("ann", "GET", "/api/user/leases")).body.length;
    await home.shift(6 * 24 * hourMs);
    await Bun.sleep(600);
    expect(await count()).toBe(1);
    await home.shift(2 * 24 * hourMs);
    while ((await count()) > 0) {
      await Bun.sleep(20);
    }
    expect((await home.admin("GET", "/admin/audit")).body.length).toBeGreaterThan(2);
  });
});
