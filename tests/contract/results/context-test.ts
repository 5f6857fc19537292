/** What each engine knows of addresses, and puts into the rows that it gives. */
import { expect } from "bun:test";
import type { ContextField } from "../../../lib/answers/enrich/context-fields.ts";
import { drawnPages } from "../../../lib/answers/results/drawn-pages.ts";
import type { ResultSource, TextForm } from "../../../lib/answers/results/result-source.ts";
import { type ViewName, viewOf } from "../../../lib/answers/results/views.ts";
import { paletteFor } from "../../../lib/base/terminal/colour.ts";
import type { SampleSets } from "../../enrich/sample-sets.ts";
import type { RawRows } from "./raw-rows.ts";

interface Scene {
  readonly source: ResultSource;
  readonly measurement: string;
  readonly fill: (rows: RawRows) => Promise<void>;
}

const dayMs = 86_400_000;
const routers = ["198.51.100.1", "198.51.100.4", "10.0.0.1", "203.0.113.9"];

/** One answer of each router today, and of the first also two days ago. */
function rowsOf(measurement: string): RawRows {
  const answers = [...routers.map((from, i) => ({ from, ttl: i + 1, ago: 0 })), { ...first, ago: 2 }];
  return {
    probes: [],
    replies: answers.map(({ from, ttl, ago }, i) => ({
      ...{ timeNs: BigInt(Date.now() - ago * dayMs) * 1_000_000n + BigInt(i), measurement, agent: "west" },
      ...{ sender: "west", instance: 0, source: "192.0.2.1", destination: "203.0.113.9", protocol: 17 },
      ...{ srcPort: 24_000, dstPort: 33_434, ttl, from, replyProtocol: 1, icmpType: 11, icmpCode: 0 },
      ...{ rttTenthMs: 10, labels: [] },
    })),
  };
}

const first = { from: "198.51.100.1", ttl: 5 };
const dayAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

type Row = Readonly<Record<string, unknown>>;
const asked: readonly ContextField[] = ["asn", "ixp"];
const added = ["asn", "as_name", "asn_source", "ixp", "source"];

/** Sets of today and of three days ago differ in the origin of one prefix. */
export async function checkContext({ source, measurement, fill }: Scene, sets: SampleSets): Promise<void> {
  await sets.put(dayAgo(3), 64499);
  await sets.put(dayAgo(0), 64501);
  await fill(rowsOf(measurement));
  const textOf = async (view: ViewName, form: TextForm, fields: readonly ContextField[]) => {
    const query = { filter: { measurementId: measurement }, limit: null, with: fields };
    const answer = await source.ask(viewOf(view), query, form);
    return Buffer.concat(await Array.fromAsync(answer.texts)).toString();
  };
  const rows = async (view: ViewName, fields: readonly ContextField[]): Promise<Row[]> =>
    JSON.parse(await textOf(view, "json", fields));

  const replies = await rows("replies", asked);
  expect(replies.map(({ reply_src_addr, asn, asn_source }) => [reply_src_addr, asn, asn_source])).toEqual([
    ["198.51.100.1", 64499, "bgp"],
    ["198.51.100.1", 64501, "bgp"],
    ["198.51.100.4", 64500, "exchange"],
    ["10.0.0.1", null, "private"],
    ["203.0.113.9", 64510, "bgp"],
  ]);
  expect(replies[2]).toMatchObject({ as_name: "EXAMPLE-NET", ixp: { id: 26, name: "AMS-IX" } });
  expect(replies[0]).toMatchObject({ source: { set: dayAgo(3) } });
  // Otherwise the rows are as they are without.
  expect(replies.map((row) => without(row, added))).toEqual(await rows("replies", []));

  const csv = (await textOf("replies", "csv", asked)).split("\n");
  expect(csv[0]).toEndWith(",asn,as_name,asn_source,ixp_id,ixp_name,source_set,source_bgp,source_geo");
  expect(csv[3]).toContain(`,64500,EXAMPLE-NET,exchange,26,AMS-IX,${dayAgo(0)},`);
  expect(csv[5]).toContain(',64510,"\\u001b[31mRED, A/S",bgp,,,');

  const [path] = (await rows("paths", asked)) as { hops: { routers: Row[] }[] }[];
  const hops = path?.hops.map((hop) => hop.routers.map(({ address, asn }) => [address, asn]));
  expect(hops).toEqual([
    [[routers[0], 64501]],
    [[routers[1], 64500]],
    [[routers[2], null]],
    [[routers[3], 64510]],
  ]);
  const [bare] = (await rows("paths", [])) as { hops: { routers: Row[] }[] }[];
  expect(path?.hops.map((hop) => hop.routers.map((row) => without(row, added)))).toEqual(
    bare?.hops.map((hop) => hop.routers.map((row) => without(row, []))),
  );
  const pathCsv = (await textOf("paths", "csv", ["asn"])).split("\n");
  expect(pathCsv[0]).toEndWith(
    ",says,rewritten,quoted_sources,more_routers,asn,as_name,asn_source,source_set,source_bgp,source_geo",
  );
  expect(pathCsv[2]).toContain(",64500,EXAMPLE-NET,exchange,");

  const drawn = async (view: ViewName, fields: readonly ContextField[]) => {
    const query = { filter: { measurementId: measurement }, limit: null, with: fields };
    const { texts } = await source.ask(viewOf(view), query, "brief");
    const how = { palette: paletteFor(false, ""), fields };
    const pages = await Array.fromAsync(drawnPages(viewOf(view), texts, how));
    return Buffer.concat(pages.map(({ bytes }) => bytes))
      .toString()
      .split("\n");
  };
  const table = await drawn("replies", asked);
  expect(table[0]).toMatch(/ rtt ms +AS +exchange$/);
  expect(table[3]).toMatch(/ 198\.51\.100\.4 +1\.0 +AS64500 EXAMPLE-NET +AMS-IX$/);
  expect(table[5]).toEndWith(" AS64510 \\u001b[31mRED, A/S");
  const paths = await drawn("paths", asked);
  expect(paths[1]).toMatch(/router +AS +exchange +loss/);
  expect(paths[3]).toMatch(/ 198\.51\.100\.4 +AS64500 EXAMPLE-NET +AMS-IX +0 %/);
  expect((await drawn("traces", ["asn"]))[1]).toEndWith(" AS64510 \\u001b[31mRED, A/S");

  const routed = (await rows("paths", ["asn", "path"])) as { hops: { routers: Row[] }[]; as_paths: Row[] }[];
  expect(routed[0]?.as_paths).toMatchObject([
    { traced: "64501 [AMS-IX] 64500 ? 64510", difference: "extra" },
  ]);
  expect(routed[0]?.hops[1]?.routers).toMatchObject([{ address: routers[1], asn: 64500, owner_asn: 64500 }]);
  expect((await drawn("paths", ["path"])).join("\n")).toContain(
    "  AS path: 64501 [AMS-IX] 64500 ? 64510; in BGP 64501 64510: extra\n",
  );
  const [walked] = (await rows("traces", ["path"])) as { replies: Row[]; as_paths: Row[] }[];
  expect(walked?.as_paths).toMatchObject([{ bgp: [64501, 64510] }]);
  expect(walked?.replies[1]).toMatchObject({ owner_asn: 64500, source: { set: dayAgo(0) } });

  const [trace] = (await rows("traces", ["asn"])) as { replies: Row[] }[];
  expect(trace?.replies.map(({ asn }) => asn)).toEqual([64501, 64500, null, 64510, 64499]);
  const mtr = JSON.parse(await textOf("traces", "mtr", ["asn"]));
  // The target has answered at the fourth hop: there its flow ends.
  expect(mtr.report.hubs.map(({ ASN }: { ASN: string }) => ASN)).toEqual([
    ...["AS64501", "AS64500", "AS???", "AS64510"],
  ]);
  expect(await textOf("traces", "mtr", [])).not.toContain("ASN");
}

function without(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}
