/**
 * Replies, probes and figures of measurements over HTTP, from a real column store, on both databases.
 *
 * @alone: one of the longest
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import * as v from "valibot";
import { type ViewName, viewOf } from "../../../lib/answers/results/views.ts";
import { type EngineHome, engines, startEngine } from "../../postgres/engines.ts";
import { probeOf, ResultsHome, replyOf, source } from "./results-home.ts";

/** As the documentation has them, and with nothing else in them. */
function strictRows(name: ViewName, rows: unknown): Record<string, unknown>[] {
  const { schema } = viewOf(name);
  const parsed = v.parse(v.array(schema), rows) as Record<string, unknown>[];
  expect(parsed).toEqual(rows as Record<string, unknown>[]);
  return parsed;
}

describe.each(engines)("on %s", (engine) => {
  let database: EngineHome;
  let home: ResultsHome;
  /** Five probes of anna's from west, three answered. */
  let measurement: string;
  let base: string;

  beforeAll(async () => {
    database = await startEngine(engine);
    home = await ResultsHome.start(database);
    measurement = await home.submit("anna", 5);
    base = `/api/measurements/${measurement}`;
    await home.ingest(measurement, 5, [{}, {}, { icmp: [3, 3], from: "203.0.113.9" }]);
  });
  afterAll(async () => {
    await home?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
  });

  const ttls = async (query: string, user = "anna") =>
    (await home.rows(user, `${base}/replies${query}`)).map(({ probe_ttl }) => probe_ttl);

  test("replies are JSON, by time of capture, as the documentation has them", async () => {
    const response = await home.get("anna", `${base}/replies`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    const rows = strictRows("replies", await response.json());
    expect(rows).toHaveLength(3);
    expect(rows[1]).toMatchObject({
      measurement_id: measurement,
      agent_id: "west",
      probe_src_addr: source,
      probe_ttl: 2,
      reply_src_addr: "198.51.100.2",
      rtt_ms: 2,
    });
    expect(rows[2]?.says).toBe("port unreachable");
  });

  test.each([
    ["?format=ndjson", "*/*", "application/x-ndjson"],
    ["", "application/x-ndjson", "application/x-ndjson"],
    ["?format=csv", "application/json", "text/csv; charset=utf-8"],
    ["", "text/csv;q=0.9, application/x-ndjson;q=0.1", "text/csv; charset=utf-8"],
    ["", "text/html, */*;q=0.1", "application/json"],
  ])("%s with Accept %s is %s", async (query, accept, type) => {
    const response = await home.get("anna", `${base}/replies${query}`, { accept });
    expect(response.headers.get("content-type")).toBe(type);
    const text = await response.text();
    const lines = text.trimEnd().split("\n");
    const rows = { json: () => JSON.parse(text), ndjson: () => lines.map((line) => JSON.parse(line)) };
    const count =
      type === "application/json" ? rows.json() : type.endsWith("ndjson") ? rows.ndjson() : lines.slice(1);
    expect(count).toHaveLength(3);
  });

  test.each<[string, unknown[]]>([
    ["?agent=west", [1, 2, 3]],
    ["?agent=east", []],
    ["?destination=2001:db8::/32", []],
    ["?since=0001-01-01&until=9999-12-31", [1, 2, 3]],
    ["?until=2020-01-01", []],
    ["?limit=2", [1, 2]],
  ])("replies%s", async (query, expected) => {
    expect(await ttls(query)).toEqual(expected);
  });

  test.each<[string, number, string]>([
    ["/replies?agent=a%20b", 400, "invalid_query"],
    ["/replies?destination=203.0.113.9/24", 400, "invalid_query"],
    ["/replies?since=yesterday", 400, "invalid_query"],
    ["/replies?limit=0", 400, "invalid_query"],
    ["/replies?limit=1&limit=2", 400, "invalid_query"],
    ["/replies?format=xml", 400, "invalid_query"],
    ["/replies?format=svg", 400, "invalid_query"],
    ["/paths?format=svg&limit=101", 400, "too_many_rows"],
    ["/paths?limit=x", 400, "invalid_query"],
    ["/paths?format=parquet", 400, "invalid_query"],
    ["/loss?format=warts", 400, "invalid_query"],
    ["/probes?replies=maybe", 400, "invalid_query"],
    ["/replies?with=asn,colour", 400, "invalid_query"],
    ["/replies?with=asn,ixp", 400, "no_context"],
    ["/replies?with=asn&format=parquet", 400, "no_context"],
    ["/replies?with=name", 400, "no_names"],
  ])("%s is %d %s", async (path, status, code) => {
    const response = await home.get("anna", base + path);
    expect([response.status, (await response.json()) as object]).toMatchObject([status, { code }]);
  });

  test("a form that there is not is 406, with those that there are", async () => {
    const response = await home.get("anna", `${base}/paths`, { accept: "image/png, application/x-warts" });
    const all = "application/json, application/x-ndjson, text/csv, image/svg+xml, application/ndjson";
    const message = `Cannot answer as image/png, application/x-warts: there are ${all}`;
    expect([response.status, await response.json()]).toMatchObject([
      406,
      { code: "not_acceptable", message },
    ]);
  });

  test.each([
    ["/replies", "application/vnd.apache.parquet", "PAR1"],
    ["/loss", "text/html, application/vnd.apache.arrow.stream;q=0.5", "\xff\xff\xff\xff"],
    ["/traces", "application/x-warts", "\x12\x05"],
    ["/traces", "application/x-atlas-ndjson", '{"fw":'],
  ])("Accept chooses the form of %s: %s", async (path, accept, begin) => {
    const response = await home.get("anna", base + path, { accept });
    expect(accept).toContain(response.headers.get("content-type") ?? "nothing");
    expect(Buffer.from(await response.arrayBuffer()).toString("latin1")).toStartWith(begin);
  });

  test.each(["replies", "probes", "paths", "loss", "catchment", "events"])(
    "%s are the caller's own",
    async (what) => {
      const answer = async (user: string | null, id: string) => {
        const response = await home.gateway.ask(user, `/api/measurements/${id}/${what}`);
        return [response.status, ((await response.json()) as { code: string }).code];
      };
      expect(await answer(null, measurement)).toEqual([401, "missing_authorization"]);
      expect(await answer("berta", measurement)).toEqual([404, "measurement_not_found"]);
      expect(await answer("anna", crypto.randomUUID())).toEqual([404, "measurement_not_found"]);
      expect(await answer("anna", "1")).toEqual([400, "invalid_measurement_id"]);
    },
  );

  test.each(["replies", "probes", "paths", "loss", "catchment", "events"])(
    "HEAD of %s has no body",
    async (what) => {
      const response = await home.gateway.ask("anna", `${base}/${what}`, { method: "HEAD" });
      expect([response.status, await response.text()]).toEqual([200, ""]);
    },
  );

  test("probes are what was submitted, with the number of answers where it is asked for", async () => {
    const rows = strictRows("probes", await home.rows("anna", `${base}/probes`));
    expect(rows.map(({ probe_index, probe_ttl }) => [probe_index, probe_ttl])).toEqual(
      [0, 1, 2, 3, 4].map((i) => [i, i + 1]),
    );
    expect(rows[0]).toMatchObject({ agent_id: "west", probe_src_addr: source, probe_protocol: "UDP" });
    const counted = await home.rows("anna", `${base}/probes?replies=true&limit=4`);
    expect(counted.map(({ replies }) => replies)).toEqual([1, 1, 1, 0]);
  });

  test("paths, loss and catchment are as the command line has them", async () => {
    const [path] = strictRows("paths", await home.rows("anna", `${base}/paths`));
    expect(path).toMatchObject({
      agent: "west",
      reached: true,
      probes: { submitted: 5, answered: 3, lost: 2 },
    });
    const [loss] = strictRows("loss", await home.rows("anna", `${base}/loss`));
    expect(loss).toMatchObject({ submitted: 5, answered: 3, loss_percent: 40 });
    const [catchment] = strictRows("catchment", await home.rows("anna", `${base}/catchment`));
    expect(catchment).toMatchObject({
      probe_agent: "west",
      heard_by: "west",
      replies: 3,
      share_percent: 100,
    });
    const csv = await (await home.get("anna", `${base}/paths?format=csv`)).text();
    expect(csv.split("\n")[0]).toStartWith("agent,address,protocol,ttl,router,");
  });

  test("paths and loss count every answer and every round-trip time", async () => {
    const id = await home.submit("anna", 1);
    await home.store.insertProbes(
      Array.from({ length: 5000 }, (_, index) => ({ ...probeOf(id, index), ttl: 1 })),
    );
    const rtts = [...Array<number>(200).fill(100), ...Array<number>(3800).fill(500)];
    const timeMs = Date.now();
    // Each from a probe of its own: with one send time they would be copies.
    const replies = rtts.map((rttTenthMs, i) => ({ ...replyOf(id, 1), rttTenthMs, timeMs: timeMs - i }));
    await home.store.insertReplies(replies);
    const [path] = strictRows("paths", await home.rows("anna", `/api/measurements/${id}/paths`));
    expect(path?.probes).toEqual({ submitted: 5000, answered: 4000, duplicates: 0, lost: 1000 });
    expect(path?.hops).toMatchObject([
      { routers: [{ loss_percent: 20, rtt_min_ms: 10, rtt_median_ms: 50, rtt_p10_ms: 50, rtt_mean_ms: 48 }] },
    ]);
    const [loss] = await home.rows("anna", `/api/measurements/${id}/loss`);
    expect(loss).toMatchObject({ submitted: 5000, answered: 4000, loss_percent: 20 });
  });

  test("an answer that another site heard goes to the one user whose probe it is", async () => {
    const theirs = await home.submit("berta", 5);
    await home.ingest(theirs, 5, []);
    await home.end(measurement, 30);
    // Unmarked, as from another site, long after the first was over, from the source that both share.
    await home.store.insertReplies([{ ...replyOf("", 4), agent: "east", sender: "" }]);
    const of = (user: string, id: string) => home.rows(user, `/api/measurements/${id}/replies?agent=east`);
    expect(await of("berta", theirs)).toMatchObject([
      { measurement_id: theirs, attribution: "by_time", probe_agent: "west", agent_id: "east" },
    ]);
    expect(await of("anna", measurement)).toEqual([]);
    expect(await home.rows("berta", `/api/measurements/${theirs}/catchment`)).toMatchObject([
      { probe_agent: "west", heard_by: "east", replies: 1 },
    ]);
  });

  test("more than a page comes whole, each reply once, in order", async () => {
    const id = await home.submit("anna", 1);
    await home.store.store.client.command({
      query: `INSERT INTO measure.replies (date, time_inserted_ns, time_received_ns, agent_id, measurement_id, reply_id)
        SELECT today(), now64(9), now64(9) + toIntervalMicrosecond(intDiv(number, 7)), 'west', '${id}', number
        FROM numbers(4500)`,
    });
    const response = await home.get("anna", `/api/measurements/${id}/replies?format=ndjson`);
    const rows = (await response.text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(new Set(rows.map(({ reply_id }) => reply_id)).size).toBe(4500);
    expect(rows).toHaveLength(4500);
    const times = rows.map(({ time_received }) => time_received as string);
    expect(times).toEqual(times.toSorted());
  });
});
