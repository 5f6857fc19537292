/** A gateway for pictures: agents in five countries, a measurement of the demo network, a campaign. */

import { storePackets } from "../../apps/probing/gateway/packets/packet-files.ts";
import type { StoreProcess } from "../contract/client/store-with-paths.ts";
import { type ConsoleHome, operator } from "../contract/console/console-home.ts";
import { addCampaign } from "../contract/probing-gateway/campaign-time.ts";
import { fill } from "./console-scenes.ts";
import { type DemoOptions, demoRows, siteRows } from "./demo-network.ts";
import { addExperiment } from "./experiment-scene.ts";

const hourMs = 3_600_000;
const runsCount = 8;
/** From this run on answers are later: somebody has changed a way. */
const slowerFrom = 5;

/** Ids of the measurement, of one from a shared source, of the campaign, and of an experiment. */
export async function fillDemo(home: ConsoleHome, store: StoreProcess) {
  await fill(home, "reports are late");
  const { sql } = home.gateway.services.database;
  for (const [id, place, country, asn] of [
    ["amsterdam", "Amsterdam", "NL", 64498],
    ["east", "Singapore", "SG", 64499],
    ["lisbon", "Lisbon", "PT", 64496],
    ["oslo", "Oslo", "NO", 64511],
    ["west", "Seattle", "US", 64496],
  ] as const) {
    await sql`UPDATE agents SET location = ${place}, country = ${country}, asn = ${asn},
      pending_prefixes = ${id === "oslo" ? "{198.51.100.0/24}" : "{}"} WHERE agent_id = ${id}`;
  }
  const measurement = await measured(home, store, {});
  const nowMs = Date.now();
  const runs = [];
  for (let run = 0; run < runsCount; run++) {
    const plannedMs = nowMs - (runsCount - run) * hourMs;
    const slowerTenthMs = run < slowerFrom ? 0 : 60;
    const measurementId = await measured(home, store, { endMs: plannedMs + hourMs / 2, slowerTenthMs });
    runs.push({ measurementId, run, plannedMs });
  }
  const campaign = await addCampaign(home.gateway, operator, runs);
  await sql`
    INSERT INTO alerts (alert_id, campaign_id, agent_id, destination, detector, reason, raised_run)
    VALUES (gen_random_uuid(), ${campaign}, 'west', '203.0.113.10', 'rtt',
      'The median rose from 15.4 ms to 21.5 ms', ${slowerFrom})`;
  const anycast = await measured(home, store, { isAnycast: true });
  const experiment = await addExperiment(home);
  return { measurement, anycast, campaign, experiment };
}

/** Ids of measurements that pictures of the docs do not show: behind a NAT, of a name server's sites, with packets. */
export async function fillMore(home: ConsoleHome, store: StoreProcess) {
  const nat = await measured(home, store, { hasNat: true });
  const sites = await measured(home, store, siteRows);
  const { database } = home.gateway.services;
  await database.sql`UPDATE measurements SET records_packets = true WHERE measurement_id = ${nat}`;
  await storePackets(database, 1_000_000, {
    ...{ measurementId: nat, agentId: "west", interfaceName: "eth0", sent: 3200, heard: 2981, leftOut: 0 },
    content: new Uint8Array(24),
  });
  const own = { method: "POST", headers: { "content-type": "application/json" } };
  const shared = await home.gateway.json(operator, `/api/measurements/${nat}/sharing`, {
    ...own,
    body: JSON.stringify({ visibility: "link" }),
  });
  return { nat, sites, shared: String(shared.page).slice(1) };
}

/** The gateway takes other probes than the store has: the target is on its blocklist, which is a picture too. */
async function measured(home: ConsoleHome, store: StoreProcess, how: DemoOptions | typeof siteRows) {
  const lines = Array.from(
    { length: 96 },
    (_, i) => `198.51.100.200,${24_000 + (i % 16)},33434,${1 + (i >> 4)},udp\n`,
  );
  const options = { type: "text/csv", query: "?agents=west:192.0.2.1" };
  const answer = await home.gateway.submit(operator, lines.join(""), options);
  if (!answer.ok) {
    throw new Error(`The demo's measurement is refused: ${await answer.text()}`);
  }
  const { id } = (await answer.json()) as { id: string };
  const { probes, replies } = typeof how === "function" ? how(id) : demoRows(id, how);
  await store.insertProbes(probes);
  await store.insertReplies(replies);
  const { sql } = home.gateway.services.database;
  await sql`
    UPDATE measurement_agents SET status = 'complete', expected_probes = ${probes.length},
      sent_probes = ${probes.length}, received_replies = ${replies.length} WHERE measurement_id = ${id}`;
  await sql`
    UPDATE measurements SET started_at = now() - interval '21 minutes', ended_at = now() - interval '40 seconds'
    WHERE measurement_id = ${id}`;
  return id;
}
