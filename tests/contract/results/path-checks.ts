/** Checks of rows that have lists: how many lines of CSV they are, and samples that are drawn by lot. */
import { expect } from "bun:test";
import type { ViewName } from "../../../lib/answers/results/views.ts";

interface Hops {
  readonly hops: readonly { readonly routers: readonly { readonly rtt_samples_ms: readonly number[] }[] }[];
}

/** Rows of CSV, which is flat. */
export function csvLinesOf(view: ViewName, rows: readonly unknown[]): number {
  if (view === "paths") {
    return routersIn(rows as readonly Hops[]);
  }
  return view === "multipaths" || view === "graph"
    ? (rows as readonly { links: readonly object[] }[]).flatMap(({ links }) => links).length
    : rows.length;
}

function routersIn(paths: readonly Hops[]): number {
  return paths.flatMap(({ hops }) => hops.flatMap(({ routers }) => routers)).length;
}

/** All round-trip times up to 100 of them; of more, 100 that are among them. */
export function checkSamples(actual: readonly unknown[], expected: readonly Hops[]): void {
  const samples = (paths: readonly Hops[]) =>
    paths.flatMap(({ hops }) =>
      hops.flatMap(({ routers }) => routers.map((router) => router.rtt_samples_ms)),
    );
  const all = samples(expected);
  for (const [i, own] of samples(actual as readonly Hops[]).entries()) {
    const known = all[i] ?? [];
    expect(own).toHaveLength(Math.min(100, known.length));
    if (known.length <= 100) {
      expect(own).toEqual([...known]);
    } else {
      const values = new Set(known);
      expect(own.filter((ms) => !values.has(ms))).toEqual([]);
    }
  }
}
