/** How much an exchange tells a user, as the user's client stack asks: on BIRD and FRR, counted by route. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { askFrrJson } from "../../../lib/peering/frr/vtysh.ts";
import { steadyBirds } from "../../exchange/birds.ts";
import { sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import { LabClient } from "./lab-client.ts";
import * as plan from "./plan.ts";

const leased = "2001:db8:20ab::/48";
const user = sampleUser(66, { leases: [{ prefix: leased, end_time: "2035-01-01T00:00:00Z" }] });
const near = [
  ...[plan.infrastructurePrefix, plan.memberPrefix, plan.platformPrefix],
  ...[plan.peerRoutes.own.prefix, plan.peerRoutes.plain.prefix],
  ...plan.two.leases.map(({ prefix }) => prefix),
];
const expected = {
  default: ["::/0"],
  partial: ["::/0", ...near].sort(),
} as const;
const fullCount = plan.farRoutes - plan.invalidRoutes + near.length;

describe.each(steadyBirds)("BIRD $version", ({ version, program }) => {
  let lab: ExchangeLab;

  beforeAll(async () => {
    const users = [plan.one, plan.two, user];
    lab = await ExchangeLab.start({
      users,
      withPeer: true,
      bird: { version, program },
      announcementsPerHour: 100,
    });
  });
  afterAll(async () => {
    await lab?.[Symbol.asyncDispose]();
  });

  const start = (daemon: "bird" | "frr", feed: "full" | "partial" | "default") =>
    LabClient.start(lab, { asn: user.asn, prefixes: [leased], daemon, feed });
  const heardBy = async (client: LabClient, daemon: "bird" | "frr") => {
    if (daemon === "bird") {
      return (await client.bird.routes("where source = RTS_BGP")).map(({ prefix }) => prefix);
    }
    const answer = await askFrrJson(client.frr.place, "show bgp ipv6 unicast");
    const { routes = {} } = answer as { routes?: Record<string, unknown> };
    return Object.keys(routes).filter((prefix) => prefix !== leased);
  };
  const gone = () =>
    until("the end of the announcement", async () => !(await lab.birds.upstream.hears(leased)));

  test.each([
    ["bird", "default"],
    ["bird", "partial"],
    ["frr", "default"],
    ["frr", "partial"],
  ] as const)(
    "%s with %s: these routes and nothing else; the own announcement goes out all the same",
    async (daemon, feed) => {
      {
        await using client = await start(daemon, feed);
        await until("the announcement", () => lab.birds.upstream.hears(leased));
        await until(`${expected[feed].length} routes`, async () =>
          Bun.deepEquals((await heardBy(client, daemon)).sort(), [...expected[feed]]),
        );
        await until("one session with the route", async () => {
          const sessions = (await lab.sessionsSeenFrom(plan.rogueAddress)).filter(({ is_up: isUp }) => isUp);
          return sessions.length === 1 && sessions[0]?.accepted_routes === 1;
        });
      }
      await gone();
    },
  );

  test("full: everything, and no default route", async () => {
    {
      await using client = await start("bird", "full");
      await until(`${fullCount} routes`, async () => (await heardBy(client, "bird")).length === fullCount);
      expect(await client.bird.hears("::/0")).toBe(false);
    }
    await gone();
  });

  test("only who asked for the default route hears it: no other user, no neighbour, no kernel", async () => {
    for (const bird of ["two", "upstream", "server"] as const) {
      expect(await lab.birds[bird].routes("where net = ::/0 && source = RTS_BGP")).toEqual([]);
    }
    expect(await lab.net.kernelRoutes("exchange")).not.toContain("default");
  });
});
