/**
 * Live events of measurements: all replies, each once, whatever breaks in between.
 *
 * @alone: one of the longest
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { closeAbandoned } from "../../../apps/probing/gateway/sweep.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { inTier } from "../../run/tier.ts";
import { named, readEvents, ttlsOf } from "./event-reader.ts";
import { probeOf, ResultsHome, replyOf } from "./results-home.ts";

let database: EngineHome;
let home: ResultsHome;

beforeAll(async () => {
  database = await startEngine();
  home = await ResultsHome.start(database);
});
afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

const open = (id: string, lastId?: string) =>
  home.get("anna", `/api/measurements/${id}/events`, lastId === undefined ? {} : { "last-event-id": lastId });

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

test("what is there comes first, then what comes, then the end", async () => {
  const id = await home.submit("anna", 6);
  await home.ingest(id, 6, [{}, {}]);
  const response = await open(id);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  let isEnding = false;
  const events = await readEvents(response, (so) => {
    if (ttlsOf(so).length === 2 && !isEnding) {
      isEnding = true;
      void home.store.insertReplies([replyOf(id, 3)]).then(() => home.end(id, 3600));
    }
    return false;
  });
  expect(events[0]?.event).toBe("progress");
  expect(ttlsOf(events)).toEqual([1, 2, 3]);
  expect(named(events, "progress").map(({ status }) => status)).toEqual(["queued", "complete"]);
  expect(events.at(-1)?.event).toBe("end");
  expect(named(events, "end")).toMatchObject([
    { measurement_id: id, status: "complete", replies: 3, agents: [{ agent_id: "west", sent_probes: 6 }] },
  ]);
});

test("a stream that was cut off goes on behind any of its events, where many are of the same instant", async () => {
  const id = await home.submit("anna", 200);
  const timeMs = Date.now();
  await home.ingest(
    id,
    200,
    upTo(200).map((i) => ({
      timeMs: timeMs + Math.floor(i / 60),
      ...(i % 3 === 0 ? { measurement: "" } : {}),
    })),
  );
  await home.end(id, 30);
  const all = await readEvents(await open(id));
  const ids = all.flatMap(({ id: eventId }) => (eventId === undefined ? [] : [eventId]));
  expect(new Set(ttlsOf(all))).toEqual(new Set(upTo(200)));
  expect(ttlsOf(all)).toHaveLength(200);
  for (const seen of inTier({ usual: [60, 134, 200], long: [1, 59, 60, 61, 133, 134, 160, 199, 200] })) {
    const rest = await readEvents(await open(id, ids[seen - 1]));
    expect([...ttlsOf(all).slice(0, seen), ...ttlsOf(rest)]).toEqual(ttlsOf(all));
  }
});

test("an open measurement stays open while its events are open, though nobody reads them", async () => {
  const { database } = home.gateway.services;
  const id = await home.submit("anna", 6);
  await database.sql`UPDATE measurement_agents SET sent_probes = 6 WHERE measurement_id = ${id}`;
  const openFor = (seconds: number) =>
    database.sql`
      UPDATE measurements SET open_until = now() + ${seconds} * interval '1 second'
      WHERE measurement_id = ${id}`.execute();
  const isRenewed = async () => {
    const [row] = await database.sql<{ isRenewed: boolean }[]>`
      SELECT open_until > now() + interval '40 seconds' AS "isRenewed" FROM measurements
      WHERE measurement_id = ${id} AND ended_at IS NULL`;
    return row?.isRenewed;
  };
  await openFor(30);
  const response = await open(id);
  for (let renewals = 0; renewals < 2; renewals++) {
    while ((await isRenewed()) === false) {
      await Bun.sleep(50);
    }
    expect(await isRenewed()).toBe(true);
    await openFor(30);
  }
  await response.body?.cancel();
  // The gateway may renew it once more before it knows.
  while ((await isRenewed()) !== undefined) {
    await openFor(0);
    await closeAbandoned(database);
  }
});

test("more than a page comes whole", async () => {
  const id = await home.submit("anna", 1);
  await home.store.store.client.command({
    query: `INSERT INTO measure.replies (date, time_inserted_ns, time_received_ns, agent_id, measurement_id, reply_id)
      SELECT today(), now64(9), now64(9) + toIntervalMicrosecond(number), 'west', '${id}', number FROM numbers(4500)`,
  });
  await home.end(id, 3600);
  const events = await readEvents(await open(id));
  expect(new Set(named(events, "reply").map(({ reply_id }) => reply_id)).size).toBe(4500);
  expect(named(events, "reply")).toHaveLength(4500);
});

test("answers without a measurement wait until all probes are there that tell whose they are", async () => {
  const id = await home.submit("anna", 3);
  const timeMs = Date.now();
  // A flow of its own: answers of seconds ago to the same probes could be of either measurement.
  const srcPort = 24_001;
  const unmarked = { agent: "east", sender: "", srcPort, timeMs };
  await home.store.insertReplies([
    replyOf(id, 1),
    { ...replyOf("", 2), ...unmarked },
    { ...replyOf("", 3), ...unmarked, timeMs: timeMs + 1 },
  ]);
  // The last two only: the stream must not pass over what is stored before an answer that it knows already.
  await home.store.insertProbes([0, 2].map((index) => ({ ...probeOf(id, index), srcPort, timeMs })));
  const report = (sent: number) =>
    home.gateway.services.database.sql`
        UPDATE measurement_agents SET sent_probes = ${sent} WHERE measurement_id = ${id}`.execute();
  let step = 0;
  const events = await readEvents(await open(id), (so) => {
    const sent = named(so, "progress").at(-1)?.total_sent_probes;
    // Between two changes of the progress there is a look that finds nothing.
    if (step === 0 && ttlsOf(so).length === 1) {
      step = 1;
      void report(1);
    } else if (step === 1 && sent === 1) {
      step = 2;
      void report(2);
    } else if (step === 2 && sent === 2) {
      step = 3;
      void home.store.insertProbes([{ ...probeOf(id, 1), srcPort, timeMs }]);
    }
    return ttlsOf(so).length === 3;
  });
  expect(step).toBe(3);
  expect(ttlsOf(events)).toEqual([1, 2, 3]);
  expect(named(events, "reply")[1]).toMatchObject({ agent_id: "east", probe_agent: "west" });
});

test("progress goes on while the store is away, and replies come when it is back", async () => {
  const id = await home.submit("anna", 3);
  await home.ingest(id, 3, [{}]);
  let step = 0;
  const events = await readEvents(await open(id), (so) => {
    if (step === 0 && ttlsOf(so).length === 1) {
      step = 1;
      void home.store.kill().then(() => home.end(id, 0));
    } else if (step === 1 && named(so, "progress").length > 1) {
      step = 2;
      void home.store.restart().then(() => home.store.insertReplies([replyOf(id, 2)]));
    }
    return ttlsOf(so).length === 2;
  });
  expect(ttlsOf(events)).toEqual([1, 2]);
});

test("without a store there is a problem, not a failure; with it again, answers", async () => {
  const id = await home.submit("anna", 1);
  await home.store.kill();
  for (const what of ["replies", "probes", "paths", "loss", "catchment", "events"]) {
    const response = await home.get("anna", `/api/measurements/${id}/${what}`);
    expect([response.status, await response.json()]).toMatchObject([503, { code: "store_unavailable" }]);
    expect(response.headers.get("retry-after")).toBe("5");
  }
  await home.store.restart();
  expect(await home.rows("anna", `/api/measurements/${id}/replies`)).toEqual([]);
});

test.each(["x", "1", "1-2-3", "8000000000000000-1", "-1-1"])(
  "Last-Event-ID %s is refused",
  async (lastId) => {
    const id = await home.submit("anna", 1);
    const response = await open(id, lastId);
    expect([response.status, await response.json()]).toMatchObject([400, { code: "invalid_event_id" }]);
  },
);

test("a reader that goes away gives its place to another; more than there are places is refused", async () => {
  await using server = home.listen();
  const id = await home.submit("anna", 1);
  const readers = upTo(10).map(() => new AbortController());
  const ask = (signal?: AbortSignal) =>
    fetch(`${server.url}api/measurements/${id}/events`, {
      headers: { authorization: "Bearer anna" },
      ...(signal === undefined ? {} : { signal }),
    });
  const streams = await Promise.all(readers.map(({ signal }) => ask(signal)));
  expect(streams.map(({ status }) => status)).toEqual(readers.map(() => 200));
  const refused = await ask();
  expect([refused.status, await refused.json()]).toMatchObject([429, { code: "too_many_streams" }]);
  for (const reader of readers) {
    reader.abort();
  }
  const metric = () =>
    home.gateway.services.metrics.registry.getSingleMetricAsString("vantage_gateway_streams");
  while (!(await metric()).includes("vantage_gateway_streams 0")) {
    await Bun.sleep(10);
  }
  const again = await home.get("anna", `/api/measurements/${id}/events`, {});
  expect(again.status).toBe(200);
  await again.body?.cancel();
});

test("replies that cannot be finished end with a broken connection", async () => {
  await using server = home.listen();
  const id = await home.submit("anna", 1);
  await home.store.store.client.command({
    query: `INSERT INTO measure.replies (date, time_inserted_ns, time_received_ns, agent_id, measurement_id, reply_id)
      SELECT today(), now64(9), now64(9) + toIntervalMicrosecond(number), 'west', '${id}', number FROM numbers(60000)`,
  });
  const response = await fetch(`${server.url}api/measurements/${id}/replies?format=ndjson`, {
    headers: { authorization: "Bearer anna" },
  });
  const reader = response.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await home.store.kill();
  const rest = (async () => {
    while (!(await reader?.read())?.done) {
      // Until it breaks.
    }
  })();
  await expect(rest).rejects.toThrow();
  await rest.catch(() => undefined);
  await home.store.restart();
});
