/** What the whole files of tests/golden/trace do not show: colours, names, and traces that are not complete. */
import { describe, expect, test } from "bun:test";
import type { AddressNotes } from "../../../lib/answers/enrich/address-context.ts";
import { nothingKnown } from "../../../lib/answers/enrich/context-fields.ts";
import { paletteFor } from "../../../lib/base/terminal/colour.ts";
import { Path } from "../../../lib/measuring/paths/path.ts";
import { address } from "../../../lib/net/ip/address.ts";
import { twoBranches } from "../../../tests/golden/trace/scenes.ts";
import { printed, simulateTrace } from "../../../tests/golden/trace/simulated-trace.ts";
import { renderText, type TraceView } from "./render-text.ts";

const { view, text, json } = simulateTrace(twoBranches);
const plain = paletteFor(false, undefined);

function linesOf(changes: Partial<TraceView>): string[] {
  return renderText({ ...view, ...changes }, plain).split("\n");
}

describe("colour", () => {
  test("is on a terminal only, and only adds to the text", () => {
    const coloured = renderText(view, paletteFor(true, undefined));
    expect(coloured).not.toBe(text);
    expect(Bun.stripANSI(coloured)).toBe(text);
  });

  test("is off where NO_COLOR says something", () => {
    expect(renderText(view, paletteFor(true, "1"))).toBe(text);
    expect(renderText(view, paletteFor(true, ""))).not.toBe(text);
  });
});

describe("names", () => {
  const names: Readonly<Record<string, string>> = {
    "192.0.2.2": "gateway.example",
    "203.0.113.10": "target.example",
  };
  const of = (found: string) => ({ ...nothingKnown, name: names[found] ?? null });
  const notes: AddressNotes = { fields: ["name"], of, date: null, asPaths: [] };

  test("stand before their addresses, in a column wide enough for them", () => {
    const lines = linesOf({ notes });
    expect(lines[2]).toStartWith("  1  ●    gateway.example (192.0.2.2) ");
    expect(lines.at(-3)).toStartWith("  8  ◉    target.example (203.0.113.10) ");
    expect(lines[3]?.indexOf(" 0 %")).toBe(lines[2]?.indexOf(" 0 %") ?? Number.NaN);
  });

  test("are null in JSON where they are not known", () => {
    const { hops } = JSON.parse(printed({ ...view, notes }, "ndjson"));
    expect(hops[0].routers[0].name).toBe("gateway.example");
    expect(hops[1].routers[0].name).toBeNull();
    expect(hops[5].routers[0]).toMatchObject({ address: null, name: null });
  });
});

describe("a trace that is not complete", () => {
  test("says that it goes on, and no verdict", () => {
    expect(linesOf({ state: "tracing" }).slice(-2)).toEqual(["  tracing …", ""]);
  });

  test("has a hop of which nothing is known yet, and nothing to say of it", () => {
    const path = new Path(view.target.address, 8);
    path.markSent(0, 1, { atMs: 0, source: null });
    path.markSent(0, 2, { atMs: 0, source: null });
    path.record(0, 2, {
      from: address("198.51.100.1"),
      rttMs: 2,
      labels: [],
      kind: { kind: "ttl_exceeded" },
    });
    expect(linesOf({ path, state: "tracing" })[2]).toBe("  1  ○  …");
  });

  test("says that it was interrupted, and what it has done", () => {
    const [last] = linesOf({ state: "interrupted", elapsedMs: 900 }).slice(-2);
    expect(last).toMatch(/^ {2}Interrupted: \d+ probes sent, \d+ answered, 24 without answer; 0\.9 s$/);
  });

  test("is not complete in JSON", () => {
    expect(JSON.parse(json).complete).toBe(true);
    expect(JSON.parse(printed({ ...view, state: "interrupted" }, "ndjson")).complete).toBe(false);
  });
});

test("JSON is one line", () => {
  expect(json).not.toContain("\n");
});

test("a target that was named by the user is called so, with its address", () => {
  const target = { ...view.target, name: "target.example" };
  expect(linesOf({ target })[0]).toStartWith("target.example (203.0.113.10): UDP to port 33434, ");
  expect(JSON.parse(printed({ ...view, target }, "ndjson"))).toMatchObject({
    target: "target.example",
    address: "203.0.113.10",
  });
});
