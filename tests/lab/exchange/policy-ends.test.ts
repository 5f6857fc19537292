/**
 * A policy that ends by itself, on each BIRD of the lab: while the generator renews it no route moves, and when nobody
 * does any more BIRD takes users' routes away, with nobody there to tell it.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { labBirds } from "../../exchange/birds.ts";
import { sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import * as plan from "./plan.ts";

const leased = "2001:db8:20ab::/48";
const user = sampleUser(66, { leases: [{ prefix: leased, end_time: "2035-01-01T00:00:00Z" }] });
/**
 * Renewed three times as often. A renewal that is later than this on a busy machine takes the route away, and its
 * return counts as a change of the small budget.
 */
const policyEndsSec = 12;
/** A small budget: renewals do not count as announcements. */
const announcementsPerHour = 3;
const turnsMax = 3;

describe.each(labBirds)("BIRD $version", (bird) => {
  let lab: ExchangeLab;
  const begin = async () => {
    lab = await ExchangeLab.start({ users: [user], announcementsPerHour, policyEndsSec, bird });
    const session = await lab.rogue.dialUp(user.asn);
    lab.rogue.announce(session, { prefix: leased, path: [user.asn], nextHop: plan.rogueAddress });
    await until("the route upstream", () => lab.birds.upstream.hears(leased));
  };
  /**
   * BIRD 3.4.0 ends itself now and then while it takes a new configuration ("Trying to lock in a bad order"), on a busy
   * machine. Only then a test begins again, on another exchange.
   */
  const onBird = (play: () => Promise<void>) => async () => {
    for (let turn = 1; ; turn++) {
      try {
        return await play();
      } catch (error) {
        if (turn === turnsMax || !lab.birds.exchange.said().includes("<BUG>")) {
          throw error;
        }
        process.stderr.write(`BIRD ${bird.version} has ended itself by a fault of its own: once more\n`);
        await lab[Symbol.asyncDispose]();
        await begin();
      }
    }
  };
  beforeAll(begin);
  afterAll(async () => {
    await lab?.[Symbol.asyncDispose]();
  });

  const reconfigurations = () => lab.birds.exchange.said().match(/Reconfigured/g)?.length ?? 0;
  const updatesUpstream = async () =>
    (await lab.birds.upstream.sessions()).find(({ name }) => name === "exchange")?.acceptedUpdates;

  const whileRenewed = async () => {
    const before = await updatesUpstream();
    const start = reconfigurations();
    await until("more renewals than announcements are allowed, two configurations each", () => {
      return reconfigurations() >= start + 2 * (announcementsPerHour + 2);
    }).catch((cause: unknown) => {
      const said = lab.birds.exchange.said().slice(-2000);
      throw new Error(`The generator: ${lab.service.generator.failure}; BIRD, at last: ${said}`, { cause });
    });
    expect(await updatesUpstream()).toBe(before);
    expect(await lab.birds.upstream.hears(leased)).toBe(true);
    expect(await lab.birds.exchange.ask("eval peering_policy_version")).toEqual([
      lab.service.generator.applied?.text.version ?? "",
    ]);
  };
  test(
    "while it is renewed, the upstream hears nothing of it, and the table of users stays",
    onBird(whileRenewed),
  );

  const whileUnreadable = async () => {
    lab.breakExchange(true);
    await until("the failure", () => lab.service.generator.failure !== "");
    await Bun.sleep(1000 * (policyEndsSec + 1));
    expect(await lab.birds.upstream.hears(leased)).toBe(true);
    lab.breakExchange(false);
    await until("a policy in force", () => lab.service.generator.failure === "");
  };
  test(
    "a configuration of BIRD that it cannot read ends no policy while the generator is alive",
    onBird(whileUnreadable),
  );

  const whenNobodyRenews = async () => {
    await lab.service.loop[Symbol.asyncDispose]();
    expect(await lab.birds.upstream.hears(leased)).toBe(true);
    await until("no route upstream", async () => !(await lab.birds.upstream.hears(leased)));
    expect((await lab.rogueSession())?.isUp).toBe(true);
  };
  test("when nobody renews it, it ends; sessions stay", onBird(whenNobodyRenews));
});
