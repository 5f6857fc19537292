/** Route origin authorisations, in both modes and with both adapters. */
import { expect, test } from "bun:test";
import { onBothEngines } from "./on-both-engines.ts";
import { inPath, type PeeringHome } from "./peering-home.ts";

onBothEngines((start) => {
  const set = async (home: PeeringHome, prefix: string, enabled: boolean) => {
    const { status, body } = await home.ask("ann", "PUT", `/api/user/prefix/${inPath(prefix)}/rpki`, {
      enabled,
    });
    return [status, body.code ?? body.rpki_enabled, body.message];
  };
  const roas = async (home: PeeringHome) => (await home.send(null, "GET", "/vrps.json")).body.roas;
  const shown = async (home: PeeringHome) =>
    (await home.ask("ann", "GET", "/api/user/info")).body.active_leases[0].rpki_enabled;

  test("pool mode: one authorisation covers the pool, always", async () => {
    await using home = await start({
      leases: '{ pool: ["2001:db8:101::/48", "2001:db8:100::/48", "2001:db8:1::/48"] }',
      yaml: "rpki: { adapter: local, origin_asn: 64500 }",
    });
    const common = { asn: "AS64500", maxLength: 48, ta: "vantage" };
    expect(await roas(home)).toEqual([
      { ...common, prefix: "2001:db8:1::/48" },
      { ...common, prefix: "2001:db8:100::/47" },
    ]);
    const { body } = await home.send(null, "GET", "/vrps.json");
    expect(body.metadata).toMatchObject({ vrps: 2, buildtime: expect.stringMatching(/Z$/) });
    const prefix = await home.lease("ann");
    expect(await set(home, "2001:db8:100::/48", true)).toEqual([
      404,
      "unknown_lease",
      "Active prefix lease not found",
    ]);
    expect(await set(home, prefix, true)).toEqual([200, true, "RPKI ROA already enabled"]);
    expect((await set(home, prefix, false)).slice(0, 2)).toEqual([409, "rpki_of_pool"]);
    expect(await shown(home)).toBe(true);
  });

  test("lease mode: each lease is switched by its user", async () => {
    await using home = await start({
      yaml: "rpki: { mode: lease, adapter: local, origin_asn: 64500 }",
    });
    const prefix = await home.lease("ann");
    const roa = { asn: "AS64500", prefix, maxLength: 48, ta: "vantage" };
    const becomes = async (expected: unknown[]) => {
      const giveUpAt = performance.now() + 240_000;
      while (!Bun.deepEquals(await roas(home), expected) && performance.now() < giveUpAt) {
        await Bun.sleep(20);
      }
      expect(await roas(home)).toEqual(expected);
    };
    await becomes([roa]);
    expect(await set(home, prefix, true)).toEqual([200, true, "RPKI ROA already enabled"]);
    expect(await set(home, prefix, false)).toEqual([200, false, "RPKI ROA disabled"]);
    await becomes([]);
    expect(await set(home, prefix, false)).toEqual([200, false, "RPKI ROA already disabled"]);
    expect(await shown(home)).toBe(false);
    expect(await set(home, prefix, true)).toEqual([200, true, "RPKI ROA enabled"]);
    await becomes([roa]);
    await home.ask("ann", "DELETE", `/api/user/prefix/${inPath(prefix)}`);
    await becomes([]);
    expect((await set(home, prefix, true))[0]).toBe(404);
  });

  test("without an adapter nothing is switched and nothing is published here", async () => {
    await using home = await start({ yaml: "rpki: { mode: lease }" });
    const prefix = await home.lease("ann");
    expect(await shown(home)).toBe(false);
    const refused = [503, "rpki_not_configured", "RPKI management is not configured"];
    expect(await set(home, prefix, true)).toEqual(refused);
    expect(await set(home, prefix, false)).toEqual(refused);
    expect((await set(home, "2001:db8:2::/48", true))[0]).toBe(404);
    expect((await home.send(null, "GET", "/vrps.json")).status).toBe(503);
  });
});
