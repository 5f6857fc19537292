/**
 * Users tell the world nothing but reachability: whatever attributes a route carries, none reaches the upstream that
 * could carry a message, or break a router there.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import type { Announcement, RawAttribute } from "./bgp-message.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import * as plan from "./plan.ts";

setDefaultTimeout(60_000);
let lab: ExchangeLab;
let session: number;
const leased = "2001:db8:20ab::/48";
const user = sampleUser(66, { leases: [{ prefix: leased, end_time: "2035-01-01T00:00:00Z" }] });
const route: Announcement = { prefix: leased, path: [user.asn], nextHop: plan.rogueAddress };

beforeAll(async () => {
  lab = await ExchangeLab.start({ users: [user], announcementsPerHour: 100_000, suspensionSec: 2 });
  session = await lab.rogue.dialUp(user.asn);
});
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
});

/** Names of the attributes that the upstream has been told. */
async function toldUpstream(): Promise<string[]> {
  const lines = await lab.birds.upstream.ask(`show route ${leased} all`);
  return lines.flatMap((line) => /^\s+BGP\.(\S+?):? /.exec(line)?.[1] ?? []).sort();
}

const zeros = (count: number) => Array<number>(count).fill(0);
const asn = [0, 0, 0xfe, 0x2a];
const known: readonly (readonly [string, Partial<Announcement>])[] = [
  ["ATOMIC_AGGREGATE", { more: [[0x40, 6, []]] }],
  ["AGGREGATOR", { more: [[0xc0, 7, [...asn, 192, 0, 2, 1]]] }],
  [
    "ORIGINATOR_ID and CLUSTER_LIST",
    {
      more: [
        [0x80, 9, [192, 0, 2, 1]],
        [0x80, 10, [192, 0, 2, 1]],
      ],
    },
  ],
  [
    "AS4_PATH and AS4_AGGREGATOR",
    {
      more: [
        [0xc0, 17, [2, 1, ...asn]],
        [0xc0, 18, [...asn, 192, 0, 2, 1]],
      ],
    },
  ],
  ["AIGP", { more: [[0x80, 26, [1, 0, 11, ...zeros(8)]]] }],
  ["OTC", { more: [[0xc0, 35, asn]] }],
  ["LOCAL_PREF", { more: [[0x40, 5, [0, 0, 3, 232]]] }],
  ["MED", { med: 4711 }],
  ["communities of 4 bytes", { communities: [0xffff_029a, 0xfdf4_0001] }],
  ["communities of 8 bytes", { more: [[0xc0, 16, [0, 2, 0xfd, 0xf4, 0, 0, 0, 1]]] }],
  [
    "communities of 12 bytes",
    {
      largeCommunities: [
        [plan.platformAsn, 0, 1],
        [3356, 1, 1],
      ],
    },
  ],
];

test.each(known)("%s is taken off", async (_what, announcement) => {
  lab.rogue.announce(session, { ...route, ...announcement });
  await until("the route", () => lab.birds.upstream.hears(leased));
  expect(await toldUpstream()).toEqual(["as_path", "local_pref", "next_hop", "origin"]);
  lab.rogue.withdraw(session, leased);
  await until("no route", async () => !(await lab.birds.upstream.hears(leased)));
});

test("an origin that says how the route was learned is always the same", async () => {
  lab.rogue.withdraw(session, leased);
  await until("no route", async () => !(await lab.birds.upstream.hears(leased)));
  lab.rogue.announce(session, { ...route, origin: 2 });
  await until("the route", () => lab.birds.upstream.hears(leased));
  expect(await lab.birds.upstream.ask(`show route ${leased} all`)).toContain("\tBGP.origin: IGP");
});

const unknown: readonly (readonly [string, readonly RawAttribute[]])[] = [
  ["type 99", [[0xc0, 99, [1, 2, 3]]]],
  ["type 241, partial", [[0xe0, 241, [1]]]],
  ["type 255 with 1500 bytes", [[0xc0, 255, zeros(1500)]]],
  [
    "several",
    [
      [0xc0, 99, zeros(1500)],
      [0xc0, 241, zeros(1500)],
    ],
  ],
];

/** BIRD 2.0.12 has no way to see them; from 2.14 on its filter takes them off. */
test.each(unknown)(
  "unknown transitive attributes (%s): the user is suspended, and told why",
  async (_what, more) => {
    lab.rogue.announce(session, { ...route, more });
    await until("the refusal", async () => {
      const [mine] = await lab.sessionsSeenFrom(plan.rogueAddress);
      return mine?.refused.some(({ reason }) => reason === "foreignAttribute");
    });
    expect(await lab.birds.upstream.hears(leased)).toBe(false);
    lab.rogue.withdraw(session, leased);
    await until(
      "the suspension's end",
      () => lab.service.generator.applied?.policy.users[0]?.suspendedFor === null,
    );
  },
);

test("an unknown attribute that is not transitive goes no further, and harms nobody", async () => {
  lab.rogue.announce(session, { ...route, more: [[0x80, 99, [1, 2, 3]]] });
  await until("the route", () => lab.birds.upstream.hears(leased));
  expect(await toldUpstream()).toEqual(["as_path", "local_pref", "next_hop", "origin"]);
});
