/**
 * ROAs at Krill follow leases, whatever fails: on the stand-in, or a real one (krill-home.ts).
 *
 * @alone: it starts Krill
 */
import { expect, test } from "bun:test";
import { until } from "../../exchange/until.ts";
import { completeSec, metric, onKrill, originAsn, rpkiYaml, says } from "./on-krill.ts";
import { hourMs, inPath, PeeringHome } from "./peering-home.ts";

const prefix = "2001:db8:1::/48";
const roaOf = (of: string) => ({ asn: originAsn, prefix: of, max_length: 48, comment: "vantage" });

onKrill((krill, startHome) => {
  const pool = '{ pool: ["2001:db8:1::/48", "2001:db8:100::/40"] }';
  const start = (options: { yaml: string; leases?: string }) => startHome({ leases: pool, ...options });
  const yaml = (more = "") => rpkiYaml(krill(), more);
  const holds = (...prefixes: string[]) =>
    until(`ROAs: ${prefixes}`, async () => Bun.deepEquals(await krill().roas(), prefixes.map(roaOf)));
  const turn = (home: PeeringHome, of: string, enabled: boolean) =>
    home.ask("ann", "PUT", `/api/user/prefix/${inPath(of)}/rpki`, { enabled });
  const changes = async (home: PeeringHome) =>
    Number((await metric(home, /krill_requests_total\{request="change",result="ok"\} (\S+)/)) ?? 0);

  test("a ROA is there as long as its lease, and its user wants it", async () => {
    await using home = await start({ yaml: yaml() });
    expect(await home.lease("ann")).toBe(prefix);
    await holds(prefix);
    await home.ask("ann", "POST", `/api/user/prefix/${inPath(prefix)}/renew`, { duration_hours: 2 });
    const second = await home.lease("ben", 10);
    await home.ask("ben", "DELETE", `/api/user/prefix/${inPath(second)}`);
    await turn(home, prefix, false);
    await holds();
    await turn(home, prefix, true);
    await holds(prefix);
    await home.shift(3 * hourMs);
    await holds();
  });

  test("what others have made stays, what was left of us goes, with the first pass", async () => {
    const others = { asn: 64_501, prefix: "2001:db8:101::/48", max_length: 48, comment: "by hand" };
    await krill().change([others, roaOf("2001:db8:102::/48"), { ...roaOf(prefix), max_length: 50 }]);
    await using _home = await start({ yaml: yaml() });
    await until("the rest", async () => Bun.deepEquals(await krill().roas(), [others]));
    await krill().clear();
  });

  test("a ROA that somebody else has made for a lease is enough, and stays", async () => {
    const byHand = { ...roaOf(prefix), comment: "by hand" };
    await krill().change([byHand]);
    await using home = await start({ yaml: yaml() });
    await home.lease("ann");
    await until("all of it", async () => (await completeSec(home)) > 0);
    await home.ask("ann", "DELETE", `/api/user/prefix/${inPath(prefix)}`);
    await home.lease("ben");
    expect(await krill().roas()).toEqual([byHand]);
  });

  test("what changes while Krill is away is made good when it is back; the log and a metric say so", async () => {
    await using home = await start({ yaml: yaml() });
    await home.lease("ann");
    await holds(prefix);
    await until("all of it", async () => (await completeSec(home)) > 0);
    await krill().stop();
    await home.ask("ann", "DELETE", `/api/user/prefix/${inPath(prefix)}`);
    const before = await completeSec(home);
    await home.shift(hourMs);
    await home.admin("GET", "/admin/leases");
    expect(await says(home, "does not answer")).toContain(krill().url);
    expect(await completeSec(home)).toBe(before);
    await krill().startAgain();
    await holds();
    await says(home, "kept again");
    expect((await completeSec(home)) - before).toBeGreaterThan(3500);
  });

  test("a change whose answer is lost is found out, and made no second time", async () => {
    let isLossy = false;
    const relay = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: async (request) => {
        const answer = await krill().pass(request);
        const isLost = isLossy && request.method === "POST";
        isLossy &&= !isLost;
        return isLost ? new Response("<html>", { status: 502 }) : answer;
      },
    });
    const near = yaml().replace(krill().yaml, `${krill().yaml}, url: "http://127.0.0.1:${relay.port}"`);
    await using home = await start({ yaml: near.replace(`url: "${krill().url}", `, "") });
    await until("all of it", async () => (await completeSec(home)) > 0);
    isLossy = true;
    await home.lease("ann");
    expect(await says(home, "Cannot keep the ROAs")).toContain("status 502");
    await says(home, "kept again");
    await home.lease("ben");
    await holds(prefix, "2001:db8:100::/48");
    await until("its answer", async () => (await changes(home)) > 0);
    expect(await changes(home)).toBe(1);
    await relay.stop(true);
  });

  test("what changes while no gateway runs is made good by the next one", async () => {
    {
      await using home = await start({ yaml: yaml() });
      await home.lease("ann");
      await holds(prefix);
    }
    await krill().change([roaOf("2001:db8:103::/48")], [roaOf(prefix)]);
    await using again = await start({ yaml: yaml() });
    await holds();
    await again.lease("ann");
    await holds(prefix);
  });

  test("a prefix that the CA does not hold is named, and holds up no other", async () => {
    const leases = '{ pool: ["2001:db8:7::/48", "2001:db8:1::/48", "2001:db8:100::/48"] }';
    await using home = await start({ leases, yaml: yaml() });
    await home.lease("ann");
    await home.lease("ben");
    await holds(prefix);
    expect(await says(home, "does not hold")).toContain("2001:db8:7::/48");
    const before = await completeSec(home);
    await home.lease("cid");
    await holds(prefix, "2001:db8:100::/48");
    await home.ask("cid", "DELETE", `/api/user/prefix/${inPath("2001:db8:100::/48")}`);
    await holds(prefix);
    expect(await completeSec(home)).toBe(before);
  });

  test("what is wrong with the configuration, the log says in words, and nothing is lost", async () => {
    const wrong = yaml().replace("token-of-the-test", "another");
    {
      await using home = await start({ yaml: wrong });
      await home.lease("ann");
      expect(await says(home, "rpki.krill.token")).toContain("does not take the token");
      expect(
        await metric(home, /krill_requests_total\{request="read",result="refused"\} (\S+)/),
      ).toBeTruthy();
    }
    await using home = await start({ yaml: yaml().replace("ca: vantage", "ca: nobody") });
    await says(home, 'Krill has no CA \\"nobody\\": see rpki.krill.ca');
  });

  test("of two gateways one writes, and the other takes over", async () => {
    await using first = await start({ yaml: yaml() });
    await using second = await PeeringHome.start({
      database: first.services.database,
      leases: pool,
      yaml: yaml(),
    });
    await first.lease("ann");
    await holds(prefix);
    const writes = async () => Promise.all([first, second].map(changes));
    await until("its answer", async () => (await writes()).some((count) => count > 0));
    expect((await writes()).sort()).toEqual([0, 1]);
    const [one] = await writes();
    const [writer, other] = one === 1 ? [first, second] : [second, first];
    expect(await metric(other, /(krill_requests_total)\{/)).toBeUndefined();
    await writer.services[Symbol.asyncDispose]();
    await other.lease("ben");
    await holds(prefix, "2001:db8:100::/48");
    expect(
      await metric(other, /krill_requests_total\{request="change",result="(?!ok)(\w+)"/),
    ).toBeUndefined();
  });
});
