/** Single addresses that users have discarded (RFC 7999): by whom, where the packets end, and who hears of it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { steadyBirds } from "../../exchange/birds.ts";
import { sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import type { Announcement } from "./bgp-message.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import * as plan from "./plan.ts";

const leased = "2001:db8:20ab::/48";
const target = "2001:db8:20ab::5/128";
const user = sampleUser(66, {
  leases: [{ prefix: leased, end_time: "2035-01-01T00:00:00Z" }],
  mayBlackhole: true,
});
const blackhole = 0xffff_029a;
const route: Announcement = {
  ...{ prefix: target, path: [user.asn], nextHop: plan.rogueAddress },
  communities: [blackhole],
};

describe.each(steadyBirds)("BIRD $version", ({ version, program }) => {
  let lab: ExchangeLab;
  let session: number;

  beforeAll(async () => {
    const bird = { version, program };
    lab = await ExchangeLab.start({
      ...{ users: [plan.two, user], bird, withPeer: true, announcementsPerHour: 1000 },
    });
    session = await lab.rogue.dialUp(user.asn);
    lab.rogue.announce(session, { ...route, prefix: leased, communities: [] });
    await until("the prefix", () => lab.birds.upstream.hears(leased));
  });
  afterAll(async () => {
    await lab?.[Symbol.asyncDispose]();
  });

  const mine = async () => (await lab.sessionsSeenFrom(plan.rogueAddress)).find(({ is_up: isUp }) => isUp);
  const refusedFor = async (prefix: string) =>
    (await mine())?.refused.find((one) => one.prefix === prefix)?.reason;
  const communities = async (where: "two" | "server") =>
    (await lab.birds[where].ask(`show route where net = ${target} all`)).find((line) =>
      line.includes("BGP.community"),
    );
  const gone = async (prefix: string) => {
    lab.rogue.withdraw(session, prefix);
    await until("no route", async () => !(await lab.birds.exchange.hears(prefix)));
  };

  test("packets to the address end at the exchange, those to its neighbours do not", async () => {
    const places = () => lab.net.discarded("exchange");
    expect(await places()).toEqual([]);
    lab.rogue.announce(session, route);
    await until("the kernel's route", async () =>
      Bun.deepEquals(await places(), [target.replace("/128", "")]),
    );
    // BIRD 3 tells the kernel of each protocol's routes at its own pace.
    await until("the prefix's in the kernel", async () =>
      (await lab.net.kernelRoutes("exchange")).includes(leased),
    );
    expect((await mine())?.accepted).toContainEqual(
      expect.objectContaining({ prefix: target, actions: [`${plan.platformAsn}:0:6`] }),
    );
  });

  test("users hear of it, and the neighbour that takes it; no other neighbour does", async () => {
    const known = "\tBGP.community: (65535,666) (65535,65281)";
    await until("the user", async () => (await communities("two")) === known);
    await until("the peer", async () => (await communities("server")) === known);
    const [heard, ...more] = await lab.birds.server.routes(`where net = ${target}`);
    expect([heard?.protocol, heard?.path, more]).toEqual(["as_peer", String(plan.platformAsn), []]);
    expect(await lab.birds.upstream.hears(target)).toBe(false);
    expect(await lab.birds.upstream.hears(leased)).toBe(true);
  });

  test("it ends with its withdrawal", async () => {
    await gone(target);
    await until("the kernel's route", async () => (await lab.net.discarded("exchange")).length === 0);
  });

  test.each<readonly [string, Partial<Announcement>, string]>([
    ["an address without the community", { communities: [] }, "moreSpecific"],
    ["a /127", { prefix: "2001:db8:20ab::4/127" }, "moreSpecific"],
    ["another user's address", { prefix: "2001:db8:2001::5/128" }, "notLeased"],
    ["an address that nobody has leased", { prefix: "2001:db8:20ff::5/128" }, "notLeased"],
    ["an address of another network", { prefix: "3fff:0:9::1/128" }, "notLeased"],
  ])("refused: %s", async (_what, parts, reason) => {
    const wrong = { ...route, ...parts };
    lab.rogue.announce(session, wrong);
    await until("the refusal", async () => (await refusedFor(wrong.prefix)) === reason);
    expect(
      await lab.birds.exchange.routes(`where net = ${wrong.prefix} && from = ${plan.rogueAddress}`),
    ).toEqual([]);
    lab.rogue.withdraw(session, wrong.prefix);
  });

  test("on the leased prefix itself the community does nothing, and goes nowhere", async () => {
    lab.rogue.announce(session, { ...route, prefix: leased, path: [user.asn, user.asn] });
    const path = `${plan.platformAsn} ${plan.platformAsn}`;
    await until(
      "the prefix",
      async () => (await lab.birds.upstream.routes(`where net = ${leased}`))[0]?.path === path,
    );
    expect(await lab.birds.exchange.routes(`where net = ${leased} && dest = RTD_BLACKHOLE`)).toEqual([]);
    expect((await lab.birds.upstream.ask(`show route ${leased} all`)).join()).not.toContain("community");
  });

  test("who loses the right loses the route, and hears why; the prefix stays", async () => {
    lab.rogue.announce(session, route);
    await until("the route", () => lab.birds.exchange.hears(target));
    lab.sources.change([plan.two, { ...user, mayBlackhole: false }]);
    await until("the refusal", async () => (await refusedFor(target)) === "blackhole");
    expect(await lab.birds.exchange.hears(target)).toBe(false);
    expect(await lab.birds.upstream.hears(leased)).toBe(true);
  });

  test("all that time nobody took the route for one that outlived its lease", () => {
    expect(lab.log.join("\n")).not.toContain("outlived");
    expect(lab.rogue.told(session, "closed")).toBe(false);
  });
});
