/**
 * What is said of hops beside what is there: an Internet of 18 networks on real BIRD and FRR, where the truth is known.
 *
 * The network and the daemons' decisions are the same in each run, so the counts are exact. What each error is:
 * docs/measure/context.md.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ContextSet } from "../../../lib/measuring/context/context-set.ts";
import { ContextFolder } from "../../../lib/measuring/context/disk/context-folder.ts";
import { address } from "../../../lib/net/ip/address.ts";
import { setOf } from "../../contract/context/set-of.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { run } from "../namespaces.ts";
import { BgpLab } from "./bgp-lab.ts";
import { peeringdb, relationships } from "./data-files.ts";
import { probers } from "./drawing.ts";
import { expectedAsPath } from "./expected-routes.ts";
import { found, networkOf } from "./plan.ts";
import {
  classesOf,
  crossingsOf,
  learnt,
  ownersOf,
  type Score,
  scoreOf,
  truthOf,
  verdictsOf,
} from "./scores.ts";
import { type Trace, traceAll } from "./traced.ts";

let lab: BgpLab;
let traces: readonly Trace[];
/** From the dumps alone; with PeeringDB; and with AS relationships too. */
let bare: ContextSet;
let withExchanges: ContextSet;
let withAll: ContextSet;

beforeAll(async () => {
  lab = await BgpLab.start();
  const dumps = await lab.dumps();
  const exchanges = join(lab.folder, "peeringdb.json");
  const sold = join(lab.folder, "as-rel.txt");
  writeFileSync(exchanges, peeringdb());
  writeFileSync(sold, relationships());
  const sets = join(lab.folder, "sets");
  const update = (day: string, ...files: string[]) =>
    run([
      ...vantageCommand,
      "context",
      "update",
      "--keep-private",
      "--dir",
      sets,
      "--date",
      day,
      ...dumps,
      ...files,
    ]);
  await Promise.all([update("2026-11-01", exchanges), update("2026-11-02", exchanges, sold)]);
  const folder = new ContextFolder(sets);
  withExchanges = folder.open("2026-11-01");
  withAll = folder.open("2026-11-02");
  bare = await setOf(dumps.map((file) => new Uint8Array(readFileSync(file))));
  traces = await traceAll(lab.net, sets);
});
afterAll(() => lab?.[Symbol.asyncDispose]());

/** One of equal neighbours stays. */
const collapsed = (asns: readonly number[]) => asns.filter((asn, i) => asn !== asns[i - 1]);

test("packets go the way that the drawing has, and all that answer are known", () => {
  expect(traces).toHaveLength(113);
  for (const { prober, target, hops } of traces) {
    const own = found(networkOf(prober));
    const expected = expectedAsPath(own.name, target);
    const seen = hops.flatMap(({ address: at }) => {
      return at === null || at === target ? [] : found(truthOf.get(at)).asn;
    });
    expect([prober, target, collapsed([own.asn, ...seen, expected.at(-1) ?? 0])]).toEqual([
      prober,
      target,
      expected,
    ]);
  }
});

test("whose router a hop is: most is known, and each error is a known one", () => {
  const origins = (set: ContextSet) => scoreOf(verdictsOf(traces, (at) => set.asnOf(address(at)) || null));
  const scores: Readonly<Record<string, Score>> = {
    "plain longest match": origins(bare),
    "our origin": origins(withAll),
    "our owner, by one trace": scoreOf(verdictsOf(traces, (_, trace, i) => trace.hops[i]?.owner_asn ?? null)),
    "our owner, without relationships": scoreOf(ownersOf(withExchanges, traces)),
    "our owner": scoreOf(ownersOf(withAll, traces)),
  };
  for (const [name, { right, wrong, unknown, errors }] of Object.entries(scores)) {
    console.log(`${name}: ${right} right, ${wrong} wrong, ${unknown} unknown\n    ${errors.join("\n    ")}`);
  }
  const figures = Object.values(scores).map(({ right, wrong, unknown }) => [right, wrong, unknown]);
  expect(figures).toEqual([
    [30, 19, 6],
    [35, 16, 4],
    [41, 12, 2],
    [50, 3, 2],
    [52, 1, 2],
  ]);
  expect(scores["our owner"]?.errors).toEqual([
    "s6 172.16.0.2 ?",
    "s6c 10.99.64.2 64502",
    "x1 198.51.100.18 ?",
  ]);
});

test("traces of one network alone, which meet most links from one side, tell less", () => {
  const sums = (score: (own: readonly Trace[]) => Score) => {
    const scores = probers.map((prober) => score(traces.filter((trace) => trace.prober === prober)));
    const sumOf = (key: "right" | "wrong" | "unknown") => scores.reduce((sum, each) => sum + each[key], 0);
    return [sumOf("right"), sumOf("wrong"), sumOf("unknown")];
  };
  expect(sums((own) => scoreOf(verdictsOf(own, (at) => bare.asnOf(address(at)) || null)))).toEqual([
    55, 66, 25,
  ]);
  expect(sums((own) => scoreOf(ownersOf(withAll, own)))).toEqual([123, 14, 9]);
});

test("each hop on the LAN of an exchange is named, with its member where one is listed, and no other hop", () => {
  const hops = traces.flatMap((trace) => trace.hops.flatMap((hop) => (hop.address === null ? [] : [hop])));
  for (const { address: at, ixp, asn } of hops) {
    const truth = truthOf.get(at ?? "");
    expect([at, ixp?.id ?? null]).toEqual([at, truth?.lan?.id ?? null]);
    const isListed = truth?.lan?.members.some(
      (member) => member.router === truth.router && member.listed === undefined,
    );
    if (truth?.lan != null) {
      expect([at, asn]).toEqual([at, isListed === true ? truth.asn : null]);
    }
  }
  expect(hops.filter(({ ixp }) => ixp !== null)).toHaveLength(61);
});

test("every crossing of an exchange is found, between the right networks, and none is invented", () => {
  const contexts = learnt(withAll, traces);
  const crossings = traces.flatMap((trace) => crossingsOf(contexts, trace));
  expect(crossings.filter(({ isLan, isFrom, isTo }) => !isLan || !isFrom || !isTo)).toEqual([]);
  // The weak ones lead to X1, of which PeeringDB does not know.
  const levels = Map.groupBy(crossings, ({ level }) => level);
  expect(Object.fromEntries([...levels].map(([level, all]) => [level, all.length]))).toEqual({
    ...{ strong: 48, medium: 10, weak: 3 },
  });
  const said = traces.flatMap(({ hops }) => hops.flatMap(({ ixp_crossing: crossing }) => crossing ?? []));
  expect(said).toHaveLength(crossings.length);
});

test("the AS path of a trace differs from BGP's where the true one does", () => {
  const contexts = learnt(withAll, traces);
  const classes = traces.map((trace) => classesOf(contexts, trace));
  const pairs = Map.groupBy(classes, ({ truth, said }) => `${truth}, said to be ${said}`);
  expect(Object.fromEntries([...pairs].map(([pair, all]) => [pair, all.length]))).toEqual({
    "equal, said to be equal": 100,
    "equal, said to be extra": 6,
    "extra, said to be extra": 6,
    "different, said to be equal": 1,
  });
});
