/** What an exchange does for honest users: whose routes are heard where, and that packets follow them. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readStatus } from "../../../apps/peering/exchange/status.ts";
import { serve } from "../../../lib/engines/http/serve.ts";
import { outsideRefusalWords } from "../../../lib/peering/policy/outside-refusal.ts";
import { until } from "../../exchange/until.ts";
import { vrp } from "./configurations.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import * as plan from "./plan.ts";

let lab: ExchangeLab;
const twoPrefixes = plan.two.leases.map(({ prefix }) => prefix);
const receivedOutside = [plan.platformPrefix, ...twoPrefixes].sort();
const roguePrefix = plan.rogue.leases[0]?.prefix ?? "";

beforeAll(async () => {
  lab = await ExchangeLab.start();
});
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
});

const prefixesFromExchange = async (bird: "upstream" | "server") =>
  (await lab.birds[bird].routes("protocol exchange")).map(({ prefix }) => prefix).sort();

test("routes of users reach upstream and route server, of BIRD and FRR, in both forms of platform prefix", async () => {
  for (const bird of ["upstream", "server"] as const) {
    await until(
      `routes at ${bird}`,
      async () => (await prefixesFromExchange(bird)).length === receivedOutside.length,
    );
    expect(await prefixesFromExchange(bird)).toEqual(receivedOutside);
  }
});

test("outside, the platform is the origin: no ASN of a user, no community leaves", async () => {
  const routes = await lab.birds.upstream.routes("protocol exchange");
  expect(routes.map(({ path }) => path)).toEqual(receivedOutside.map(() => String(plan.platformAsn)));
  expect(routes.flatMap(({ largeCommunities }) => largeCommunities)).toEqual([]);
});

test("FRR gives its own IPv6 address in the tunnel as next hop, and that is taken", async () => {
  const [route] = await lab.birds.exchange.routes(`where net = ${plan.platformPrefix}`);
  expect(route?.nextHop).toBe("fd7a:115c:a1e0::b");
});

test("users hear the full table, the infrastructure prefix, the route server's member and each other", async () => {
  const wanted = [
    ...[plan.infrastructurePrefix, plan.memberPrefix, ...receivedOutside],
    plan.farPrefix(plan.farRoutes - 1),
  ];
  for (const prefix of wanted) {
    await until(`${prefix} at a user`, () => lab.birds.three.hears(prefix));
  }
  const [member] = await lab.birds.three.routes(`where net = ${plan.memberPrefix}`);
  expect(member?.path).toBe(`${plan.platformAsn} ${plan.memberAsn}`);
  const expected = plan.farRoutes - plan.invalidRoutes + 2 + receivedOutside.length;
  // What came before the RPKI data vanishes a moment after it.
  await until(`${expected} routes`, async () => {
    const [, count = ""] = await lab.birds.three.ask("show route count");
    return count.includes(`${expected} of ${expected} routes`);
  });
});

test("what is leased outside the platform's prefixes is heard by users, without communities, not outside", async () => {
  const session = await lab.rogue.dialUp(plan.rogue.asn);
  const largeCommunities = [[plan.platformAsn, 0, 2] as const, [3356, 1, 1] as const];
  const route = { prefix: roguePrefix, path: [plan.rogue.asn], nextHop: plan.rogueAddress, largeCommunities };
  lab.rogue.announce(session, route);
  await until("the rogue's honest route at a user", () => lab.birds.three.hears(roguePrefix));
  const [heard] = await lab.birds.three.routes(`where net = ${roguePrefix}`);
  expect(heard?.largeCommunities).toEqual([]);
  expect(await prefixesFromExchange("upstream")).toEqual(receivedOutside);
  expect(await prefixesFromExchange("server")).toEqual(receivedOutside);
  await lab.rogue.hangUp(session);
  await until("its end", async () => !(await lab.birds.three.hears(roguePrefix)));
});

test("from outside nothing comes in that is not the Internet", async () => {
  for (const prefix of plan.refusedFromUpstream) {
    const isSent = `import table upstream_transit.ipv6 where net = ${prefix}`;
    await until(
      `${prefix}, as it was sent`,
      async () => (await lab.birds.exchange.routes(isSent)).length === 1,
    );
    const routes = await lab.birds.exchange.routes(`where net = ${prefix}`);
    expect(routes.filter(({ protocol }) => protocol === "upstream_transit")).toEqual([]);
  }
});

test("routes that RPKI calls invalid are absent, vanish when they become it, and come back", async () => {
  await until("the table at a user", () => lab.birds.three.hears(plan.coveredRoute));
  expect(await lab.birds.upstream.hears(plan.farPrefix(0))).toBe(true);
  await until("no invalid route", async () => !(await lab.birds.exchange.hears(plan.farPrefix(0))));
  lab.writeVrps([vrp(64_511, plan.coveredRoute)]);
  await until("no invalid route at a user", async () => !(await lab.birds.three.hears(plan.coveredRoute)));
  expect(await lab.birds.exchange.hears(plan.coveredRoute)).toBe(false);
  lab.writeVrps([vrp(plan.farAsn, plan.coveredRoute)]);
  await until("the route again", () => lab.birds.three.hears(plan.coveredRoute));
});

test("a user's route without a ROA of the platform vanishes too, and why is said", async () => {
  lab.writeVrps([vrp(64_511, roguePrefix)]);
  const session = await lab.rogue.dialUp(plan.rogue.asn);
  lab.rogue.announce(session, { prefix: roguePrefix, path: [plan.rogue.asn], nextHop: plan.rogueAddress });
  const refused = await until("the refusal", async () => {
    const sessions = await lab.sessionsSeenFrom(plan.rogueAddress);
    return sessions.find(({ is_up: isUp }) => isUp)?.refused[0];
  });
  expect(refused).toMatchObject({ prefix: roguePrefix, reason: "rpkiInvalid" });
  lab.writeVrps([]);
  await until("the route, now that nothing speaks against it", () => lab.birds.exchange.hears(roguePrefix));
  await lab.rogue.hangUp(session);
});

test("packets flow between two users' prefixes, and between a user and the Internet, both ways", async () => {
  const { net } = lab;
  await until("user to user", () => net.reaches("one", "2001:db8:2001::1"));
  expect(await net.reaches("two", "2001:db8:1000::1")).toBe(true);
  await until("user to Internet", () => net.reaches("one", plan.farHost));
  expect(await net.reaches("upstream", "2001:db8:2001::1")).toBe(true);
  expect(await net.reaches("two", "2001:db8:ffff::1")).toBe(true);
});

test("a user of the VPN sees the sessions of own devices, an operator all, others none", async () => {
  const addressesFor = async (from: string) => {
    const sessions = await lab.sessionsSeenFrom(from);
    return sessions.map(({ address }) => address).sort();
  };
  expect(await addressesFor("100.64.0.12")).toEqual(["100.64.0.12"]);
  expect(await addressesFor("::ffff:100.64.0.12")).toEqual(["100.64.0.12"]);
  expect(await addressesFor(plan.strangerAddress)).toEqual([]);
  expect((await addressesFor("127.0.0.1")).length).toBeGreaterThan(2);
  expect((await lab.status("192.0.2.7")).status).toBe(403);
});

test("what is refused from outside is counted by neighbour and reason, and named, for operators", async () => {
  const counts = { originInvalid: plan.invalidRoutes, bogonAs: 1, bogonNet: 3, ownNet: 2 };
  const sum = plan.invalidRoutes + plan.refusedFromUpstream.length;
  await until("the upstream's counts", async () => {
    const seen = await lab.outside(plan.upstreamAsn);
    return seen?.refused_routes === sum && seen.refused_by?.originInvalid === plan.invalidRoutes;
  });
  const upstream = await lab.outside(plan.upstreamAsn);
  expect(upstream?.refused_by).toEqual(counts);
  expect(upstream?.refused.find(({ prefix }) => prefix === plan.infrastructurePrefix)).toMatchObject({
    ...{ reason: "ownNet", explanation: outsideRefusalWords.ownNet },
  });
  expect((await lab.outside(plan.serverAsn))?.refused_by).toEqual({});
  const body = await (await lab.status("100.64.0.12")).json();
  expect(body).toMatchObject({ outside: [] });
  await lab.service.generator.parts.watch.look();
  const metrics = await lab.service.app.request("/metrics", {}, { remoteAddress: "127.0.0.1" });
  const labels = `neighbor="${upstream?.name}",reason="originInvalid"`;
  expect(await metrics.text()).toContain(`outside_refused_routes{${labels}} ${plan.invalidRoutes}\n`);
});

test("vantage exchange status lists sessions with their routes", async () => {
  const { app } = lab.service;
  await using server = serve((request, connection) => app.fetch(request, connection), {
    host: "127.0.0.1",
    port: 0,
  });
  const rows = await readStatus(server.url);
  const accepted = rows.filter(({ verdict }) => verdict === "accepted").map(({ prefix }) => prefix);
  expect(accepted.sort()).toEqual(receivedOutside);
  expect(rows.some(({ session, prefix }) => session.address === "100.64.0.13" && prefix === "")).toBe(true);
  const refused = rows.filter(({ session }) => session.peer_asn === plan.upstreamAsn);
  expect(refused[0]?.explanation).toContain(`routes taken, ${refused.length - 1} refused: `);
  expect(refused[0]?.explanation).toContain(`${plan.invalidRoutes} originInvalid`);
});
