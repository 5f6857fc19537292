/** Answers that take long end when their reader's right does: a token revoked or expired, a link taken back. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestIssuer } from "../../issuer/issuer.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { guardedApp } from "../auth/guarded-app.ts";
import { ResultsHome } from "./results-home.ts";

let database: EngineHome;
let home: ResultsHome;
let measurement = "";

beforeAll(async () => {
  database = await startEngine();
  home = await ResultsHome.start(database);
  measurement = await home.submit("anna", 3);
});
afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

const headers = { "content-type": "application/json" };

async function madeToken(): Promise<{ readonly id: string; readonly token: string }> {
  const body = JSON.stringify({ name: "stream", scopes: ["measurements:read"], measurement_id: measurement });
  const { id, token } = await home.gateway.json("anna", "/api/tokens", { method: "POST", headers, body });
  return { id: String(id), token: String(token) };
}

/** The reader of an answer that has begun. */
async function begun(response: Response) {
  expect(response.status).toBe(200);
  const reader = (response.body as NonNullable<Response["body"]>).getReader();
  expect((await reader.read()).done).toBe(false);
  return reader;
}

/** Reads until the answer breaks off: "cut", or "ended" where it came to its end. */
async function outcomeOf(reader: Awaited<ReturnType<typeof begun>>): Promise<string> {
  try {
    while (!(await reader.read()).done) {}
    return "ended";
  } catch {
    return "cut";
  }
}

const events = (who: string) => home.get(who, `/api/measurements/${measurement}/events`);

test("a stream of events ends when its token is revoked, or expires; its user's own goes on", async () => {
  const own = await begun(await events("anna"));
  const revoked = await madeToken();
  const reader = await begun(await events(revoked.token));
  await home.gateway.json("anna", `/api/tokens/${revoked.id}`, { method: "DELETE" });
  expect(await outcomeOf(reader)).toBe("cut");

  const expired = await madeToken();
  const other = await begun(await events(expired.token));
  const { sql } = home.gateway.services.database;
  await sql`UPDATE api_tokens SET expires_at = now() WHERE token_id = ${expired.id}`;
  expect(await outcomeOf(other)).toBe("cut");

  expect((await own.read()).done).toBe(false);
  await own.cancel();
});

test("rows that a link opens stop when it is taken back", async () => {
  const long = await home.submit("anna", 1);
  await home.store.store.client.command({
    query: `INSERT INTO measure.replies (date, time_inserted_ns, time_received_ns, agent_id, measurement_id, reply_id)
      SELECT today(), now64(9), now64(9) + toIntervalMicrosecond(number), 'west', '${long}', number
      FROM numbers(400000)`,
  });
  const share = `/api/measurements/${long}/sharing`;
  const body = JSON.stringify({ visibility: "link" });
  const { link } = await home.gateway.json("anna", share, { method: "POST", headers, body });
  const path = `${link}/measurements/${long}/replies`;
  const reader = await begun(await home.gateway.ask(null, path));
  await home.gateway.json("anna", share, { method: "DELETE" });
  await expect(reader.closed).rejects.toBeUndefined();
});

test("a login that expires ends what is being sent by it", async () => {
  await using issuer = await startTestIssuer();
  const app = guardedApp(issuer);
  const reader = await begun(await app.stream(`Bearer ${await issuer.tokenFor("anna")}`));
  app.wait(2 * 3_600_000);
  expect(await outcomeOf(reader)).toBe("cut");
});
