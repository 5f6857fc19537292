/** Answers without a measurement through the gateway, where users send the same probes from one IPv4 source. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { longTest } from "../../run/long-test.ts";
import { inTier } from "../../run/tier.ts";
import { named, readEvents } from "./event-reader.ts";
import { probeOf, ResultsHome, replyOf } from "./results-home.ts";

const probes = 20;
const nowMs = Date.now();
let database: EngineHome;
let home: ResultsHome;
/** A separate port for each test, so that measurements of one test are not rivals in another. */
let srcPort = 30_000;

beforeAll(async () => {
  database = await startEngine();
  home = await ResultsHome.start(database);
});
afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

interface Sent {
  readonly user: string;
  /** Before now. */
  readonly agoMs: number;
  /** After the submission; null = it has not ended. */
  readonly endMs: number | null;
  readonly status?: "complete" | "cancelled";
}

/** Submitted, published and ended when it is said, and answered after 50 ms by an agent that marks nothing. */
async function measure({ user, agoMs, endMs, status = "complete" }: Sent, answeredMs: number | null = 100) {
  const id = await home.submit(user, probes);
  const startedMs = nowMs - agoMs;
  const { sql } = home.gateway.services.database;
  const at = (ms: number) => new Date(startedMs + ms);
  await sql`UPDATE measurements SET started_at = ${at(0)}, not_after = ${at(600_000)},
    ended_at = ${endMs === null ? null : at(endMs)} WHERE measurement_id = ${id}`;
  if (endMs !== null) {
    const sent = status === "complete" ? probes : 1;
    await sql`UPDATE measurement_agents SET status = ${status}, sent_probes = ${sent} WHERE measurement_id = ${id}`;
  }
  const own = { srcPort, timeMs: startedMs };
  const indexes = Array.from({ length: probes }, (_, index) => index);
  await home.store.insertProbes(indexes.map((index) => ({ ...probeOf(id, index), ...own })));
  if (answeredMs !== null) {
    await answer(startedMs + answeredMs);
  }
  return id;
}

function answer(timeMs: number): Promise<void> {
  const answers = Array.from({ length: probes }, (_, i) => replyOf("", i + 1));
  return home.store.insertReplies(
    answers.map((reply) => ({ ...reply, sender: "", srcPort, timeMs, rttTenthMs: 500 })),
  );
}

const countIn = {
  replies: (rows: Rows) => rows.length,
  "probes?replies=true": (rows: Rows) => sum(rows, "replies"),
  loss: (rows: Rows) => sum(rows, "answered"),
  catchment: (rows: Rows) => sum(rows, "replies"),
} as const;
type View = keyof typeof countIn;
type Rows = readonly Record<string, unknown>[];
const allViews: readonly View[] = ["replies", "probes?replies=true", "loss", "catchment"];

function sum(rows: Rows, name: string): number {
  return rows.reduce((total, row) => total + Number(row[name]), 0);
}

/** What a view says there is, and what it says is in none. */
async function seen(user: string, id: string, view: View = "replies") {
  const response = await home.get(user, `/api/measurements/${id}/${view}`);
  return {
    replies: countIn[view]((await response.json()) as Rows),
    ambiguous: Number(response.headers.get("vantage-ambiguous-replies")),
    early: Number(response.headers.get("vantage-early-replies")),
  };
}

const all = { replies: probes, ambiguous: 0, early: 0 };
const none = { replies: 0, ambiguous: 0, early: 0 };

test.each(inTier({ usual: [2000], long: [2000, 4000] }))(
  "probes that are sent again %d ms later: each measurement has its own answers",
  async (ms) => {
    srcPort++;
    const first = await measure({ user: "anna", agoMs: 30_000, endMs: 500 });
    const second = await measure({ user: "anna", agoMs: 30_000 - ms, endMs: 500 });
    expect([await seen("anna", first), await seen("anna", second)]).toEqual([all, all]);
  },
);

test("two users at once: nobody has the answers, both hear how many there are", async () => {
  srcPort++;
  const first = await measure({ user: "anna", agoMs: 30_000, endMs: 900 });
  const second = await measure({ user: "berta", agoMs: 29_900, endMs: 900 }, null);
  const ambiguous = { ...none, ambiguous: probes };
  for (const view of allViews) {
    expect([view, await seen("anna", first, view)]).toEqual([view, ambiguous]);
  }
  expect(await seen("berta", second)).toEqual(ambiguous);
  const events = await readEvents(await home.get("anna", `/api/measurements/${first}/events`));
  expect(named(events, "end")).toMatchObject([{ replies: 0, ambiguous_replies: probes, early_replies: 0 }]);
});

longTest("two users, one after the other: each has its own", async () => {
  srcPort++;
  const first = await measure({ user: "anna", agoMs: 30_000, endMs: 500 });
  const second = await measure({ user: "berta", agoMs: 20_000, endMs: null });
  expect(await seen("anna", first)).toEqual(all);
  for (const view of allViews) {
    expect([view, await seen("berta", second, view)]).toEqual([view, all]);
  }
});

test("as long as the first may be sending, what comes after the second was submitted is ambiguous", async () => {
  srcPort++;
  const first = await measure({ user: "anna", agoMs: 30_000, endMs: null });
  const second = await measure({ user: "berta", agoMs: 20_000, endMs: 500 });
  expect(await seen("anna", first)).toEqual({ ...all, ambiguous: probes });
  expect(await seen("berta", second)).toEqual({ ...none, ambiguous: probes });
});

test("agents that do not hear of it may send what was cancelled; those that report how they are stop", async () => {
  srcPort++;
  const { sql } = home.gateway.services.database;
  const [west] = await sql<
    { health_details: object }[]
  >`SELECT health_details FROM agents WHERE agent_id = 'west'`;
  await sql`UPDATE agents SET health_details = NULL WHERE agent_id = 'west'`;
  const first = await measure({ user: "anna", agoMs: 30_000, endMs: 500, status: "cancelled" });
  const second = await measure({ user: "anna", agoMs: 20_000, endMs: 500 });
  expect(await seen("anna", second)).toEqual({ ...none, ambiguous: probes });
  expect(west?.health_details).toBeObject();
  await sql`UPDATE agents SET health_details = '{}' WHERE agent_id = 'west'`;
  expect([await seen("anna", first), await seen("anna", second)]).toEqual([all, all]);
});

longTest("an answer from before the publication is nobody's, and counted", async () => {
  srcPort++;
  const id = await measure({ user: "anna", agoMs: 30_000, endMs: 500 }, -1500);
  expect(await seen("anna", id)).toEqual({ ...none, early: probes });
});

longTest("a clock that differs by less than a second does no harm", async () => {
  srcPort++;
  const id = await measure({ user: "anna", agoMs: 30_000, endMs: 500 }, -800);
  expect(await seen("anna", id)).toEqual(all);
});
