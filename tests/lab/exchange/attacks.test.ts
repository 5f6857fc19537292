/**
 * A rogue who is a user of the platform, or a stranger in its VPN, tries to announce what is not its own. Nothing of
 * it may be accepted, or reach anybody; the honest routes and sessions stay as they are.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { until } from "../../exchange/until.ts";
import { type Attack, requests } from "./attack.ts";
import type { Announcement, Path } from "./bgp-message.ts";
import { vrp } from "./configurations.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import * as plan from "./plan.ts";
import type { Caller } from "./rogue-speaker.ts";

let lab: ExchangeLab;
const own = plan.rogue.leases[0]?.prefix ?? "";
const ownAsn = plan.rogue.asn;
const ownAddress = plan.rogueAddress;
/** Somebody else's lease that nobody announces, so that the table has room for it; it would be heard outside. */
const others = plan.absent.leases[0]?.prefix ?? "";
const rogueAddresses = [ownAddress, plan.strangerAddress];
const probe = "2001:db8:3fff::/48";
const honestRoutes = [plan.platformPrefix, ...plan.two.leases.map(({ prefix }) => prefix)].sort();

beforeAll(async () => {
  lab = await ExchangeLab.start();
  await until("the honest routes", async () => (await routesOutside()).length === honestRoutes.length);
});
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
});

async function routesOutside(): Promise<string[]> {
  return (await lab.birds.upstream.routes("protocol exchange")).map(({ prefix }) => prefix).sort();
}

/** Routes of users that the exchange has accepted, besides the honest ones. */
async function stolen(): Promise<string[]> {
  const routes = await lab.birds.exchange.routes('where proto ~ "peering_*"');
  return routes.map(({ prefix }) => prefix).filter((prefix) => !honestRoutes.includes(prefix));
}

const sets: readonly (readonly [string, Path])[] = [
  ["at the end", [ownAsn, [65_001, 65_002]]],
  ["of the own AS at the end", [ownAsn, [ownAsn]]],
  ["of the own AS in between", [ownAsn, [ownAsn], ownAsn]],
  ["in between", [ownAsn, [65_001], ownAsn]],
];

const attacks: readonly Attack[] = [
  { what: "another's prefix", announcement: { prefix: others }, reason: "notLeased" },
  {
    what: "another's prefix, own AS prepended",
    announcement: { prefix: others, path: [ownAsn, ownAsn] },
    reason: "notLeased",
  },
  { what: "a free prefix", announcement: { prefix: "2001:db8:20ff::/48" }, reason: "notLeased" },
  { what: "a longer prefix", announcement: { prefix: own.replace("/48", "/49") }, reason: "moreSpecific" },
  { what: "a host", announcement: { prefix: own.replace("/48", "/128") }, reason: "moreSpecific" },
  { what: "a shorter prefix", announcement: { prefix: "2001:db8:3000::/47" }, reason: "notLeased" },
  { what: "the platform's aggregate", announcement: { prefix: plan.platformAggregate }, reason: "notLeased" },
  { what: "a default route", announcement: { prefix: "::/0" }, reason: "notLeased" },
  { what: "a route of the Internet", announcement: { prefix: plan.farPrefix(9) }, reason: "notLeased" },
  {
    what: "the infrastructure prefix",
    announcement: { prefix: plan.infrastructurePrefix },
    reason: "notLeased",
  },
  { what: "own prefix with a wrong ASN", asn: 65_099, announcement: { path: [65_099] }, reason: "wrongAsn" },
  {
    what: "another's prefix with the other's ASN",
    asn: plan.absent.asn,
    announcement: { prefix: others, path: [plan.absent.asn] },
    reason: "wrongAsn",
  },
  { what: "a spoofed last AS", asn: 65_099, announcement: { path: [65_099, ownAsn] }, reason: "foreignAs" },
  {
    what: "another's last AS",
    announcement: { prefix: others, path: [ownAsn, plan.absent.asn] },
    reason: "foreignAs",
  },
  { what: "a path through a stranger", announcement: { path: [ownAsn, 3356, ownAsn] }, reason: "foreignAs" },
  { what: "a first AS that is not the peer's", asn: 65_099, announcement: { path: [ownAsn] }, reason: null },
  { what: "the platform's own AS", announcement: { path: [ownAsn, plan.platformAsn, ownAsn] }, reason: null },
  { what: "many requests", announcement: { largeCommunities: requests(16) }, reason: "tooManyActions" },
  { what: "a very long path", announcement: { path: Array(12).fill(ownAsn) }, reason: "pathLength" },
  ...sets.map(([where, path]) => ({ what: `an AS set ${where}`, announcement: { path }, reason: null })),
  { what: "another's next hop", announcement: { nextHop: "100.64.0.12" }, reason: "nextHop" },
  { what: "another's IPv6 next hop", announcement: { nextHop: "fd7a:115c:a1e0::c" }, reason: "nextHop" },
  { what: "the exchange's next hop", announcement: { nextHop: "100.64.0.1" }, reason: "nextHop" },
  {
    what: "our own mark of acceptance",
    announcement: { prefix: others, largeCommunities: [[plan.platformAsn, 0, 1]] },
    reason: "notLeased",
  },
];

/** What follows an attack on the same session shows when the exchange has looked at both. */
async function settle(session: number, asn: number): Promise<void> {
  lab.rogue.announce(session, { prefix: probe, path: [asn], nextHop: ownAddress });
  await until("the probe, refused", async () => (await refused()).some(({ prefix }) => prefix === probe));
}

async function refused(from = ownAddress) {
  const sessions = await lab.sessionsSeenFrom(from);
  return sessions.find(({ is_up: isUp }) => isUp)?.refused ?? [];
}

/** A session of the rogue that is ended whatever happens, so that the next one is not its second. */
async function withSession(
  { asn, source = ownAddress }: { asn: number; source?: string },
  work: (session: number) => Promise<void>,
): Promise<void> {
  const session = await lab.rogue.dialUp(asn, { source });
  try {
    await work(session);
  } finally {
    await lab.rogue.hangUp(session);
    await until("the session's end", async () => {
      const sessions = await lab.birds.exchange.sessions();
      const rogues = sessions.filter(({ neighborAddress }) => rogueAddresses.includes(neighborAddress));
      return rogues.every(({ isUp }) => !isUp);
    });
  }
}

test.each(attacks)("$what is refused", async ({ asn = ownAsn, announcement, reason }) => {
  await withSession({ asn }, async (session) => {
    const route = { prefix: own, path: [asn], nextHop: ownAddress, ...announcement };
    lab.rogue.announce(session, route);
    await settle(session, asn);
    expect(await stolen()).toEqual([]);
    expect(await routesOutside()).toEqual(honestRoutes);
    const found = (await refused()).find(({ prefix }) => prefix === route.prefix);
    expect(found?.reason ?? null).toBe(reason);
  });
});

const dropped: readonly {
  readonly what: string;
  readonly announcement: Partial<Announcement>;
  readonly remark: string;
}[] = [
  { what: "an empty path", announcement: { path: [] }, remark: "path is empty" },
  { what: "a path with an AS set", announcement: { path: [ownAsn, [ownAsn], ownAsn] }, remark: "an AS set" },
  {
    what: "a path that begins with another",
    announcement: { path: [65_001, ownAsn] },
    remark: "does not begin",
  },
  { what: "a path that begins with an AS set", announcement: { path: [[ownAsn], ownAsn] }, remark: "AS set" },
  {
    what: "the platform's AS",
    announcement: { path: [ownAsn, plan.platformAsn] },
    remark: "holds the platform's",
  },
  { what: "a link-local next hop", announcement: { nextHop: "fe80::1" }, remark: "link-local" },
  { what: "a route with OTC", announcement: { more: [[0xc0, 35, [0, 0, 253, 232]]] }, remark: "carries OTC" },
  { what: "no next hop", announcement: { nextHop: "::" }, remark: "zero" },
  { what: "link-local space", announcement: { prefix: "fe80::/48" }, remark: "cannot be routed" },
  { what: "multicast space", announcement: { prefix: "ff00::/48" }, remark: "cannot be routed" },
];
/** What the exchange says of the session that is up. */
const remarkSeen = () =>
  until("the remark", async () => {
    const sessions = await lab.sessionsSeenFrom(ownAddress);
    return sessions.find(({ is_up: isUp }) => isUp)?.remark;
  });

test.each(dropped)(
  "BIRD drops $what before any filter, and the session says so",
  async ({ announcement, remark }) => {
    await withSession({ asn: ownAsn }, async (session) => {
      lab.rogue.announce(session, { prefix: own, path: [ownAsn], nextHop: ownAddress, ...announcement });
      expect(await remarkSeen()).toContain(remark);
      expect(await stolen()).toEqual([]);
    });
  },
);

test("an own part of a lease is its sender's mistake, whatever RPKI says of it too", async () => {
  lab.writeVrps([vrp(plan.platformAsn, own)]);
  await withSession({ asn: ownAsn }, async (session) => {
    await until("the ROA", async () =>
      (await lab.birds.exchange.ask("show route table roas count")).join().includes("8 of 8"),
    );
    lab.rogue.announce(session, { prefix: own.replace("/48", "/49"), path: [ownAsn], nextHop: ownAddress });
    const found = await until("the refusal", async () => (await refused())[0]);
    expect(found.reason).toBe("moreSpecific");
  });
  lab.writeVrps([]);
});

/** A peer that does not say who it is, or cannot: its session is up, and nothing of it is taken. */
const openings: readonly (readonly [string, number, Caller, string])[] = [
  ["AS 0, which RFC 7607 forbids", 0, {}, "AS0"],
  ["AS_TRANS, and no AS numbers of 4 bytes", 23_456, { isShortOnly: true }, "RFC 6793"],
  ["another AS of the pool", 65_099, {}, "AS65099"],
];
test.each(openings)("an OPEN of %s", async (_what, asn, caller, remark) => {
  const session = await lab.rogue.dialUp(asn, caller);
  lab.rogue.announce(session, { prefix: own, path: [ownAsn], nextHop: ownAddress });
  expect(await remarkSeen()).toContain(remark);
  expect(await stolen()).toEqual([]);
  await lab.rogue.hangUp(session);
  await until("its end", async () => !((await lab.rogueSession())?.isUp ?? false));
});

test("an OPEN of the platform's own AS is refused", async () => {
  // While BIRD still ends the session before, it closes a new one without reading its OPEN.
  const session = await until("an OPEN that is read", async () => {
    const dialled = lab.rogue.dial(plan.platformAsn);
    await until("its end", () => lab.rogue.told(dialled, "closed"));
    return lab.rogue.told(dialled, "notified") ? dialled : null;
  });
  expect(lab.rogue.events).toContainEqual({ session, kind: "notified", code: 2, subcode: 2 });
});

test("an unknown address gets all routes refused, and sees why", async () => {
  const source = plan.strangerAddress;
  await withSession({ asn: ownAsn, source }, async (session) => {
    lab.rogue.announce(session, { prefix: own, path: [ownAsn], nextHop: source });
    await until("the refusal", async () => (await refused(source)).length === 1);
    expect((await refused(source))[0]?.reason).toBe("unknownAddress");
    expect(await stolen()).toEqual([]);
    const [status] = await lab.sessionsSeenFrom(source);
    expect(status?.remark).toContain("no user");
  });
});

test("a second session from one address is turned away, or takes the first one's place; never two", async () => {
  const first = await lab.rogue.dialUp(ownAsn);
  const second = lab.rogue.dial(ownAsn, { routerId: "192.0.2.67" });
  await until("the end of one", () => lab.rogue.told(first, "closed") || lab.rogue.told(second, "closed"));
  const sessions = await lab.birds.exchange.sessions();
  const up = sessions.filter(({ neighborAddress, isUp }) => neighborAddress === ownAddress && isUp);
  expect(up.length).toBeLessThanOrEqual(1);
  const survivor = lab.rogue.told(first, "closed") ? second : first;
  await lab.rogue.hangUp(survivor);
  await until("no session", async () => !((await lab.rogueSession())?.isUp ?? false));
});

test("too many prefixes end the session, and it comes back by itself once they are fewer", async () => {
  const session = await lab.rogue.dialUp(ownAsn);
  const many = Array.from({ length: 40 }, (_, n) => ({
    prefix: `2001:db8:30${n.toString(16).padStart(2, "0")}::/48`,
    path: [ownAsn],
    nextHop: ownAddress,
  }));
  lab.rogue.announce(session, ...many);
  await until("the end of the session", () => lab.rogue.told(session, "closed"));
  const cease = lab.rogue.events.find((event) => event.session === session && event.kind === "notified");
  expect(cease).toMatchObject({ code: 6, subcode: 1 });
  expect(await stolen()).toEqual([]);
  const again = await lab.rogue.dialUp(ownAsn);
  lab.rogue.announce(again, { prefix: own, path: [ownAsn], nextHop: ownAddress });
  await until("the own route", () => lab.birds.three.hears(own));
  await lab.rogue.hangUp(again);
  await until("its end", async () => (await stolen()).length === 0);
});

test("who flaps is suspended: the route is refused for that, the session stays", async () => {
  const session = await lab.rogue.dialUp(ownAsn);
  const route = { prefix: own, path: [ownAsn], nextHop: ownAddress };
  const isSuspended = () => lab.log.some((line) => line.includes("announces too often"));
  // On a slow machine the suspension comes while it still flaps: then the route is heard no more.
  for (let n = 0; n < 60 && !isSuspended(); n++) {
    lab.rogue.announce(session, { ...route, med: n });
    await until("the route", async () => isSuspended() || (await lab.birds.exchange.hears(own)));
    lab.rogue.withdraw(session, own);
    await until("its withdrawal", async () => isSuspended() || !(await lab.birds.exchange.hears(own)));
  }
  await until("the suspension", async () => isSuspended());
  await until("the policy against it", async () =>
    (await lab.service.generator.current()).policy.users.some(
      ({ suspendedFor }) => suspendedFor === "suspended",
    ),
  );
  lab.rogue.announce(session, route);
  await until("the refusal", async () => (await refused()).some(({ reason }) => reason === "suspended"));
  // It says when the next is allowed.
  const [end] = lab.service.generator.parts.watch.suspended(Date.now()).values();
  const { explanation } = (await refused()).find(({ reason }) => reason === "suspended") ?? {};
  expect(explanation).toEndWith(`, until ${new Date(end ?? 0).toISOString()}`);
  expect(await stolen()).toEqual([]);
  expect(lab.rogue.told(session, "closed")).toBe(false);
});

test("all that time, honest routes and sessions stayed", async () => {
  expect(await routesOutside()).toEqual(honestRoutes);
  const honest = (await lab.birds.exchange.sessions()).filter(({ neighborAddress }) =>
    ["100.64.0.11", "100.64.0.12", "100.64.0.13"].includes(neighborAddress),
  );
  expect(honest.map(({ isUp, lastError }) => [isUp, lastError])).toEqual([
    [true, null],
    [true, null],
    [true, null],
  ]);
});
