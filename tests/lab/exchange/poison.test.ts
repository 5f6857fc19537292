/** Who may put others' ASNs into a path is held to the rest by the exchange itself, whatever the gateway would say. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import type { Path } from "./bgp-message.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import * as plan from "./plan.ts";

const leased = "2001:db8:20ab::/48";
const user = sampleUser(66, {
  leases: [{ prefix: leased, end_time: "2035-01-01T00:00:00Z" }],
  mayPoison: true,
});
const own = user.asn;
let lab: ExchangeLab;
let session: number;

beforeAll(async () => {
  lab = await ExchangeLab.start({ users: [user], announcementsPerHour: 1000 });
  session = await lab.rogue.dialUp(own);
});
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
});

const announce = (path: Path) =>
  lab.rogue.announce(session, { prefix: leased, path, nextHop: plan.rogueAddress });
const pathOutside = async () => (await lab.birds.upstream.routes(`where net = ${leased}`))[0]?.path ?? null;

test("five ASNs of others between copies of the own reach networks outside in their order", async () => {
  announce([own, 64_499, 64_498, 64_505, 64_506, 64_507, own]);
  const { platformAsn } = plan;
  const expected = `${platformAsn} 64499 64498 64505 64506 64507 ${platformAsn}`;
  await until("the path outside", async () => (await pathOutside()) === expected);
});

test.each<readonly [string, Path, string]>([
  ["a network without upstreams", [own, 3356, own], "poison"],
  ["the exchange's upstream", [own, plan.upstreamAsn, own], "poison"],
  ["another user", [own, plan.two.asn, own], "poison"],
  ["a reserved ASN", [own, 64_512, own], "poison"],
  ["six ASNs", [own, 64_501, 64_502, 64_503, 64_504, 64_505, 64_506, own], "poison"],
  ["another origin", [own, 64_499], "foreignAs"],
  ["a path that is too long", [...Array<number>(10).fill(own), 64_499, own], "pathLength"],
])("refused: %s", async (_what, path, reason) => {
  announce(path);
  await until("the refusal", async () => {
    const [mine] = await lab.sessionsSeenFrom(plan.rogueAddress);
    return (
      mine?.refused.find(({ prefix, as_path }) => prefix === leased && as_path === path.join(" "))?.reason ===
      reason
    );
  });
  expect(await pathOutside()).toBeNull();
});
