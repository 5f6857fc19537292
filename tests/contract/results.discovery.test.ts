/**
 * On a real column store: views of Diamond-Miner's tables as docs/measure/results.md has them, and hints of aliases.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { storeSource } from "../../lib/answers/results/store-source.ts";
import { viewOf } from "../../lib/answers/results/views.ts";
import { rowsOf } from "../../lib/engines/store/clickhouse/rows.ts";
import { StoreProcess } from "./client/store-with-paths.ts";
import { cellsOf, groups } from "./results/oracle.ts";
import { fillStore, type RawReply, type RawRows } from "./results/raw-rows.ts";
import { routedRows } from "./results/routed-rows.ts";

const measurement = "11111111-1111-4111-8111-111111111111";
const agent = "south";
const tables = `${measurement.replaceAll("-", "_")}__${agent}`;

/** Blocks of SQL of the page, for one measurement and agent. */
function statements(): string[] {
  const page = readFileSync(join(import.meta.dirname, "../../docs/measure/results.md"), "utf8");
  return [...page.matchAll(/```sql\n(CREATE VIEW .*?)```/gs)].map(([, sql = ""]) =>
    sql
      .replaceAll("__MEASUREMENT__AGENT", `__${tables}`)
      .replaceAll("'MEASUREMENT'", `'${measurement}'`)
      .replaceAll("'AGENT'", `'${agent}'`),
  );
}

/** Flow by flow, the TTLs from the first to the last that one router answered with time exceeded. */
function expectedLinks(rows: RawRows): string[] {
  const isHop = ({ from, icmpType, replyProtocol }: RawReply) =>
    replyProtocol === 1 && icmpType === 11 && !from.startsWith("203.0.113.");
  const flows = groups(cellsOf(rows), ({ srcPort }) => String(srcPort));
  return [...flows].flatMap(([port, cells]) => {
    const found = new Map(
      cells.flatMap(({ ttl, replies }): [number, string][] => {
        const routers = new Set(replies.filter(isHop).map(({ from }) => from));
        return routers.size === 1 ? [[ttl, [...routers].join()]] : [];
      }),
    );
    const ttls = [...found.keys()];
    const [first, last] = [Math.min(...ttls), Math.max(...ttls)];
    return Array.from({ length: Math.max(0, last - first) }, (_, i) => {
      const [near, far] = [first + i, first + i + 1].map((ttl) => found.get(ttl) ?? "::");
      return [port, first + i, near, far].join(" ");
    });
  });
}

let process: StoreProcess;
beforeAll(async () => {
  process = await StoreProcess.start();
});
afterAll(() => process?.[Symbol.asyncDispose]());

test("a graph says which addresses answer from one counter, and what that rests on", async () => {
  const [some] = routedRows(measurement, 3).replies;
  const answers = Array.from({ length: 40 }, (_, i) => ({
    ...some,
    timeNs: (some?.timeNs ?? 0n) + BigInt(i) * 50_000_000n,
    from: `198.51.100.${1 + (i % 4)}`,
    srcPort: 24_000 + i,
    // Two take turns at one counter; the others have each their own.
    replyId: (i % 4 < 2 ? 65_500 + 3 * i : 20_000 * (i % 4) + i) % 65_536,
    replyTtl: 250,
  })) as RawReply[];
  await fillStore(process.store, { probes: [], replies: answers });
  const query = { filter: { measurementId: measurement }, limit: null };
  const { texts } = await storeSource(process.store).ask(viewOf("graph"), query, "json");
  const [graph] = JSON.parse(Buffer.concat(await Array.fromAsync(texts)).toString());
  expect(v.is(viewOf("graph").schema, graph)).toBeTrue();
  expect(graph.alias_hints).toEqual([
    { addresses: ["198.51.100.1", "198.51.100.2"], rests_on: ["ip_id", "reply_ttl"] },
  ]);
});

test("results__ and links__ are made as the page says, and have the links of each flow", async () => {
  const { store } = process;
  const rows = routedRows(measurement, 3);
  // A flow and TTL that two routers answered, and somebody else's answers.
  const [some] = rows.replies;
  const others = some === undefined ? [] : [{ ...some, timeNs: some.timeNs + 1n, from: "198.51.100.99" }];
  const elsewhere = rows.replies.map((one) => ({ ...one, agent: "north", sender: "north" }));
  await fillStore(store, { ...rows, replies: [...rows.replies, ...others, ...elsewhere] });
  for (const sql of statements()) {
    await store.client.command({ query: sql });
  }
  const links = await Array.fromAsync(
    rowsOf<{ link: string }>(store, {
      sql: `SELECT concat(toString(probe_src_port), ' ', toString(near_ttl), ' ',
          replaceOne(toString(near_addr), '::ffff:', ''), ' ', replaceOne(toString(far_addr), '::ffff:', '')) AS link
        FROM links__${tables}`,
      params: {},
    }),
  );
  const expected = expectedLinks({ ...rows, replies: [...rows.replies, ...others] });
  expect(expected.some((link) => link.includes(" ::"))).toBeTrue();
  expect(links.map(({ link }) => link).sort()).toEqual(expected.sort());
  const [first] = await Array.fromAsync(
    rowsOf<Record<string, unknown>>(store, {
      sql: `SELECT toString(probe_dst_prefix) AS prefix, round, time_exceeded_reply
        FROM results__${tables} WHERE probe_ttl = 1 LIMIT 1`,
      params: {},
    }),
  );
  expect(first).toEqual({ prefix: "::ffff:203.0.113.0", round: 1, time_exceeded_reply: 1 });
  const columns =
    "near_round, far_round, far_ttl, probe_dst_prefix, probe_protocol, probe_src_addr, probe_dst_port";
  expect(
    await Array.fromAsync(rowsOf(store, { sql: `SELECT ${columns} FROM links__${tables}`, params: {} })),
  ).toHaveLength(links.length);
});
