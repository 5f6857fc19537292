import { expect, test } from "bun:test";
import { noAttributes, type PathAttributes } from "../bgp/path-attributes.ts";
import { address } from "../ip/address.ts";
import { AttributePool } from "./attribute-pool.ts";

/** Numbers from 0 to 2^31 - 1, the same each time (MINSTD). */
function draws(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 0x7fffffff;
    return state % below;
  };
}

const everything: PathAttributes = {
  ...{ origin: "INCOMPLETE", nextHop: address("2001:db8::1"), med: 0, localPreference: 4_294_967_295 },
  asPath: [4_294_967_295, 64_500, [64_501, 64_502], [], [64_503], 64_504],
  ...{ isAtomicAggregate: true, aggregator: { asn: 64_505, address: address("192.0.2.1") } },
  communities: [
    [65_535, 65_281],
    [0, 1],
  ],
  extendedCommunities: ["0002fbf400000007", "ffffffffffffffff"],
  largeCommunities: [[4_200_000_000, 1, 2]],
  ...{ originatorId: address("10.0.0.2"), onlyToCustomer: 64_506 },
  clusterList: [address("10.0.0.3"), address("10.0.0.4")],
};

test("attributes come back as they were, each kind of them", () => {
  const pool = new AttributePool();
  const kinds = Object.keys(everything).map((key) => ({
    ...noAttributes(),
    [key]: everything[key as keyof PathAttributes],
  }));
  const all = [noAttributes(), everything, ...kinds];
  const ids = all.map((one) => pool.hold(one));
  expect(pool.size).toBe(all.length);
  expect(ids.map((id) => pool.at(id))).toEqual(all);
});

test("a path with a set is another one than without", () => {
  const pool = new AttributePool();
  const paths: PathAttributes["asPath"][] = [[1, 2, 3], [1, [2, 3]], [[1, 2, 3]], [1, [2], 3], [1, 2], []];
  for (const asPath of paths) {
    pool.hold({ ...noAttributes(), asPath });
  }
  expect(pool.size).toBe(paths.length);
});

test("holds what a map of texts holds, whatever came and went", () => {
  const draw = draws(7);
  const pool = new AttributePool();
  const held = new Map<string, { readonly id: number; readonly attributes: PathAttributes; uses: number }>();
  for (let turn = 0; turn < 20_000; turn++) {
    const asPath = Array.from({ length: draw(12) }, () => draw(4));
    const attributes = { ...noAttributes(), asPath, med: draw(3) };
    const key = JSON.stringify([asPath, attributes.med]);
    const known = held.get(key);
    if (turn % 3 > 0) {
      const id = pool.hold(attributes);
      expect(id).toBe(known?.id ?? id);
      held.set(key, { id, attributes, uses: (known?.uses ?? 0) + 1 });
    } else {
      const gone = [...held.keys()][draw(Math.max(1, held.size))];
      const one = gone === undefined ? undefined : held.get(gone);
      if (gone !== undefined && one !== undefined) {
        pool.release(one.id);
        one.uses--;
        if (one.uses === 0) {
          held.delete(gone);
        }
      }
    }
  }
  expect(pool.size).toBe(held.size);
  expect(held.size).toBeGreaterThan(1024);
  for (const { id, attributes } of held.values()) {
    expect(pool.at(id)).toEqual(attributes);
  }
});
