import { afterAll, beforeAll, expect, test } from "bun:test";
import { SampleSets } from "../../../tests/enrich/sample-sets.ts";
import { atOnce } from "../../base/list/steps.ts";
import { ContextSets } from "../../measuring/context/disk/context-sets.ts";
import { address } from "../../net/ip/address.ts";
import { AddressContext } from "./address-context.ts";
import { contextJson, contextTexts } from "./context-fields.ts";
import { asPathLines, type Ways } from "./path-context.ts";

const day = "2026-11-20";
const samples = new SampleSets();
let addressContext: AddressContext;

beforeAll(async () => {
  await samples.put(day, 64501);
  const sets = new ContextSets(samples.path);
  sets.refresh();
  addressContext = new AddressContext({ fields: ["path"], sets, names: null });
});
afterAll(() => samples[Symbol.dispose]());

/** Each hop: who answered the first flow, and the second. */
function ways(...hops: readonly (readonly [string | null, string | null])[]): () => Ways {
  const nodeOf = (text: string | null, flow: number) => ({
    address: text === null ? null : address(text),
    flows: [flow],
  });
  return () => ({
    destination: address("203.0.113.9"),
    flows: 2,
    hops: hops.map((hop) => ({ nodes: hop.map(nodeOf) })),
  });
}

test("each way has its AS path beside BGP's, with the difference; equal ways are one", () => {
  const direct = ["203.0.113.9", "203.0.113.9"] as const;
  const path = atOnce(
    addressContext.pathOn(day, ways(["198.51.100.1", "198.51.100.1"], [null, "198.51.100.4"], direct)),
  );
  expect(path?.asPaths).toEqual([
    {
      flows: [0],
      traced: "64501 ? 64510",
      bgp: [64501, 64510],
      difference: "equal",
      extra_asns: [],
      missing_asns: [],
    },
    {
      ...{ flows: [1], traced: "64501 [AMS-IX] 64500 64510", bgp: [64501, 64510], difference: "extra" },
      ...{ extra_asns: [64500], missing_asns: [] },
    },
  ]);
  expect(asPathLines(path?.asPaths ?? [], 2)[1]).toBe(
    "AS path of 1/2 flows: 64501 [AMS-IX] 64500 64510; in BGP 64501 64510: extra",
  );
  const same = atOnce(
    addressContext.pathOn(
      day,
      ways(["198.51.100.1", "198.51.100.1"], ["198.51.100.2", "198.51.100.2"], direct),
    ),
  );
  expect(asPathLines(same?.asPaths ?? [], 2)).toEqual(["AS path: 64501 64510; in BGP 64501 64510: equal"]);
});

test("a router has an owner by what is seen behind it, beside the origin of its address", () => {
  const path = atOnce(
    addressContext.pathOn(day, ways(["198.51.100.1", null], ["198.51.100.2", null], ["203.0.113.1", null])),
  );
  const owners = ["198.51.100.1", "198.51.100.2", "203.0.113.1", "192.0.2.1"].map((one) =>
    path?.ownerOf(one),
  );
  // Behind the last address of 64501 there is only 64510, to which all ways go.
  expect(owners).toEqual([64501, 64510, 64510, null]);
});

test("nothing is said of paths where that is not asked for", () => {
  const sets = new ContextSets(samples.path);
  sets.refresh();
  const other = new AddressContext({ fields: ["asn"], sets, names: null });
  expect(atOnce(other.pathOn(day, ways(["198.51.100.1", null])))).toBeNull();
});

test("where a way crosses an exchange is said with the exchange; of ways that differ, the surest counts", () => {
  const sets = new ContextSets(samples.path);
  sets.refresh();
  const exchanges = new AddressContext({ fields: ["ixp"], sets, names: null });
  const knownOn = (of: () => Ways) => contextJson(exchanges.onPath(day, of).of("198.51.100.4"), ["ixp"]);
  const strong = knownOn(
    ways(["198.51.100.1", null], ["198.51.100.4", "198.51.100.4"], ["203.0.113.9", null]),
  );
  expect(strong).toMatchObject({
    ...{ ixp: { id: 26 }, ixp_crossing: { level: "medium", from_asn: 64501, to_asn: 64500 } },
  });
  expect(knownOn(ways([null, null], ["198.51.100.4", null]))).toMatchObject({
    ixp_crossing: { level: "weak", from_asn: null, to_asn: 64500 },
  });
  const [cell] = contextTexts.filter(({ field }) => field === "ixp").map(({ text }) => text(strong));
  expect(cell).toBe("AMS-IX, medium");
  // An address by itself does not have it.
  expect(contextJson(exchanges.of("198.51.100.4", day), ["ixp"])).not.toHaveProperty("ixp_crossing");
});
