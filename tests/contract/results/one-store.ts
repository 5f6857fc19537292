/** Each view of one random store, by limits, filters and in each form; its rows are read once, as that costs most. */
import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { drawnPages } from "../../../lib/answers/results/drawn-pages.ts";
import type { TextForm } from "../../../lib/answers/results/result-source.ts";
import type { ViewQuery } from "../../../lib/answers/results/view.ts";
import { type ViewName, viewNames, viewOf } from "../../../lib/answers/results/views.ts";
import { paletteFor } from "../../../lib/base/terminal/colour.ts";
import { programForms } from "../../../lib/measuring/formats/forms.ts";
import { parsePrefix } from "../../../lib/net/ip/prefix.ts";
import { inTier } from "../../run/tier.ts";
import { comparable } from "./close-to.ts";
import { drawnCells, expectedCells } from "./drawing.ts";
import { rowsOfMeasurement } from "./oracle.ts";
import { csvLinesOf } from "./path-checks.ts";
import { randomRows } from "./random-rows.ts";
import type { RawRows } from "./raw-rows.ts";

interface Filled {
  readonly measurement: string;
  readonly fill: (rows: RawRows) => Promise<void>;
}

interface Asking {
  readonly running: () => Filled;
  readonly rowsOf: (view: ViewName, more?: Partial<ViewQuery>) => Promise<unknown[]>;
  readonly textsOf: (view: ViewName, form: TextForm) => Promise<AsyncIterable<Uint8Array>>;
}

/** Rows with lists, a table of cells, rows alone: what limits and forms have to tell apart. */
const views = inTier<readonly ViewName[]>({ usual: ["replies", "heatmap", "catchment"], long: viewNames });

/** `hasForms`: with each view in each form. */
export function oneStoreContract(asking: Asking, hasForms: boolean, limitMs: number): void {
  describe("of one store", () => {
    const rows = new Map<ViewName, readonly unknown[]>();
    let stored: RawRows;
    beforeAll(async () => {
      const { measurement, fill } = asking.running();
      const [sample = { probes: [], replies: [] }] = fc.sample(randomRows(measurement), {
        numRuns: 1,
        seed: 7,
      });
      stored = sample;
      await fill(stored);
      for (const view of views) {
        rows.set(view, await asking.rowsOf(view));
      }
    }, limitMs);

    test(
      "a limit gives the first ones, and filters choose by agent and destination",
      () => checkFilters(asking, stored, rows),
      limitMs,
    );
    if (hasForms) {
      testForms(asking, (view) => rows.get(view) ?? [], limitMs);
    }
  });
}

async function checkFilters(
  { running, rowsOf }: Asking,
  stored: RawRows,
  rows: ReadonlyMap<ViewName, readonly unknown[]>,
): Promise<void> {
  for (const [view, all] of rows) {
    expect(await rowsOf(view, { limit: 2 })).toEqual(all.slice(0, 2));
  }
  const own = rowsOfMeasurement(stored, running().measurement);
  const destination = parsePrefix("203.0.113.0/24") ?? undefined;
  const there = own.replies.filter((reply) => reply.destination.startsWith("203.0.113."));
  expect(await rowsOf("replies", { filter: destination === undefined ? {} : { destination } })).toHaveLength(
    there.length,
  );
  const west = own.replies.filter(({ agent, sender }) => agent === "west" || sender === "west");
  expect(await rowsOf("replies", { filter: { agent: "west" } })).toHaveLength(west.length);
}

function testForms(
  { running, textsOf }: Asking,
  rowsOf: (view: ViewName) => readonly unknown[],
  limitMs: number,
): void {
  const bytesOf = async (view: ViewName, form: TextForm) =>
    Buffer.concat(await Array.fromAsync(await textsOf(view, form)));
  const textOf = async (view: ViewName, form: TextForm) => (await bytesOf(view, form)).toString();

  test(
    "JSON is one array of the same rows, CSV has a head and a line for each",
    async () => {
      for (const view of views) {
        const rows = rowsOf(view);
        // Samples are drawn again for each question.
        const array: unknown = JSON.parse(await textOf(view, "json"));
        expect(comparable(array)).toEqual(comparable(rows));
        const [head, ...lines] = (await textOf(view, "csv")).trimEnd().split("\n");
        expect(head).toBe(viewOf(view).csvNames.join());
        expect(lines).toHaveLength(csvLinesOf(view, rows));
      }
    },
    limitMs,
  );

  test(
    "what is drawn has the values of the rows in JSON, in their order",
    async () => {
      for (const view of views) {
        const rows = rowsOf(view);
        const texts = await textsOf(view, "brief");
        const how = { palette: paletteFor(false, ""), fields: [] };
        const pages = await Array.fromAsync(drawnPages(viewOf(view), texts, how));
        expect(pages.reduce((sum, page) => sum + page.rows, 0)).toBe(rows.length);
        const text = Buffer.concat(pages.map(({ bytes }) => bytes)).toString();
        expect(drawnCells(view, text)).toEqual(expectedCells(view, rows));
      }
    },
    limitMs,
  );

  test(
    "in other programs' formats are the rows that JSON has",
    async () => {
      for (const view of views) {
        const rows = rowsOf(view) as readonly object[];
        for (const form of programForms) {
          const writer = viewOf(view).writers?.[form]?.();
          if (writer !== undefined) {
            const expected = Buffer.concat([...rows.map((row) => writer.row(row)), writer.end()]);
            expect((await bytesOf(view, form)).toHex()).toBe(expected.toHex());
          }
        }
      }
    },
    limitMs,
  );

  test(
    "of a measurement without rows each form is empty, and whole",
    async () => {
      await running().fill({ probes: [], replies: [] });
      for (const view of views) {
        expect(await textOf(view, "ndjson")).toBe("");
        expect(await textOf(view, "brief")).toBe("");
        expect(await textOf(view, "json")).toBe("[]\n");
        expect(await textOf(view, "csv")).toBe(`${viewOf(view).csvNames.join()}\n`);
      }
    },
    limitMs,
  );
}
