/** The exact calls of the existing command line and generator, and what they need in the answers. */
import { expect, test } from "bun:test";
import { onBothEngines } from "./on-both-engines.ts";
import { hashOf, inPath } from "./peering-home.ts";

onBothEngines((start) => {
  test("a user who only ever asks for prefixes is given an ASN too", async () => {
    await using home = await start();
    const before = await home.ask("cli", "GET", "/api/user/info");
    expect(before).toMatchObject({
      status: 200,
      body: { user_hash: hashOf("cli"), asn: null, max_leases: 1, active_leases: [] },
    });
    const { status, body } = await home.ask("cli", "POST", "/api/user/prefix", { duration_hours: 24 });
    expect([status, body.message, body.rpki_enabled]).toEqual([200, "Prefix leased successfully", true]);
    expect(Date.parse(body.end_time) - Date.parse(body.start_time)).toBe(24 * 3_600_000);
    const info = await home.ask("cli", "GET", "/api/user/info");
    expect(info.body).toMatchObject({
      asn: expect.any(Number),
      active_leases: [{ prefix: body.prefix, end_time: body.end_time, rpki_enabled: true }],
    });

    const path = `/api/user/prefix/${inPath(body.prefix)}`;
    expect(path).toContain("%3A%3A%2F48");
    expect(await home.ask("cli", "PUT", `${path}/rpki`, { enabled: true })).toEqual({
      status: 200,
      body: { prefix: body.prefix, rpki_enabled: true, message: "RPKI ROA already enabled" },
    });
    expect(await home.ask("cli", "DELETE", path)).toEqual({ status: 204, body: null });
    expect(await home.ask("cli", "DELETE", path)).toMatchObject({
      status: 404,
      body: { error: 404, message: "Prefix lease not found or already expired" },
    });
  });

  test("an ASN is the lowest free one, and stays", async () => {
    await using home = await start({ asns: '{ pool: ["65010-65011", "65000"] }' });
    const asn = async (user: string) => {
      const { status, body } = await home.ask(user, "POST", "/api/user/asn");
      return [status, body.asn ?? body.error, body.message];
    };
    expect(await asn("one")).toEqual([200, 65000, "ASN assigned successfully"]);
    expect(await asn("two")).toEqual([200, 65010, "ASN assigned successfully"]);
    expect(await asn("one")).toEqual([200, 65000, "ASN already assigned"]);
    expect(await asn("three")).toEqual([200, 65011, "ASN assigned successfully"]);
    expect(await asn("four")).toEqual([503, 503, "No available ASNs at this time"]);
    const { status, body } = await home.ask("four", "POST", "/api/user/prefix", { duration_hours: 1 });
    expect([status, body.code]).toEqual([503, "asn_pool_empty"]);
  });

  test("checks come in the order that existing clients know", async () => {
    await using home = await start({ leases: '{ pool: ["2001:db8:1::/48"] }' });
    const ask = async (user: string, body: unknown) => {
      const answer = await home.ask(user, "POST", "/api/user/prefix", body);
      return [answer.status, answer.body.message];
    };
    const outside = [400, "Duration must be between 1 and 24 hours"];
    for (const hours of [0, -1, 25, 1e12, -1e12]) {
      expect(await ask("one", { duration_hours: hours })).toEqual(outside);
    }
    expect((await ask("one", { duration_hours: 1 }))[0]).toBe(200);
    expect(await ask("one", { duration_hours: 25 })).toEqual(outside);
    expect(await ask("one", { duration_hours: 1 })).toEqual([403, "Maximum lease limit reached."]);
    expect(await ask("two", { duration_hours: 1 })).toEqual([503, "No available prefixes at this time"]);
    for (const body of [{}, { duration_hours: "1" }, { duration_hours: 1.5 }, [], null]) {
      expect((await ask("one", body))[0]).toBe(422);
    }
  });

  test("the generator finds each user with ASN, newest first, and one by the hash", async () => {
    await using home = await start();
    await home.ask("first", "POST", "/api/user/asn");
    const prefix = await home.lease("second", 2);
    const { status, body } = await home.service("/service/mappings");
    expect(status).toBe(200);
    expect(body.mappings).toEqual([
      {
        ...{ user_hash: hashOf("second"), user_id: hashOf("second"), email: null, asn: 65001 },
        ...{ prefixes: [prefix], leases: [{ prefix, end_time: expect.stringMatching(/Z$/) }] },
        ...{ suspended: false, announcements_stopped: false, may_poison: false, may_blackhole: false },
      },
      expect.objectContaining({ user_hash: hashOf("first"), asn: 65000, prefixes: [], leases: [] }),
    ]);
    const one = await home.service(`/service/mappings/${hashOf("second")}`);
    expect(one).toEqual({ status: 200, body: body.mappings[0] });
    for (const unknown of [hashOf("nobody"), "x", "%01"]) {
      expect(await home.service(`/service/mappings/${unknown}`)).toMatchObject({
        status: 404,
        body: { error: 404, message: "User has no ASN assigned" },
      });
    }
  });
});
