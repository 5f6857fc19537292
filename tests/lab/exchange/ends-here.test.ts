/**
 * A request for one exchange server ends there by that server's own policy, on real daemons: the client stack hangs,
 * the gateway is killed, and the user's BIRD or FRR goes on announcing.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import { inTier } from "../../run/tier.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { LabClient } from "./lab-client.ts";
import * as plan from "./plan.ts";

const leased = "2001:db8:20ab::/48";
const path = `/api/announcements/${encodeURIComponent(leased)}`;
const asn = 65_000;
const user = sampleUser(66, { subject: GatewayProcess.subject, asn, leases: [] });

const daemons = inTier<readonly ("bird" | "frr")[]>({ usual: ["bird"], long: ["bird", "frr"] });

describe.each(daemons)("a client of %s", (daemon) => {
  let lab: ExchangeLab;
  let gateway: GatewayProcess;
  let client: LabClient;
  beforeAll(async () => {
    gateway = await GatewayProcess.start(leased, "announcements: {prefix_minutes: 0, per_hour_max: 100}");
    await gateway.ask("POST", "/api/user/prefix", { duration_hours: 1 });
    lab = await ExchangeLab.start({ users: [user], gatewayUrl: gateway.url, announcementsPerHour: 1000 });
    client = await LabClient.start(lab, { asn, prefixes: [], daemon, gatewayUrl: gateway.url });
  });
  afterAll(async () => {
    await client?.[Symbol.asyncDispose]();
    await lab?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
  });

  const isReceived = () => lab.birds.upstream.hears(leased);
  const refused = async () =>
    (await lab.sessionsSeenFrom(plan.rogueAddress))[0]?.refused.map(({ prefix, reason }) => [prefix, reason]);

  test("a request of another server ends nothing here", async () => {
    await gateway.ask("PUT", path, {});
    await until("the route", isReceived);
    const ends = new Date(Date.now() + 1000);
    await gateway.ask("PUT", path, { servers: ["ixp-2"], prepend: 1, until: ends.toISOString() });
    await gateway.ask("DELETE", `${path}?server=ixp-3`);
    await Bun.sleep(ends.getTime() - Date.now() + 500);
    expect(await isReceived()).toBe(true);
  });

  test("the route is gone at the end, though everybody but the exchange sleeps; the session stays", async () => {
    // Long enough for the request to be seen at the exchange on a busy machine.
    const ends = new Date(Date.now() + 10_000);
    await gateway.ask("PUT", path, { servers: ["ixp-1"], prepend: 1, until: ends.toISOString() });
    const requested = [asn, asn].join(" ");
    await until("the route as requested", async () => {
      return (await lab.birds.exchange.routes(`where net = ${leased}`))[0]?.path === requested;
    });
    client.halt();
    await gateway.kill();
    expect(await isReceived()).toBe(true);
    await until("no route upstream", async () => !(await isReceived()));
    const lateMs = Date.now() - ends.getTime();
    process.stderr.write(`gone upstream ${lateMs} ms after its end, while ${daemon} went on announcing it\n`);
    expect(lateMs).toBeGreaterThanOrEqual(0);
    // Until the policy generator has looked again, it says what it said before: pending.
    await until("the reason", async () => Bun.deepEquals(await refused(), [[leased, "notRequested"]]));
    expect((await lab.rogueSession())?.isUp).toBe(true);
  });
});
