/** docs/start/from-iris.md as its reader runs it: an export of today, a column store, views of what was imported. */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StoreProcess } from "../contract/client/store-with-paths.ts";
import { PageRun } from "./page-run.ts";

const start = `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;

/** A traceroute as Iris exports it: three hops in each of two flows, which differ in the second. */
function traceroute(target: number) {
  const reply = (ttl: number, from: string) => [
    start,
    ttl,
    1,
    11,
    0,
    250,
    56,
    [],
    `::ffff:${from}`,
    100 * ttl,
  ];
  const flow = (port: number, second: string) => ({
    probe_src_port: port,
    probe_dst_port: 33_434,
    replies: [reply(1, "198.51.100.1"), reply(2, second), reply(3, `203.0.113.${target}`)],
  });
  return {
    ...{ measurement_uuid: "5ff0", agent_uuid: "paris", traceroute_start: start, traceroute_end: start },
    ...{
      probe_protocol: 17,
      probe_src_addr: "::ffff:192.0.2.1",
      probe_dst_addr: `::ffff:203.0.113.${target}`,
    },
    flows: [flow(24_000, "198.51.100.2"), flow(24_001, "198.51.100.3")],
  };
}

test("an export is imported, and views show its paths and links", async () => {
  await using store = await StoreProcess.start();
  const folder = mkdtempSync(join(tmpdir(), "vantage-from-iris-"));
  const lines = Array.from({ length: 200 }, (_, k) => `${JSON.stringify(traceroute(k + 1))}\n`).join("");
  writeFileSync(join(folder, "iris.jsonl.gz"), Bun.gzipSync(new TextEncoder().encode(lines)));
  try {
    const scenes = { here: { folder, environment: { STORE: store.address } } };
    await using page = PageRun.open("docs/start/from-iris.md", { scenes });
    await page.runAll();
    const links = readFileSync(join(folder, "links.csv"), "utf8").trim().split("\n");
    const [head = "", ...rows] = links;
    expect(head.split(",")).toContain("near_addr");
    // One router, two behind it, and 200 destinations behind each of these.
    expect(rows.length).toBe(2 + 400);
    expect(rows.filter((row) => row.startsWith('1,1,"198.51.100.1","198.51.100.2",,200,200,'))).toHaveLength(
      1,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
