/** Owners of routers by traces through drawn networks whose truth is known, beside a plain longest match. */
import { expect, test } from "bun:test";
import { TraceContexts } from "../../../lib/measuring/context/trace-contexts.ts";
import type { TracedHops } from "../../../lib/measuring/context/traced-hops.ts";
import { address } from "../../../lib/net/ip/address.ts";
import { setOf } from "./set-of.ts";
import { seeded } from "./tools.ts";

const top = 2;
const middle = 12;
const stubs = 80;
const ases = top + middle + stubs;
/** AS n has 10.n.0.0/16. */
const prefixes = Array.from({ length: ases }, (_, i) => `10.${i + 1}.0.0/16\t${i + 1}\n`).join("");

interface Drawing {
  /** By AS, its only way up; 0 = at the top. */
  readonly providers: readonly number[];
  /** By AS, true where the link to its provider has addresses of the AS itself. */
  readonly isOwnLink: readonly boolean[];
}

function drawn(random: () => number): Drawing {
  const asns = Array.from({ length: ases }, (_, i) => i + 1);
  const upTo = (limit: number) => 1 + Math.floor(random() * limit);
  return {
    providers: [
      0,
      ...asns.map((asn) => (asn <= top ? 0 : asn <= top + middle ? upTo(top) : top + upTo(middle))),
    ],
    isOwnLink: [false, ...asns.map(() => random() < 0.1)],
  };
}

interface Hop {
  readonly address: string;
  /** The AS whose router it is. */
  readonly owner: number;
}

/** From AS to AS: a core router and a border router in each; a border answers with its side of the link it came by. */
function way(from: number, to: number, { providers, isOwnLink }: Drawing): Hop[] {
  const up = chain(from, providers);
  const down = chain(to, providers);
  const meeting = up.find((asn) => down.includes(asn)) ?? 0;
  const asns = [
    ...up.slice(0, up.indexOf(meeting)),
    ...(meeting === 0
      ? [up.at(-1) ?? 0, down.at(-1) ?? 0].filter((asn) => !up.slice(0, -1).includes(asn))
      : [meeting]),
    ...down.slice(0, meeting === 0 ? -1 : down.indexOf(meeting)).toReversed(),
  ].filter((asn, i, all) => asn !== all[i - 1]);
  return asns.flatMap((asn, i) => {
    const before = asns[i - 1];
    const core = { address: `10.${asn}.0.1`, owner: asn };
    return before === undefined ? [core] : [borderHop(before, asn, { providers, isOwnLink }), core];
  });
}

/** The address that the router of `asn` has on its link to `before`. */
function borderHop(before: number, asn: number, { providers, isOwnLink }: Drawing): Hop {
  const isDown = providers[asn] === before;
  const customer = isDown ? asn : before;
  const isOfCustomer = isOwnLink[customer] === true;
  const holder = isOfCustomer === isDown ? asn : before;
  return { address: `10.${holder}.${customer}.${isDown ? 2 : 1}`, owner: asn };
}

function chain(asn: number, providers: readonly number[]): number[] {
  const above: number[] = [];
  for (let at = asn; at !== 0; at = providers[at] ?? 0) {
    above.push(at);
  }
  return above;
}

/** Shares of distinct addresses whose owner is right: by the rules, and by the origin alone. */
async function scores(drawing: Drawing, random: () => number, files: readonly string[], silent: number) {
  const contexts = new TraceContexts(await setOf([prefixes, ...files]));
  const truth = new Map<string, number>();
  const firstStub = top + middle + 1;
  for (const from of [firstStub, firstStub + 1, firstStub + 2]) {
    for (let to = firstStub; to <= ases; to++) {
      const hops = to === from ? [] : way(from, to, drawing);
      const isSilent = random() < silent;
      const seen: (Hop | null)[] = isSilent ? hops.slice(0, -1) : hops;
      const trace: TracedHops = {
        destination: address(`10.${to}.9.9`),
        hops: seen.map((hop) => hop && address(hop.address)),
      };
      contexts.learn(trace);
      for (const hop of seen) {
        if (hop !== null) {
          truth.set(hop.address, hop.owner);
        }
      }
    }
  }
  const all = [...truth].map(([text, owner]) => {
    const hop = contexts.of({ destination: address(text), hops: [address(text)] }).hops[0];
    return { owner: hop?.ownerAsn === owner, origin: hop?.asn === owner };
  });
  const share = (count: number) => count / all.length;
  return {
    addresses: all.length,
    rules: share(all.filter(({ owner }) => owner).length),
    match: share(all.filter(({ origin }) => origin).length),
  };
}

test("the rules know the owners of most routers, where a longest match knows little more than half", async () => {
  const random = seeded(3);
  const drawing = drawn(random);
  const sold = drawing.providers.map((provider, asn) => (provider === 0 ? "" : `${provider}|${asn}|-1\n`));
  const file = `${sold.join("")}1|2|0\n`;
  const answered = await scores(drawing, random, [file], 0);
  const silent = await scores(drawing, random, [file], 0.4);
  const alone = await scores(drawing, random, [], 0);
  expect(answered.addresses).toBeGreaterThan(150);
  expect(answered.match).toBeLessThan(0.6);
  expect(answered.rules).toBeGreaterThan(0.98);
  expect(silent.rules).toBeGreaterThan(0.98);
  expect(alone.rules).toBeGreaterThan(0.9);
});
