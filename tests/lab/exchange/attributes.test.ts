/**
 * Users tell the world nothing but reachability: whatever attributes a route carries, none reaches the upstream that
 * could carry a message, or break a router there. On each BIRD of the lab.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { birdVersionOf, namesPmsiTunnel, unknownAttributesOf } from "../../../lib/peering/bird/version.ts";
import { labBirds, newerBirds, noNewerBirds } from "../../exchange/birds.ts";
import { sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import type { Announcement, RawAttribute } from "./bgp-message.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import * as plan from "./plan.ts";

const leased = "2001:db8:20ab::/48";
const leases = Array.from({ length: 16 }, (_, n) => `2001:db8:20a${n.toString(16)}::/48`);
const last = leases.at(-1) ?? "";
const user = sampleUser(66, {
  leases: leases.map((prefix) => ({ prefix, end_time: "2035-01-01T00:00:00Z" })),
});
const route: Announcement = { prefix: leased, path: [user.asn], nextHop: plan.rogueAddress };

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

/** Every type but those of the route itself, and the PMSI tunnel: a lease each. */
const eachType = Array.from({ length: 255 }, (_, n) => n + 1).filter(
  (type) => ![1, 2, 3, 14, 15, 22].includes(type),
);
const batches = Array.from({ length: Math.ceil(eachType.length / 15) }, (_, n) =>
  eachType.slice(15 * n, 15 * (n + 1)),
);
const nothingElse = ["as_path", "local_pref", "next_hop", "origin"];

describe.each(labBirds)("BIRD $version", ({ version, program }) => {
  const parsed = birdVersionOf(version) ?? [0, 0, 0];
  const can = unknownAttributesOf(parsed);
  const knowsTunnel = namesPmsiTunnel(parsed);
  let lab: ExchangeLab;
  let session: number;

  beforeAll(async () => {
    const bird = { version, program };
    lab = await ExchangeLab.start({ users: [user], announcementsPerHour: 100_000, suspensionSec: 2, bird });
    session = await lab.rogue.dialUp(user.asn);
  });
  afterAll(async () => {
    await lab?.[Symbol.asyncDispose]();
  });

  /** Names of the attributes that the upstream has received. */
  async function toldUpstream(prefix = leased): Promise<string[]> {
    const lines = await lab.birds.upstream.ask(`show route ${prefix} all`);
    return lines.flatMap((line) => /^\s+BGP\.(\S+?):? /.exec(line)?.[1] ?? []).sort();
  }

  async function withdrawn(): Promise<void> {
    lab.rogue.withdraw(session, leased);
    await until("no route", async () => !(await lab.birds.upstream.hears(leased)));
  }

  async function refusedFor(): Promise<string | undefined> {
    const [mine] = await lab.sessionsSeenFrom(plan.rogueAddress);
    return mine?.refused.find(({ prefix }) => prefix === leased)?.reason;
  }

  test.each(known)("%s is taken off", async (_what, announcement) => {
    lab.rogue.announce(session, { ...route, ...announcement });
    await until("the route", () => lab.birds.upstream.hears(leased));
    expect(await toldUpstream()).toEqual(nothingElse);
    await withdrawn();
  });

  test("an origin that says how the route was learned is always the same", async () => {
    await withdrawn();
    lab.rogue.announce(session, { ...route, origin: 2 });
    await until("the route", () => lab.birds.upstream.hears(leased));
    expect(await lab.birds.upstream.ask(`show route ${leased} all`)).toContain("\tBGP.origin: IGP");
    await withdrawn();
  });

  test.each(can === "pass" ? unknown : [])(
    "unknown transitive attributes (%s): the user is suspended, and told why",
    async (_what, more) => {
      lab.rogue.announce(session, { ...route, more });
      await until("the refusal", async () => (await refusedFor()) === "foreignAttribute");
      expect(await lab.birds.upstream.hears(leased)).toBe(false);
      lab.rogue.withdraw(session, leased);
      await until(
        "the suspension's end",
        () => lab.service.generator.applied?.policy.users[0]?.suspendedFor === null,
      );
    },
  );

  test.each(can === "clear" ? unknown : [])(
    "unknown transitive attributes (%s) are taken off",
    async (_what, more) => {
      lab.rogue.announce(session, { ...route, more });
      await until("the route", () => lab.birds.upstream.hears(leased));
      expect(await toldUpstream()).toEqual(nothingElse);
      await withdrawn();
    },
  );

  test.each(can === "refuse" ? unknown : [])(
    "a route with unknown transitive attributes (%s) is refused, and its sender told why",
    async (_what, more) => {
      lab.rogue.announce(session, { ...route, more });
      await until("the refusal", async () => (await refusedFor()) === "unknownAttribute");
      expect(await lab.birds.upstream.hears(leased)).toBe(false);
      lab.rogue.withdraw(session, leased);
    },
  );

  test.each(can === "pass" ? [] : [batches])(
    "no type of attribute reaches the upstream, whatever it may mean",
    async () => {
      const told = new Map<number, string[]>();
      for (const types of batches) {
        lab.rogue.announce(
          session,
          ...types.map(
            (type, n): Announcement => ({
              ...route,
              prefix: leases[n] ?? "",
              more: [[0xc0, type, [1, 2, 3, 4]]],
            }),
          ),
          { ...route, prefix: last },
        );
        await until("the last one at the exchange", () => lab.birds.exchange.hears(last));
        for (const [n, type] of types.entries()) {
          const prefix = leases[n] ?? "";
          if (await lab.birds.exchange.hears(prefix)) {
            await until(`type ${type} of the exchange`, () => lab.birds.upstream.hears(prefix));
            told.set(type, await toldUpstream(prefix));
          }
        }
        lab.rogue.withdraw(session, ...leases);
        await until("no route", async () => !(await lab.birds.upstream.hears(last)));
      }
      const more = [...told].filter(([, names]) => !Bun.deepEquals(names, nothingElse));
      expect(more).toEqual([]);
      expect(told.size).toBeGreaterThan(can === "clear" ? 200 : 0);
    },
  );

  test(`a PMSI tunnel is ${knowsTunnel ? "taken off" : "not passed on for long"}`, async () => {
    lab.rogue.announce(session, { ...route, more: [[0xc0, 22, [0, 6, 0, 0, 0, 192, 0, 2, 1]]] });
    if (knowsTunnel) {
      await until("the route", () => lab.birds.upstream.hears(leased));
      expect(await toldUpstream()).toEqual(nothingElse);
    } else {
      await until("the refusal", async () => (await refusedFor()) === "foreignAttribute");
    }
    lab.rogue.withdraw(session, leased);
    const { generator } = lab.service;
    await until("no suspension", () => generator.applied?.policy.users[0]?.suspendedFor === null);
  });

  test.each(can === "refuse" ? [] : [0x80])(
    "an unknown attribute that is not transitive goes no further, and harms nobody",
    async () => {
      lab.rogue.announce(session, { ...route, more: [[0x80, 99, [1, 2, 3]]] });
      await until("the route", () => lab.birds.upstream.hears(leased));
      expect(await toldUpstream()).toEqual(nothingElse);
    },
  );
});

if (newerBirds.length === 0) {
  test.skip(noNewerBirds, () => undefined);
}
