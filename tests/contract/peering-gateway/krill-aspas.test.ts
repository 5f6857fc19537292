/**
 * ASPA objects at Krill follow the ASNs that users have: on the stand-in, or a real one (krill-home.ts).
 *
 * @alone: it starts Krill
 */
import { expect, test } from "bun:test";
import { until } from "../../exchange/until.ts";
import { completeSec, onKrill, originAsn, rpkiYaml, says } from "./on-krill.ts";
import { hashOf, inPath } from "./peering-home.ts";

const aspaOf = (customer: number) => ({ customer, providers: [originAsn] });

onKrill((krill, startHome) => {
  const leases = '{ pool: ["2001:db8:1::/48", "2001:db8:100::/40"] }';
  const start = (pool: string, more = ", aspa: true") =>
    startHome({ leases, asns: `{ pool: [${pool}] }`, yaml: rpkiYaml(krill(), more) });
  const holds = (...customers: number[]) =>
    until(`ASPA objects: ${customers}`, async () =>
      Bun.deepEquals(await krill().aspas(), customers.map(aspaOf)),
    );

  test("an ASN has its object from its assignment until it is taken back, with leases and without", async () => {
    await using home = await start("65000-65001");
    await home.ask("ann", "POST", "/api/user/asn");
    await holds(65_000);
    const prefix = await home.lease("ben");
    await holds(65_000, 65_001);
    await home.ask("ben", "DELETE", `/api/user/prefix/${inPath(prefix)}`);
    await until("no ROA", async () => (await krill().roas()).length === 0);
    expect(await krill().aspas()).toEqual([65_000, 65_001].map(aspaOf));
    await home.admin("DELETE", `/admin/users/${hashOf("ann")}/asn`);
    await holds(65_001);
  });

  test("objects of the pool are made right, those of other ASNs are left alone", async () => {
    const platform = { customer: originAsn, providers: [64_496, 64_497] };
    await krill().changeAspas([platform, { customer: 65_000, providers: [64_496] }, aspaOf(65_001)]);
    await using home = await start("65000-65001");
    await until("none of the pool", async () => Bun.deepEquals(await krill().aspas(), [platform]));
    await home.ask("ann", "POST", "/api/user/asn");
    const both = [platform, aspaOf(65_000)];
    await until("one of the pool", async () => Bun.deepEquals(await krill().aspas(), both));
  });

  test("none is made or removed where it is not requested", async () => {
    await krill().changeAspas([aspaOf(65_001)]);
    await using home = await start("65000-65001", "");
    await home.lease("ann");
    await until("its ROA", async () => (await krill().roas()).length === 1);
    await until("all of it", async () => (await completeSec(home)) > 0);
    expect(await krill().aspas()).toEqual([aspaOf(65_001)]);
  });

  test("an ASN that the CA does not hold is named, and holds up no other, and no ROA", async () => {
    await using home = await start("65001-65002");
    const first = await home.lease("ann");
    await until("all of it", async () => (await completeSec(home)) > 0);
    const second = await home.lease("ben");
    expect(await says(home, "does not hold these ASNs")).toContain("65002");
    await holds(65_001);
    await until("both ROAs", async () => (await krill().roas()).length === 2);
    const before = await completeSec(home);
    await home.ask("ben", "DELETE", `/api/user/prefix/${inPath(second)}`);
    await until("one ROA", async () => (await krill().roas()).length === 1);
    // With its effect the pass before has ended.
    await home.ask("ann", "DELETE", `/api/user/prefix/${inPath(first)}`);
    await until("no ROA", async () => (await krill().roas()).length === 0);
    expect(await completeSec(home)).toBe(before);
  });

  test("a Krill that refuses ASPA objects keeps no ROA from its lease", async () => {
    await using relay = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) =>
        new URL(request.url).pathname.endsWith("/aspas")
          ? new Response("{}", { status: 403 })
          : krill().pass(request),
    });
    const near = krill().yaml.replace(`url: "${krill().url}"`, `url: "http://127.0.0.1:${relay.port}"`);
    await using home = await startHome({
      leases,
      yaml: rpkiYaml(krill(), ", aspa: true").replace(krill().yaml, near),
    });
    const prefix = await home.lease("ann");
    await until("its ROA", async () => (await krill().roas()).length === 1);
    expect(await says(home, "Cannot keep the ROAs and ASPA")).toContain(
      "does not take the token, or not for",
    );
    await home.ask("ann", "DELETE", `/api/user/prefix/${inPath(prefix)}`);
    await until("no ROA", async () => (await krill().roas()).length === 0);
    expect(await completeSec(home)).toBe(0);
  });

  test("what changes while Krill is away is made good when it is back", async () => {
    await using home = await start("65000-65001");
    await home.ask("ann", "POST", "/api/user/asn");
    await holds(65_000);
    await krill().stop();
    await home.admin("DELETE", `/admin/users/${hashOf("ann")}/asn`);
    await says(home, "Cannot keep the ROAs and ASPA objects at Krill");
    await krill().startAgain();
    await holds();
    await says(home, "ROAs and ASPA objects at Krill are kept again");
  });
});
