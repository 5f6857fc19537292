/** A gateway that is killed while it delivers: the message comes again under the same id, until it is taken. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { makeCampaign } from "../../../apps/probing/campaigns/campaigns.ts";
import { definitionSchema, scheduleOf } from "../../../apps/probing/campaigns/definition.ts";
import { probingSchema } from "../../../apps/probing/gateway/migrations.ts";
import { identityOf } from "../../../lib/engines/auth/token-verifier.ts";
import { migrate } from "../../../lib/engines/store/postgres/migrate.ts";
import { type Database, openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { embeddedHome } from "../../postgres/embedded.ts";
import { plainCampaign } from "../probing-gateway/campaign-time.ts";
import { GatewayProcess } from "../probing-gateway/gateway-process.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-delivery-kill-"));
const ids: string[] = [];
const met = Promise.withResolvers<void>();
let isAnswering = false;
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: async (request) => {
    ids.push(request.headers.get("vantage-delivery") ?? "");
    met.resolve();
    return isAnswering ? new Response(null, { status: 200 }) : await new Promise<Response>(() => undefined);
  },
});
afterAll(async () => {
  await server.stop(true);
  rmSync(folder, { recursive: true, force: true });
});

test("a message is delivered at least once, with one id", async () => {
  using home = await embeddedHome();
  const offline = async <Answer>(act: (database: Database) => Promise<Answer>) => {
    await using database = await openDatabase(home.address, { applicationName: "test" });
    return await act(database);
  };
  const delivery = crypto.randomUUID();
  await offline(async (database) => {
    await migrate(database, probingSchema);
    const { sql } = database;
    const { userHash } = identityOf("test-user-id");
    await sql`INSERT INTO users (user_hash, user_id) VALUES (${userHash}, ${0xc95b3f80})`;
    const start = new Date(Date.now() + 3_600_000).toISOString();
    const definition = v.parse(definitionSchema, { ...plainCampaign, start });
    const { probes } = plainCampaign;
    const caps = { campaignsMax: 1, probesPerDayMax: 1_000_000, storedBytesMax: 2 ** 40 };
    const schedule = scheduleOf(definition, Date.now());
    const id = await makeCampaign(database, {
      userHash,
      definition,
      schedule,
      probes,
      probesPerDay: 1,
      caps,
    });
    const target = { webhook: `http://127.0.0.1:${server.port}/`, secret: "only for this test" };
    await sql`
      INSERT INTO alert_deliveries (delivery_id, campaign_id, run, kind, place, target, is_digest, events, body)
      VALUES (${delivery}, ${id}, 0, 'webhook', '127.0.0.1', ${sql.json(target)}, false, 1, '{"kind": "raised"}')`;
  });
  const config = join(folder, "gateway.yaml");
  writeFileSync(
    config,
    [
      `gateway: { address: "127.0.0.1:0", state_dir: "${folder}/state", bypass_authentication: true }`,
      `database: { address: "${home.address}" }`,
      "alerts: { allowed_hosts: [127.0.0.1] }",
    ].join("\n"),
  );
  const first = await GatewayProcess.start(config);
  await met.promise;
  await first.kill();
  isAnswering = true;
  await offline(({ sql }) => sql`UPDATE alert_deliveries SET claimed_until = now()`);
  const second = await GatewayProcess.start(config);
  while (ids.length < 2) {
    await Bun.sleep(10);
  }
  await second.stop();
  expect(ids).toEqual([delivery, delivery]);
  const [row] = await offline(({ sql }) => sql`SELECT state, target, attempts FROM alert_deliveries`);
  expect(row).toMatchObject({ state: "delivered", target: null, attempts: [{ outcome: "HTTP/1.1 200 OK" }] });
});
