/** `vantage trace --svg`: the picture has the figures of the text. */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseGiven } from "../../../lib/command/command/parse.ts";
import { twoBranches } from "../../../tests/golden/trace/scenes.ts";
import { printed, simulateTrace } from "../../../tests/golden/trace/simulated-trace.ts";
import { targetArguments } from "./arguments.ts";
import { traceOptions } from "./option-tables.ts";
import { traceOrder } from "./options.ts";

const { view, text, json } = simulateTrace(twoBranches);

test("takes the place of the text on standard output, and stands beside it as a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-picture-"));
  try {
    const file = join(folder, "path.svg");
    expect(printed(view, "table", file)).toBe(text);
    const svg = readFileSync(file, "utf8");
    expect(printed(view, "table", "-")).toBe(svg);
    expect(svg).toStartWith('<svg xmlns="http://www.w3.org/2000/svg"');
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect(() => printed(view, "table", "/nowhere/p.svg")).toThrow("Cannot write the picture /nowhere/p.svg: ");
});

test("each router of the JSON is in it, with its flows and its median", () => {
  const svg = printed(view, "table", "-");
  const { hops, src_ports: ports } = JSON.parse(json);
  let routers = 0;
  for (const { ttl, routers: own } of hops) {
    for (const { address, flows, probes, answered, rtt_median_ms: median } of own) {
      if (address !== null) {
        routers++;
        expect(svg).toContain(
          `TTL ${ttl}: ${address}, ${flows.length} of ${ports.length} flows, ` +
            `${answered} of ${probes} probes answered, median ${median} ms`,
        );
      }
    }
  }
  expect(routers).toBeGreaterThan(5);
});

test("two outputs do not share standard output", () => {
  const order = (...args: string[]) =>
    traceOrder(parseGiven([...args, "192.0.2.1"], traceOptions, targetArguments));
  expect(() => order("--svg", "-", "-o", "json")).toThrow("--svg - and -o json are both for standard output");
  expect(order("--svg", "p.svg", "-o", "json").svg).toBe("p.svg");
  expect(order("--svg", "-").live).toBe(false);
  expect(() => order("--svg", "-", "--report")).toThrow("--report");
});
