/** A user's own daemon changes one prefix again and again: the exchange holds that prefix back, and nothing else. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import * as plan from "./plan.ts";

const [burst, refillSec] = [3, 8];
/** The generator looks each second; two changes between two looks are one to it. */
const betweenChangesMs = 1500;
const [flapping, quiet] = ["2001:db8:3000::/48", "2001:db8:3001::/48"];
const endTime = "2035-01-01T00:00:00+00:00";
const user = sampleUser(66, {
  leases: [flapping, quiet].map((prefix) => ({ prefix, end_time: endTime })),
});
const own = { path: [user.asn], nextHop: plan.rogueAddress };

let lab: ExchangeLab;
let session: number;
beforeAll(async () => {
  lab = await ExchangeLab.start({
    ...{ users: [plan.one, plan.two, plan.three, plan.absent, user], announcementsPerHour: 1000 },
    prefixBudget: [burst, refillSec],
  });
  await until("the honest route", () => lab.birds.upstream.hears(plan.platformPrefix));
  session = await lab.rogue.dialUp(user.asn);
  lab.rogue.announce(session, { ...own, prefix: quiet });
  await until("the quiet prefix", () => lab.birds.three.hears(quiet));
});
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
});

const isHeld = () => lab.log.some((line) => line.includes("changes too often"));
const status = async () => (await lab.sessionsSeenFrom(plan.rogueAddress))[0];
const lease = async () => (await status())?.leases.find(({ prefix }) => prefix === flapping);

test("what the exchange does not pass on anyway does not count", async () => {
  for (let med = 0; med <= 2 * burst; med++) {
    lab.rogue.announce(session, { ...own, prefix: quiet, med });
    await Bun.sleep(betweenChangesMs / 2);
  }
  expect(isHeld()).toBe(false);
});

test("a burst passes; with one change more the prefix is refused, and it is said until when", async () => {
  let changes = 0;
  for (; changes < 20 && !isHeld(); changes++) {
    const path = Array.from({ length: 1 + (changes % 2) }, () => user.asn);
    lab.rogue.announce(session, { ...own, prefix: flapping, path });
    await Bun.sleep(betweenChangesMs);
  }
  await until("the refusal", async () => !(await lab.birds.three.hears(flapping)));
  expect(changes).toBeGreaterThan(burst);
  const refused = await until("its reason", async () =>
    (await status())?.refused.find(({ reason }) => reason === "held"),
  );
  expect(refused.explanation).toContain("changed too often");
  expect(refused.explanation).toEndWith(`, until ${(await lease())?.changes?.held_until}`);
});

test("the user's other prefix, other users and the session stay as they are", async () => {
  expect(await lab.birds.three.hears(quiet)).toBe(true);
  expect(await lab.birds.upstream.hears(plan.platformPrefix)).toBe(true);
  expect(lab.rogue.told(session, "closed")).toBe(false);
});

test("after its time the prefix is back by itself, and may change again", async () => {
  await until("the route", () => lab.birds.three.hears(flapping));
  const { changes, changes_left: left } = (await lease()) ?? {};
  expect([changes?.held_until, (left ?? 0) > 0]).toEqual([null, true]);
});
