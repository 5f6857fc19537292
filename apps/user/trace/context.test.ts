/** What a trace and a ping show of the addresses that they meet. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { AddressContext } from "../../../lib/answers/enrich/address-context.ts";
import type { ContextField } from "../../../lib/answers/enrich/context-fields.ts";
import { paletteFor } from "../../../lib/base/terminal/colour.ts";
import { openAddressContext } from "../../../lib/command/command/context-options.ts";
import { hopsOf } from "../../../lib/measuring/paths/hops.ts";
import { Path } from "../../../lib/measuring/paths/path.ts";
import { address } from "../../../lib/net/ip/address.ts";
import { SampleSets } from "../../../tests/enrich/sample-sets.ts";
import { twoBranches } from "../../../tests/golden/trace/scenes.ts";
import { printed, simulateTrace } from "../../../tests/golden/trace/simulated-trace.ts";
import { PingOutput } from "./ping-output.ts";
import { renderText, type TraceView } from "./render-text.ts";
import { hopColumns } from "./watch/hop-columns.ts";
import { WatchedPath } from "./watch/hop-figures.ts";

const day = "2026-11-20";
const samples = new SampleSets();
const { view } = simulateTrace(twoBranches);
let addressContext: AddressContext;

beforeAll(async () => {
  await samples.put(day, 64501);
  addressContext = addressContextOf(["asn", "ixp"]);
});
afterAll(() => samples[Symbol.dispose]());

function addressContextOf(
  fields: readonly ContextField[] | null,
  folder: string | null = samples.path,
  isDrawn = true,
) {
  return openAddressContext({ fields, folder, servers: [], isNamed: false }, isDrawn);
}

function viewWith(fields: readonly ContextField[]): TraceView {
  return { ...view, notes: addressContextOf(fields).on(day) };
}

test("in text each router has its AS and exchange, at a load balancer too; control characters are shown", () => {
  const lines = renderText({ ...view, notes: addressContext.on(day) }, paletteFor(false, undefined)).split(
    "\n",
  );
  expect(lines[1]).toMatch(/^ {2}hop +router +AS +exchange +loss/);
  const columns = lines.map((line) => line.slice(8).split(/ {2,}/).slice(1, 4).join("|"));
  expect(columns).toContain("198.51.100.4|AS64500 EXAMPLE-NET|AMS-IX");
  expect(columns.find((line) => line.includes("198.51.100.5"))).toEndWith("|?|AMS-IX");
  expect(lines.find((line) => line.includes("192.0.2.2"))).toContain("192.0.2.2     private ");
  expect(lines.find((line) => line.includes("203.0.113.10 "))).toContain("AS64510 \\u001b[31mRED, A/S");
  expect(lines.at(-2)).toBe(`  What is known of routers: set of ${day}`);
});

test("a column that would be empty is left out, and nothing is said without context", () => {
  const lines = renderText(viewWith(["geo", "rpki"]), paletteFor(false, undefined)).split("\n");
  expect(lines[1]).toMatch(/router +place +RPKI +loss/);
  expect(renderText(viewWith([]), paletteFor(false, undefined))).toBe(
    renderText(view, paletteFor(false, undefined)),
  );
});

test("JSON has the members at each router, CSV their columns", () => {
  const { hops } = JSON.parse(printed(viewWith(["asn", "ixp"]), "ndjson"));
  expect(hops[3].routers).toMatchObject([
    { address: "198.51.100.4", asn: 64500, asn_source: "exchange", ixp: { id: 26 }, source: { set: day } },
    { address: "198.51.100.5", asn: null, ixp: { id: 26 } },
  ]);
  expect(hops[5].routers).toMatchObject([{ address: null, asn: null, ixp: null, source: null }]);
  const [head = "", ...rows] = printed(viewWith(["asn"]), "csv").split("\n");
  expect(head).toEndWith(",says,asn,as_name,asn_source,source_set,source_bgp,source_geo");
  expect(rows.find((row) => row.includes(",198.51.100.4,"))).toContain(
    ",64500,EXAMPLE-NET,exchange,2026-11-20,",
  );
});

test("the AS path of a trace stands beside BGP's, and owners beside origins", () => {
  const destination = view.target.address;
  const ways = { destination, flows: view.options.flows, hops: hopsOf(view.path, 1) };
  const notes = addressContextOf(["asn", "path"]).onPath(day, () => ways);
  const lines = renderText({ ...view, notes }, paletteFor(false, undefined)).split("\n");
  // All owners are the origins here: their column would be empty.
  expect(lines[1]).toMatch(/router +AS +loss/);
  const said = lines.filter((line) => line.startsWith("  AS path"));
  expect(said[0]).toMatch(
    /^ {2}AS path of \d\/8 flows: 64501 \[AMS-IX\] .*64510; in BGP 64501 64510: [a-z]+$/,
  );
  const { as_paths: paths, hops } = JSON.parse(printed({ ...view, notes }, "ndjson"));
  expect(paths).toHaveLength(said.length);
  expect(hops[7].routers).toMatchObject([{ address: "203.0.113.10", asn: 64510, owner_asn: 64510 }]);
  expect(JSON.parse(printed(view, "ndjson")).as_paths).toBeUndefined();
});

test("a ping has it of who answered, and of its target in the summary", async () => {
  const target = { name: "t.example", address: address("203.0.113.10"), protocol: "icmp" } as const;
  const kind = { kind: "ttl_exceeded" } as const;
  const outcome = { from: address("198.51.100.4"), rttMs: 1, labels: [], kind };
  const pinged = { target, path: new Path(target.address, 1) };
  const linesOf = async (output: "table" | "csv") => {
    const lines: string[] = [];
    const options = { output, program: null, summary: false, protocol: "icmp", srcPort: 0 } as const;
    const screen = { print: (line: string) => lines.push(line), write: () => {} };
    const ping = new PingOutput({ ...options, dstPort: 0, firstTtl: 64 }, addressContext, "", screen);
    ping.ended({ pinged, sequence: 1, outcome });
    await ping.finish([pinged]);
    return lines;
  };
  const [line, summary] = await linesOf("table");
  expect(line).toContain(" from 198.51.100.4 [AS64500 EXAMPLE-NET, AMS-IX]  TTL exceeded");
  expect(summary).toStartWith("t.example (IPv4, icmp) [AS64510 \\u001b[31mRED, A/S]: ");
  expect((await linesOf("csv"))[1]).toContain(",64500,EXAMPLE-NET,exchange,26,AMS-IX,");
});

test("a report has it of the first router in text, of each in JSON", () => {
  const watched = new WatchedPath();
  watched.add(view.path, 1);
  const hop = watched.hops(null)[3];
  const cellOf = (head: string) =>
    hopColumns(addressContext.on(day), "table").find((column) => column.head === head)?.cell;
  expect(hop && cellOf("exchange")?.(hop)).toBe("AMS-IX");
  const column = hopColumns(addressContext.on(day), "json").find(({ name }) => name === "context");
  expect(hop && column?.value(hop)).toHaveLength(2);
});

test("where a set is on disk people see AS and exchange unasked, programs only what they ask for", () => {
  using empty = new SampleSets();
  process.env.VANTAGE_CONTEXT_DIR = samples.path;
  expect([addressContextOf(null, null).fields, addressContextOf(null, null, false).fields]).toEqual([
    ["asn", "ixp"],
    [],
  ]);
  process.env.VANTAGE_CONTEXT_DIR = empty.path;
  expect(addressContextOf(null, null).fields).toEqual([]);
  delete process.env.VANTAGE_CONTEXT_DIR;
  expect(() => addressContextOf(["asn"], empty.path)).toThrow("vantage context update FILE");
  expect(addressContextOf([], empty.path).fields).toEqual([]);
});
