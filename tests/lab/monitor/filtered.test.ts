/** What BIRD 2.0.12, which has no BMP, has filtered: the collector asks it, and shows it with its reason. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { filterRefusals, refusalWords } from "../../../lib/peering/policy/refusal.ts";
import { until } from "../../exchange/until.ts";
import { MonitorLab, mrtRouter } from "./monitor-lab.ts";
import { links } from "./monitor-net.ts";
import { told } from "./told.ts";

const limitMs = 120_000;

let lab: MonitorLab;
beforeAll(async () => {
  lab = await MonitorLab.start();
});
afterAll(() => lab[Symbol.asyncDispose]());

interface Rejected {
  readonly router: string;
  readonly peer: string;
  readonly prefix: string;
  readonly verdict: string;
  readonly reason: string | null;
}

const rejected = async () =>
  JSON.parse(await lab.routes("rejected", "--router", mrtRouter, "-o", "json")) as Rejected[];
const shown = async () => (await rejected()).map(({ prefix, reason }) => `${prefix} ${reason}`).sort();

test(
  "each route that BIRD has filtered is there with its mark's reason, as long as BIRD refuses it and answers",
  async () => {
    const [four = "", six = "", other = ""] = told.map(({ prefix }) => prefix);
    const words = refusalWords.rpkiInvalid;
    await lab.startCollector();
    await lab.refuse(
      new Map([
        [four, null],
        [six, filterRefusals.rpkiInvalid],
      ]),
    );
    await lab.tell(() => true);
    await until("BIRD's file", async () => (await lab.pathsOf(mrtRouter)) === told.length, limitMs);
    const all = [`${four} null`, `${six} ${words}`].sort();
    await until("both", async () => (await shown()).length === all.length, limitMs);
    expect(await shown()).toEqual(all);
    expect((await rejected()).map(({ peer, verdict }) => [peer, verdict])).toEqual([
      [links.collector.near, "rejected"],
      [links.collector.near, "rejected"],
    ]);
    expect((await lab.birdPrefixes()).sort()).toEqual(
      told.flatMap(({ prefix }) => (prefix === four || prefix === six ? [] : [prefix])).sort(),
    );
    const paths = JSON.parse(await lab.lookup(other)) as Rejected[];
    // What BIRD drops before its filter it does not list: nobody says of this path that it was taken.
    expect(paths.find(({ router }) => router === mrtRouter)?.verdict).toBe("unknown");

    await lab.refuse(new Map([[other, filterRefusals.nextHop]]));
    await until("the other", async () => (await shown()).join().startsWith(other), limitMs);
    expect(await shown()).toEqual([`${other} ${refusalWords.nextHop}`]);

    await lab.endBird();
    await until("nothing", async () => (await shown()).length === 0, limitMs);
    expect(lab.collectorLog()).toContain("Cannot see what a router refuses");
  },
  3 * limitMs,
);
