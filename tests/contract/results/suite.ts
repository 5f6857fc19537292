/** The contract of ResultSource: what each engine gives for the same question. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as v from "valibot";
import type { ResultSource, TextForm } from "../../../lib/answers/results/result-source.ts";
import type { ViewQuery } from "../../../lib/answers/results/view.ts";
import { type ViewName, viewNames, viewOf } from "../../../lib/answers/results/views.ts";
import { SampleSets } from "../../enrich/sample-sets.ts";
import { inTier } from "../../run/tier.ts";
import { checkCampaign, type ShownCampaign } from "./campaign-test.ts";
import { asFarAs, comparable } from "./close-to.ts";
import { checkContext } from "./context-test.ts";
import { checkMtu } from "./mtu-test.ts";
import { checkNat, pathBehindNat } from "./nat-test.ts";
import { oneStoreContract } from "./one-store.ts";
import { rowsOfMeasurement } from "./oracle.ts";
import { oracles } from "./oracles.ts";
import { checkSamples } from "./path-checks.ts";
import { expectedPaths } from "./path-oracle.ts";
import { randomRows } from "./random-rows.ts";
import { manyReplies, type RawRows } from "./raw-rows.ts";

interface RunningSource extends AsyncDisposable {
  readonly source: ResultSource;
  /** A measurement that may be asked for. */
  readonly measurement: string;
  readonly fill: (rows: RawRows) => Promise<void>;
  readonly campaign: ShownCampaign;
}

const limitMs = 600_000;

interface Extent {
  /** Random stores that the engine is compared on. */
  readonly runs?: number;
  /** The views that are compared there. */
  readonly views?: readonly ViewName[];
  /** False leaves out limits and filters, which depend on our code more than on the engine. */
  readonly isWhole?: boolean;
  /** False leaves out views in each form. */
  readonly hasForms?: boolean;
  /** False leaves out more rows than a page has. */
  readonly hasPages?: boolean;
}

export function resultsContract(
  name: string,
  start: (setsPath: string) => Promise<RunningSource>,
  {
    runs = inTier({ usual: 1, long: 5 }),
    views = viewNames,
    isWhole = true,
    hasForms = isWhole,
    hasPages = isWhole,
  }: Extent = {},
): void {
  describe(`results from ${name}`, () => {
    const sets = new SampleSets();
    let running: RunningSource;
    beforeAll(async () => {
      running = await start(sets.path);
    }, limitMs);
    afterAll(async () => {
      sets[Symbol.dispose]();
      await running?.[Symbol.asyncDispose]();
    }, limitMs);

    const query = (more: Partial<ViewQuery> = {}): ViewQuery => ({
      limit: null,
      ...more,
      filter: { measurementId: running.measurement, ...more.filter },
    });
    const rowsOf = async (view: ViewName, more: Partial<ViewQuery> = {}) => {
      const texts = await Array.fromAsync(await textsOf(view, "ndjson", more));
      const lines = Buffer.concat(texts).toString().split("\n").slice(0, -1);
      const rows: unknown[] = lines.map((line) => JSON.parse(line));
      expect(rows.filter((row) => !v.is(viewOf(view).schema, row))).toEqual([]);
      return rows;
    };
    const textsOf = async (view: ViewName, form: TextForm, more: Partial<ViewQuery> = {}) =>
      (await running.source.ask(viewOf(view), query(more), form)).texts;

    test(
      "of any store every view shows what an oracle in plain TypeScript computes",
      () =>
        fc.assert(
          fc.asyncProperty(randomRows(running.measurement), async (rows) => {
            await running.fill(rows);
            const own = rowsOfMeasurement(rows, running.measurement);
            for (const view of views) {
              const expected = oracles[view](own);
              expect(comparable(asFarAs(comparable(await rowsOf(view)), comparable(expected)))).toEqual(
                comparable(expected),
              );
            }
            checkSamples(await rowsOf("paths"), expectedPaths(own));
          }),
          { numRuns: runs, endOnFailure: true },
        ),
      limitMs,
    );

    test("each row has what was known of its address on its day", () => checkContext(running, sets), limitMs);

    test(
      "how much paths carry is what a search by the same probes finds",
      () =>
        checkMtu(running.measurement, async (rows) => {
          await running.fill(rows);
          return await rowsOf("mtu");
        }),
      limitMs,
    );

    test(
      "what quotes show of NATs and marks is in paths: as rows, text, CSV and picture",
      async () => {
        await running.fill(pathBehindNat(running.measurement));
        checkNat(await rowsOf("paths"), {
          text: Buffer.concat(await Array.fromAsync(await textsOf("paths", "brief"))).toString(),
          csv: Buffer.concat(await Array.fromAsync(await textsOf("paths", "csv"))).toString(),
        });
      },
      limitMs,
    );

    test(
      "a campaign is shown run by run, and what changed between two",
      () => checkCampaign(running, views.includes("links")),
      limitMs,
    );

    if (isWhole) {
      oneStoreContract({ running: () => running, rowsOf, textsOf }, hasForms, limitMs);
    }

    test(
      "halves of a hundredth of a percent are rounded upwards",
      async () => {
        const { replies } = manyReplies(running.measurement, 32);
        const asked = {
          measurement: running.measurement,
          agent: "west",
          source: "192.0.2.1",
          timeMs: Date.now() - 3_700_000,
        };
        const probes = replies.map(({ destination, protocol, dstPort, ttl }, index) => ({
          ...{ ...asked, index, destination, protocol, dstPort, ttl },
          srcPort: 24_000 + index,
        }));
        const heard = (i: number) => ({ agent: i < 3 ? "west" : "east", srcPort: 24_000 + i });
        const all = replies.map((reply, i) => ({ ...reply, ...heard(i) }));
        await running.fill({ probes, replies: all.slice(0, 3) });
        expect(await rowsOf("loss")).toMatchObject([{ submitted: 32, lost: 29, loss_percent: 90.63 }]);
        await running.fill({ probes, replies: all });
        expect(await rowsOf("catchment")).toMatchObject([{ share_percent: 90.63 }, { share_percent: 9.38 }]);
      },
      limitMs,
    );

    if (hasPages) {
      testPages({ running: () => running, rowsOf, query });
    }
  });
}

interface Asking {
  readonly running: () => RunningSource;
  readonly rowsOf: (view: ViewName, more?: Partial<ViewQuery>) => Promise<unknown[]>;
  readonly query: (more?: Partial<ViewQuery>) => ViewQuery;
}

function testPages({ running, rowsOf, query }: Asking): void {
  test(
    "more than a page comes whole, in order, each once; who ends early holds nothing up",
    async () => {
      const many = manyReplies(running().measurement, 20_000);
      await running().fill(many);
      for (let i = 0; i < 5; i++) {
        for await (const _ of (await running().source.ask(viewOf("replies"), query(), "ndjson")).texts) {
          break;
        }
      }
      const times = (await rowsOf("replies")).map((row) => (row as { time_received: string }).time_received);
      expect(new Set(times).size).toBe(20_000);
      expect(times).toEqual(times.toSorted());
      expect(await rowsOf("replies", { limit: 12_345 })).toHaveLength(12_345);
    },
    limitMs,
  );

  test(
    "readers that pause hold nothing up, and get each row once, in order, those of one time too",
    async () => {
      const count = 60_000;
      await running().fill(manyReplies(running().measurement, count, 20_011));
      const [answered, pausing] = [Promise.withResolvers<void>(), new Set<Promise<void>>()];
      const read = async (limit: number | null) => {
        const pieces: Uint8Array[] = [];
        const paused = Promise.withResolvers<void>();
        pausing.add(paused.promise);
        for await (const piece of (await running().source.ask(viewOf("replies"), query({ limit }), "ndjson"))
          .texts) {
          pieces.push(piece);
          if (pieces.length === 3) {
            paused.resolve();
            await answered.promise;
          }
        }
        return Buffer.concat(pieces).toString().trimEnd().split("\n");
      };
      // More of them than a store has threads that answer.
      const read5 = Promise.all([null, null, null, null, 50_000].map(read));
      await Promise.all(pausing);
      expect(await rowsOf("replies", { limit: 5 })).toHaveLength(5);
      answered.resolve();
      for (const [i, lines] of (await read5).entries()) {
        expect(lines).toHaveLength(i === 4 ? 50_000 : count);
        expect(new Set(lines).size).toBe(lines.length);
        const times = lines.map((line) => line.slice(0, 50));
        expect(times).toEqual(times.toSorted());
      }
    },
    limitMs,
  );
}
