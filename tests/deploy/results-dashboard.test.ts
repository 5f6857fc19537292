/** The dashboard of results: every query of it, with Grafana's macros as its data source replaces them, on a store. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { StoreProcess } from "../contract/client/store-with-paths.ts";
import { fillStore, type RawReply } from "../contract/results/raw-rows.ts";

const measurement = "11111111-1111-4111-8111-111111111111";
const nowMs = Date.now() - 60_000;

const dashboard = v.parse(
  v.object({
    panels: v.array(
      v.object({
        title: v.string(),
        type: v.string(),
        targets: v.tuple([v.object({ rawSql: v.string(), format: v.number() })]),
      }),
    ),
    templating: v.object({ list: v.array(v.object({ name: v.string(), query: v.string() })) }),
  }),
  JSON.parse(readFileSync(join(import.meta.dirname, "../../deploy/grafana/vantage-results.json"), "utf8")),
);

let store: StoreProcess;
beforeAll(async () => {
  store = await StoreProcess.start();
  await fillStore(store.store, {
    probes: [1, 2, 3].map((index) => ({ ...probe, index, ttl: index })),
    replies: [
      reply({}),
      reply({ icmpType: 3, icmpCode: 13, ttl: 2 }),
      reply({ measurement: "", agent: "o'brien" }),
    ],
  });
  await store.store.client.insert({
    table: "measure.replies_rejected",
    format: "JSONEachRow",
    values: [
      { date: day(nowMs), time_inserted_ns: String(nowMs * 1e6), topic: "measure-replies", reason: "bad" },
    ],
  });
});
afterAll(() => store[Symbol.asyncDispose]());

const probe = {
  ...{ measurement, agent: "west", index: 0, source: "::", destination: "192.0.2.1", protocol: 17 },
  ...{ srcPort: 24_000, dstPort: 33_434, ttl: 1, timeMs: nowMs },
};

let replies = 0;
function reply(changes: Partial<RawReply>): RawReply {
  return {
    ...{ timeNs: BigInt(nowMs) * 1_000_000n + BigInt(++replies), measurement, agent: "west", sender: "west" },
    ...{ instance: 0, source: "198.51.100.2", destination: "192.0.2.1", protocol: 17, srcPort: 24_000 },
    ...{ dstPort: 33_434, ttl: 1, from: "203.0.113.1", replyProtocol: 1, icmpType: 11, icmpCode: 0 },
    ...{ rttTenthMs: 125, labels: [], ...changes },
  };
}

function day(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

interface Choice {
  readonly agents: readonly string[] | "all";
  readonly measurement: string;
}

/** What the plugin's macros and Grafana's formats of variables make of a query, for the last hour. */
function expanded(sql: string, { agents, measurement: chosen }: Choice): string {
  const [from, to] = [nowMs - 3_600_000, nowMs + 60_000];
  const at = (ms: number) => Math.floor(ms / 1000);
  const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`;
  return sql
    .replaceAll(/\$__conditionalAll\((.*), \$agent\)/g, agents === "all" ? "1=1" : "$1")
    .replaceAll(/\$__dateFilter\((\w+)\)/g, `$1 >= toDate('${day(from)}') AND $1 <= toDate('${day(to)}')`)
    .replaceAll(/\$__timeFilter\((\w+)\)/g, `$1 >= toDateTime(${at(from)}) AND $1 <= toDateTime(${at(to)})`)
    .replaceAll(/\$__timeInterval\((\w+)\)/g, "toStartOfInterval(toDateTime($1), INTERVAL 20 second)")
    .replaceAll("$__interval_s", "20")
    .replaceAll(
      ["$", "{agent:singlequote}"].join(""),
      agents === "all" ? "'all'" : agents.map(quoted).join(","),
    )
    .replaceAll(["$", "{measurement:sqlstring}"].join(""), `'${chosen.replaceAll("'", "''")}'`);
}

async function rowsOf(sql: string, choice: Choice): Promise<Record<string, unknown>[]> {
  const query = expanded(sql, choice);
  expect(query).not.toContain("$");
  return await (await store.store.client.query({ query, format: "JSONEachRow" })).json();
}

const all: Choice = { agents: "all", measurement: "" };

test.each(dashboard.panels)("$title", async ({ type, targets: [{ rawSql, format }] }) => {
  const found = await rowsOf(rawSql, all);
  expect(found.length).toBeGreaterThan(0);
  // A graph needs its times first, in order.
  expect(format).toBe(type === "timeseries" ? 0 : 1);
  expect(Object.keys(found[0] ?? {})[0] === "time").toBe(type === "timeseries");
});

test("agents and a measurement can be chosen, whatever they are called", async () => {
  const panel = dashboard.panels.find(({ title }) => title === "Agents");
  const sql = panel?.targets[0].rawSql ?? "";
  const agents = async (choice: Choice) => (await rowsOf(sql, choice)).map(({ agent }) => agent).sort();
  expect(await agents(all)).toEqual(["o'brien", "west"]);
  expect(await agents({ agents: ["o'brien"], measurement: "" })).toEqual(["o'brien"]);
  expect(await agents({ agents: "all", measurement })).toEqual(["west"]);
  expect(await agents({ agents: "all", measurement: "' OR 1=1 --" })).toEqual([]);
  const variable = dashboard.templating.list.find(({ name }) => name === "agent");
  expect(await rowsOf(variable?.query ?? "", all)).toEqual([{ agent_id: "o'brien" }, { agent_id: "west" }]);
});

test("figures are those of what was stored", async () => {
  const row = async (title: string) =>
    await rowsOf(dashboard.panels.find((panel) => panel.title === title)?.targets[0].rawSql ?? "", all);
  expect(await row("Answers")).toMatchObject([
    { kind: "time exceeded", replies: 2, senders: 1 },
    { kind: "unreachable, code 13", replies: 1 },
  ]);
  expect(await row("Measurements")).toMatchObject([{ measurement, agents: 1, probes: 3, replies: 2 }]);
  expect(await row("Round-trip time")).toMatchObject([{ median: 12.5, p95: 12.5 }]);
});
