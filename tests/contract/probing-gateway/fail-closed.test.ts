/**
 * An answer of the database without its row is an error; it never stands for "not stopped", "nobody measures" or
 * "nothing used".
 */
import { expect, test } from "bun:test";
import type { TransactionSql } from "postgres";
import { DestinationCrowd } from "../../../apps/probing/gateway/safety/destination-crowd.ts";
import { identityOf } from "../../../lib/engines/auth/token-verifier.ts";
import type { Database } from "../../../lib/engines/store/postgres/open.ts";
import { plainCampaign } from "./campaign-time.ts";
import { addAgent, type GatewayHome, probeText } from "./gateway-home.ts";
import { onBothEngines } from "./on-both-engines.ts";

/** Statements of transactions that hold the text, and named ones outside, are answered without rows meanwhile. */
async function withoutRows<Answer>(
  home: GatewayHome,
  part: string,
  act: () => Promise<Answer>,
): Promise<Answer> {
  const { database } = home.services;
  const { sql, timed } = database;
  const emptied = (tx: TransactionSql) =>
    new Proxy(tx, {
      apply: (target, self, [texts, ...values]: [TemplateStringsArray, ...unknown[]]) =>
        texts.join("").includes(part) ? Promise.resolve([]) : Reflect.apply(target, self, [texts, ...values]),
    });
  const begin = (work: (tx: TransactionSql) => Promise<unknown>) => sql.begin((tx) => work(emptied(tx)));
  Object.assign(database, {
    sql: new Proxy(sql, { get: (target, name) => (name === "begin" ? begin : Reflect.get(target, name)) }),
    timed: ((name, ask) => (name === part ? Promise.resolve([]) : timed(name, ask))) as Database["timed"],
  });
  try {
    return await act();
  } finally {
    Object.assign(database, { sql, timed });
  }
}

onBothEngines((gateway) => {
  const post = (path: string, body: object) => {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    };
    return gateway().ask("user", path, init);
  };
  const token = { name: "ci", scopes: ["measurements:read"] };
  const paced = { type: "text/csv", query: "?agents=west&interval_ms=60000" };
  const erase = async () => {
    await gateway().submit("leaver", probeText(1), { type: "text/csv", query: "?agents=west" });
    const path = `/admin/users/${identityOf("leaver").userHash}`;
    return await gateway().ask(gateway().services.adminKey, path, { method: "DELETE" });
  };
  test.each([
    ["a user's tokens", "AS tokens FROM api_tokens", () => post("/api/tokens", token)],
    ["a user's campaigns", "AS campaigns, coalesce", () => post("/api/campaigns", plainCampaign)],
    ["paced measurements", "measurement_paced", () => gateway().submit("user", probeText(2), paced)],
    ["measurements of a user who is to be erased", "user_idle", erase],
  ])("a count of %s without its row refuses", async (_, part, ask) => {
    const refused = await withoutRows(gateway(), part, ask);
    expect([refused.status, await refused.text()]).toEqual([500, expect.any(String)]);
    expect((await ask()).status).not.toBe(500);
  });

  test("without the platform's row nothing is submitted", async () => {
    await addAgent(gateway(), "west");
    const { database } = gateway().services;
    await database.sql`DELETE FROM platform`;
    const refused = await gateway().submit("user", probeText(1), { type: "text/csv", query: "?agents=west" });
    expect(refused.status).toBe(500);
    await database.sql`INSERT INTO platform DEFAULT VALUES`;
    const taken = await gateway().submit("user", probeText(1), { type: "text/csv", query: "?agents=west" });
    expect(taken.status).toBeLessThan(300);
  });

  test("a crowd that was not read is an error, not an empty place", async () => {
    const silent: Database = { ...gateway().services.database, timed: async () => [] as never };
    const crowd = new DestinationCrowd(silent);
    expect(await crowd.read().catch(String)).toContain("it has no row");
  });
});
