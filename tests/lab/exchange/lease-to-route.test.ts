/**
 * From a lease to a route at the upstream, and from its end to the route's: the real gateway, BIRD, and a client that
 * announces all the time and does not know route refresh. Sessions stay up throughout.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import { GatewayProcess } from "./gateway-process.ts";

let lab: ExchangeLab;
let gateway: GatewayProcess;
let session: number;
const leased = "2001:db8:20ab::/48";
const user = sampleUser(66, {
  subject: GatewayProcess.subject,
  leases: [{ prefix: leased, end_time: "2035-01-01T00:00:00Z" }],
});
/** The pool's first, as nobody was there before. */
const asn = 65_000;

beforeAll(async () => {
  gateway = await GatewayProcess.start(leased);
  lab = await ExchangeLab.start({ users: [user], gatewayUrl: gateway.url, staleSec: 8 });
  session = await lab.rogue.dialUp(asn);
  lab.rogue.announce(session, { prefix: leased, path: [asn], nextHop: "100.64.0.66" });
});
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
  await gateway?.[Symbol.asyncDispose]();
});

const isReceived = () => lab.birds.upstream.hears(leased);
const isCarried = async () => (await lab.net.carried("rogue")).includes(leased);

const lease = () => gateway.ask("POST", "/api/user/prefix", { duration_hours: 1 });
const release = () => gateway.ask("DELETE", `/api/user/prefix/${encodeURIComponent(leased)}`);

test("without a lease the route is refused, and the user sees why", async () => {
  const [route] = await until("the refusal", async () => {
    const [mine] = await lab.sessionsSeenFrom("100.64.0.66");
    return (mine?.refused.length ?? 0) > 0 && mine?.refused;
  });
  expect(route).toMatchObject({ prefix: leased, reason: "unknownAddress" });
  expect(await isReceived()).toBe(false);
});

test("a lease becomes a route at the upstream, and the VPN carries its packets", async () => {
  const answer = lease();
  await until("the route", isReceived);
  expect(await answer).toMatchObject({ prefix: leased });
  await until("the VPN's route", isCarried);
});

test("existing generators find what they read: hash, id, e-mail or null, ASN and prefixes of each user", async () => {
  expect(await gateway.mappings()).toMatchObject({
    mappings: [
      { user_hash: gateway.userHash, user_id: gateway.userHash, email: null, asn, prefixes: [leased] },
    ],
  });
});

test("a lease that is given back ends", async () => {
  await release();
  await until("no route", async () => !(await isReceived()));
  await until("no route in the VPN", async () => !(await isCarried()));
});

test("a user who is suspended by an operator ends, and comes back", async () => {
  await lease();
  await until("the route", isReceived);
  await gateway.ask("POST", `/admin/users/${gateway.userHash}/suspend`, { reason: "lab" });
  await until("no route", async () => !(await isReceived()));
  await gateway.ask("POST", `/admin/users/${gateway.userHash}/resume`);
  await until("the route again", isReceived);
  await release();
  await until("no route", async () => !(await isReceived()));
});

test("a lease ends on time while the gateway and the VPN's server are dead", async () => {
  await lease();
  await until("the route", isReceived);
  const end = await gateway.endLeaseIn(4);
  // The gateway rounds what it tells to milliseconds.
  const isKnown = () => Math.abs((lab.service.generator.nextChangeMs() ?? 0) - end.getTime()) <= 1;
  await until("word of the new end", isKnown);
  await gateway.kill();
  lab.sources.headscaleFailure = () => new Response("gone", { status: 503 });
  const endMs = end.getTime();
  await until("no route", async () => {
    const heard = await isReceived();
    expect(heard || Date.now() >= endMs - 1).toBe(true);
    return !heard;
  });
});

test("all that time the session stayed up", async () => {
  expect(lab.rogue.told(session, "closed")).toBe(false);
  expect((await lab.rogueSession())?.isUp).toBe(true);
});

test("when nothing new has come for too long, everybody is refused, and health says so", async () => {
  const { app, generator } = lab.service;
  await until("the policy of nobody", () => generator.applied?.isRejectAll);
  const health = await app.request("/health");
  expect(health.status).toBe(503);
  expect(await health.json()).toMatchObject({ status: "unhealthy" });
  const sessions = await lab.birds.exchange.sessions();
  expect(sessions.filter(({ name, isUp }) => name.startsWith("peering_") && !isUp)).toEqual([]);
  expect((await lab.birds.upstream.routes("protocol exchange")).map(({ prefix }) => prefix)).toEqual([]);
});
