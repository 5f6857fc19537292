/**
 * An operator's one command takes everything of a user, or of everybody, from the exchange, while the user's BGP
 * speaker goes on announcing and its session stays. On the real gateway, and real BIRD on both sides of the platform.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import { GatewayProcess } from "./gateway-process.ts";
import * as plan from "./plan.ts";

const leased = "2001:db8:20ab::/48";
const asn = 65_000;
const user = sampleUser(66, { subject: GatewayProcess.subject, asn, leases: [] });
let lab: ExchangeLab;
let gateway: GatewayProcess;

beforeAll(async () => {
  gateway = await GatewayProcess.start(leased);
  await gateway.ask("POST", "/api/user/prefix", { duration_hours: 1 });
  lab = await ExchangeLab.start({ users: [user], gatewayUrl: gateway.url, announcementsPerHour: 1000 });
  const session = await lab.rogue.dialUp(asn);
  lab.rogue.announce(session, { prefix: leased, path: [asn], nextHop: plan.rogueAddress });
});
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
  await gateway?.[Symbol.asyncDispose]();
});

const isReceived = () => lab.birds.upstream.hears(leased);
const users = () => `/admin/users/${gateway.userHash}`;

async function gone(what: string, order: () => Promise<unknown>): Promise<void> {
  await until("the route upstream", isReceived);
  const askedAtMs = performance.now();
  await order();
  await until("no route upstream", async () => !(await isReceived()));
  const tookMs = Math.round(performance.now() - askedAtMs);
  process.stderr.write(`${what}: no route upstream after ${tookMs} ms\n`);
  expect((await lab.rogueSession())?.isUp).toBe(true);
}

/** The user hears which of the operator's orders it was. */
async function refusedAs(reason: string): Promise<void> {
  await until(`refused as ${reason}`, async () => {
    const sessions = await lab.sessionsSeenFrom(plan.rogueAddress);
    return sessions.some(({ refused }) => refused.some((route) => route.reason === reason));
  });
}

test("a user is suspended: no route upstream any more, until the user may go on", async () => {
  await gone("a user is suspended", () => gateway.ask("POST", `${users()}/suspend`, { reason: "a test" }));
  await refusedAs("userSuspended");
  await gateway.ask("POST", `${users()}/resume`);
});

test("everybody is stopped: no route upstream any more, until all may go on", async () => {
  const path = "/admin/announcement-stop";
  await gone("everybody is stopped", () => gateway.ask("PUT", path, { reason: "a test" }));
  await refusedAs("announcementsStopped");
  await gateway.ask("DELETE", path);
});

test("a lease is revoked: no route upstream any more", async () => {
  const path = `/admin/leases/${encodeURIComponent(leased)}`;
  await gone("a lease is revoked", () => gateway.ask("DELETE", path));
  await refusedAs("notLeased");
});
