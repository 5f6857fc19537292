/** Open measurements, which get more probes while they run, and measurements whose probes leave slowly. */
import { expect, test } from "bun:test";
import { readdirSync, readlinkSync } from "node:fs";
import { pacedOfUserMax } from "../../../apps/probing/gateway/limits.ts";
import { unpublished } from "../../../apps/probing/gateway/submit/resume.ts";
import { closeAbandoned } from "../../../apps/probing/gateway/sweep.ts";
import { probeMessageBytes } from "../../../lib/net/wire/probe-codec.ts";
import { decodeTargetHeader } from "../../../lib/net/wire/target-header.ts";
import type { GatewayHome } from "./gateway-home.ts";
import { cancel, eventually, report, stopped } from "./measurement-helpers.ts";
import { onBothEngines } from "./on-both-engines.ts";

const lines = (count: number, ttl: number, network = "2001:db8:ffff") =>
  Array.from({ length: count }, (_, i) => `${network}::1,${24_000 + i},33434,${ttl},udp\n`).join("");
const csv = { "content-type": "text/csv" };

async function open(gateway: GatewayHome, user: string, agents = "west,east"): Promise<string> {
  const response = await gateway.submit(user, lines(4, 1), {
    type: "text/csv",
    query: `?agents=${agents}&open=true`,
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { id: string }).id;
}

function add(gateway: GatewayHome, user: string, id: string, body: string, headers: object = {}) {
  const path = `/api/measurements/${id}/probes`;
  return gateway.json(user, path, { method: "POST", headers: { ...csv, ...headers }, body });
}

/** First probe, number of probes, whether it is the last, and until when it may be sent. */
async function recordsOf(gateway: GatewayHome, id: string, agent = "west") {
  const records = await gateway.records(id);
  return records.map(({ headers, value }) => {
    const read = decodeTargetHeader(String(headers[agent]));
    const header = read.ok ? read.header : null;
    const count = value.length / probeMessageBytes;
    return [header?.firstProbe, count, header?.endOfMeasurement, header?.notAfterMs];
  });
}

onBothEngines((gateway) => {
  const me = (user: string) => gateway().json(user, "/api/user/me");
  const statusOf = (user: string, id: string) => gateway().json(user, `/api/measurements/${id}/status`);

  test("what is added continues the measurement's list, for its agents, and is charged alike", async () => {
    const id = await open(gateway(), "adds");
    expect(await add(gateway(), "adds", id, lines(6, 2))).toMatchObject({
      ...{ status_code: 200, id, probes: 12, rejected: [] },
      agents: [{ id: "east" }, { id: "west" }],
    });
    expect(await add(gateway(), "adds", id, lines(2, 3))).toMatchObject({ status_code: 200, probes: 4 });
    const records = await recordsOf(gateway(), id);
    const end = records[0]?.[3];
    expect(records).toEqual([
      [0, 4, false, end],
      [4, 6, false, end],
      [10, 2, false, end],
    ]);
    expect(await statusOf("adds", id)).toMatchObject({
      ...{ status: "queued", probes: 12, total_expected_probes: 24 },
      agents: [{ expected_probes: 12 }, { expected_probes: 12 }],
    });
    expect(await me("adds")).toMatchObject({ used: 24, submission_count: 1 });
    await eventually(async () => {
      expect(await statusOf("adds", id)).toMatchObject({ published_probes: 12 });
      expect(gateway().services.spoolFolder.list()).toEqual([]);
    });
    const listed = (await (await gateway().ask("adds", "/api/measurements")).json()) as unknown[];
    expect(listed).toMatchObject([{ measurement_id: id }]);
  });

  test("finished, it is complete; a rest that was not sent comes back", async () => {
    const [whole, part] = [await open(gateway(), "ends", "west"), await open(gateway(), "ends", "west")];
    for (const id of [whole, part]) {
      await add(gateway(), "ends", id, lines(6, 2));
    }
    await report(gateway(), whole, "west", { sent: 10 });
    await report(gateway(), part, "west", { sent: 7 });
    for (const id of [whole, part]) {
      const path = `/api/measurements/${id}/cancel?reason=finished`;
      expect(await gateway().json("ends", path, { method: "POST" })).toMatchObject({ cancelled: true });
    }
    expect(await statusOf("ends", whole)).toMatchObject({ status: "complete", finished_early: false });
    expect(await statusOf("ends", part)).toMatchObject({ status: "complete", finished_early: true });
    expect(await me("ends")).toMatchObject({ used: 20 });
    await stopped(gateway(), [part], "west", 7);
    expect(await me("ends")).toMatchObject({ used: 17 });
    expect(await add(gateway(), "ends", whole, lines(1, 4))).toMatchObject({
      ...{ status_code: 409, code: "measurement_closed" },
    });
  });

  test("a repetition adds nothing; another body with the same key is refused", async () => {
    const id = await open(gateway(), "again", "west");
    const key = { "idempotency-key": crypto.randomUUID() };
    const first = await add(gateway(), "again", id, lines(6, 2), key);
    // 202 where the gateway has not noted yet that it is published.
    const repeated = await add(gateway(), "again", id, lines(6, 2), key);
    expect(repeated).toEqual({ ...first, status_code: expect.any(Number) });
    expect(await add(gateway(), "again", id, lines(5, 2), key)).toMatchObject({
      ...{ status_code: 409, code: "idempotency_key_reused" },
    });
    expect(await statusOf("again", id)).toMatchObject({ probes: 10 });
  });

  test("additions at once take turns: no two begin at one probe", async () => {
    const id = await open(gateway(), "crowd", "west");
    const added = await Promise.all(
      Array.from({ length: 20 }, () => add(gateway(), "crowd", id, lines(3, 2))),
    );
    expect(added.map(({ status_code }) => status_code)).toEqual(added.map(() => 200));
    const firsts = (await recordsOf(gateway(), id)).map(([first]) => Number(first)).sort((a, b) => a - b);
    expect(firsts).toEqual([0, ...Array.from({ length: 20 }, (_, i) => 4 + 3 * i)]);
  });

  test("what may not be added", async () => {
    const id = await open(gateway(), "rules", "west");
    const closed = await gateway().submit("rules", lines(1, 1), { type: "text/csv", query: "?agents=west" });
    const { id: ordinary } = (await closed.json()) as { id: string };
    const cases = [
      [add(gateway(), "rules", ordinary, lines(1, 2)), 409, "measurement_closed"],
      [add(gateway(), "other", id, lines(1, 2)), 404, "measurement_not_found"],
      [add(gateway(), "rules", "x", lines(1, 2)), 400, "invalid_measurement_id"],
      [add(gateway(), "rules", id, ""), 400, "no_probes"],
      [add(gateway(), "rules", id, lines(1, 2, "2001:db8:eeee")), 422, "other_destinations"],
      [
        add(gateway(), "rules", id, "{}", { "content-type": "application/json" }),
        415,
        "unsupported_media_type",
      ],
      [add(gateway(), "rules", id, lines(9999, 2)), 429, "quota_exceeded"],
    ] as const;
    for (const [answer, status_code, code] of cases) {
      expect(await answer).toMatchObject({ status_code, code });
    }
    expect(await statusOf("rules", id)).toMatchObject({ probes: 4 });
    await cancel(gateway(), "rules", id);
    expect(await add(gateway(), "rules", id, lines(1, 2))).toMatchObject({ code: "measurement_closed" });
    for (const query of ["&open=perhaps", "&open=true&interval_ms=5", "&round=2", "&interval_ms=0"]) {
      const wrong = await gateway().submit("rules", lines(1, 1), {
        type: "text/csv",
        query: `?agents=west${query}`,
      });
      expect([query, wrong.status]).toEqual([query, 400]);
    }
  });

  test("whose user is gone is closed when its agents have sent all, and is complete", async () => {
    const id = await open(gateway(), "gone", "west");
    await add(gateway(), "gone", id, lines(6, 2));
    const { database } = gateway().services;
    await database.sql`UPDATE measurements SET open_until = now() WHERE measurement_id = ${id}`;
    await closeAbandoned(database);
    expect(await statusOf("gone", id)).toMatchObject({ status: "queued" });
    await report(gateway(), id, "west", { sent: 10 });
    await closeAbandoned(database);
    expect(await statusOf("gone", id)).toMatchObject({ status: "complete", finished_early: false });
  });

  test("another start goes on with what was added, at its place in the list", async () => {
    const id = await open(gateway(), "resumed", "west");
    await add(gateway(), "resumed", id, lines(6, 2));
    const { database, gatewayId, spoolFolder } = gateway().services;
    await eventually(async () =>
      expect(await statusOf("resumed", id)).toMatchObject({ published_probes: 10 }),
    );
    const [added] = await database.sql<{ piece: string }[]>`
      UPDATE measurements SET published_at = NULL WHERE part_of = ${id} RETURNING measurement_id AS piece`;
    const waiting = await unpublished(database.sql, gatewayId, spoolFolder);
    expect(waiting).toMatchObject([{ id: added?.piece, measurementId: id, probes: 6 }]);
    spoolFolder.give(6 * probeMessageBytes);
    await database.sql`UPDATE measurements SET published_at = now() WHERE part_of = ${id}`;
  });

  test("at an interval, a round leaves after the other; what had not left comes back at once", async () => {
    const query = "?agents=west&interval_ms=200&round=2";
    // Far more than leave before the end, however late that comes.
    const rounds = 200;
    const startedAtMs = performance.now();
    const response = await gateway().submit("slow", lines(2 * rounds, 9), { type: "text/csv", query });
    expect(response.status).toBe(202);
    const { id } = (await response.json()) as { id: string };
    const seen: number[] = [];
    while (seen.length < 3) {
      const records = await gateway().records(id);
      while (seen.length < records.length) {
        seen.push(performance.now() - startedAtMs);
      }
      await Bun.sleep(5);
    }
    expect(seen[1]).toBeGreaterThan(190);
    expect(seen[2]).toBeGreaterThan(390);
    await cancel(gateway(), "slow", id);
    const left = (await recordsOf(gateway(), id)).map(([first, count]) => [first, count]);
    expect(left).toEqual(left.map((_, i) => [2 * i, 2]));
    expect(left.length).toBeLessThan(rounds);
    await Bun.sleep(400);
    expect(await recordsOf(gateway(), id)).toHaveLength(left.length);
    await eventually(async () => expect(await me("slow")).toMatchObject({ used: 2 * left.length }));
  });

  // Played by a user who would take all files, and all places of submissions, of the gateway for a day.
  test("many at an interval hold no file and nobody's place while they wait; a user has some", async () => {
    const query = "?agents=west&interval_ms=3600000&round=1";
    const one = () => gateway().submit("hoarder", lines(7, 9), { type: "text/csv", query });
    const { dispatcher } = gateway().services;
    const spools = () =>
      readdirSync("/proc/self/fd").filter((fd) => /\/state\/spool\/.*\.probes/.test(linkOf(fd)));
    const ids: string[] = [];
    for (let i = 0; i < pacedOfUserMax; i++) {
      const response = await one();
      expect(response.status).toBe(202);
      ids.push(((await response.json()) as { id: string }).id);
    }
    await eventually(async () => expect([dispatcher.waiting, spools()]).toEqual([0, []]));
    const refused = await one();
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: "too_many_paced" }]);
    expect((await gateway().submit("other", lines(7, 9), { type: "text/csv", query })).status).toBe(202);
    await cancel(gateway(), "hoarder", ids[0] ?? "");
    expect((await one()).status).toBe(202);
  });
});

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    // It has been closed in the meantime.
    return "";
  }
}
