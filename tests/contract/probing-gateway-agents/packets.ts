/** Packets that agents keep for a measurement: who may ask for them, hand them over and fetch them, and how many. */
import { describe, expect, test } from "bun:test";
import {
  packetBytesOfUserMax,
  packetFileBytesMax,
  packetFilesOfAgentMax,
} from "../../../apps/probing/gateway/limits.ts";
import { removeExpiredPackets } from "../../../apps/probing/gateway/packets/packet-files.ts";
import { identityOf } from "../../../lib/engines/auth/token-verifier.ts";
import { decodeTargetHeader } from "../../../lib/net/wire/target-header.ts";
import { writeSavefile } from "../../vectors/hand/savefile.ts";
import { type GatewayHome, probeText } from "../probing-gateway/gateway-home.ts";
import { AgentCaller, admin } from "./callers.ts";

const mediaType = "application/vnd.tcpdump.pcap";
const file = writeSavefile({
  linkType: 1,
  fractionNs: 1,
  packets: [{ timeNs: 1_800_000_000_000_000_001n, frame: new Uint8Array(60).fill(7) }],
});

async function grant(gateway: GatewayHome, user: string, may = true): Promise<void> {
  await gateway.ask(user, "/api/user/me");
  const body = { may_record_packets: may };
  const path = `/users/${identityOf(user).userHash}`;
  expect(await admin(gateway, path, { method: "PATCH", body })).toMatchObject({ status: 200, body });
}

async function submit(gateway: GatewayHome, user: string, agents: string, query = "&record_packets=true") {
  const response = await gateway.submit(user, probeText(3), {
    type: "text/csv",
    query: `?agents=${agents}${query}`,
  });
  return { status: response.status, body: (await response.json()) as { id: string; code?: string } };
}

async function handOver(
  gateway: GatewayHome,
  agent: AgentCaller,
  id: string,
  { content = file, name = "eth0" }: { readonly content?: Uint8Array; readonly name?: string } = {},
): Promise<number> {
  const query = new URLSearchParams({ interface: name, sent: "2", heard: "1", left_out: "0" });
  const path = `/agent-api/agent/${agent.id}/measurements/${id}/packets?${query}`;
  const init = {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: new Blob([content.slice()]),
  };
  return (await gateway.ask(agent.key, path, init)).status;
}

async function listed(gateway: GatewayHome, user: string, id: string) {
  const response = await gateway.ask(user, `/api/measurements/${id}/packets`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown>[] };
}

export function packetsSuite(gateway: () => GatewayHome): void {
  describe("packets of measurements", () => {
    const files = () => gateway().services.database.sql`SELECT measurement_id FROM packet_files`;

    test("are kept only for users to whom an operator grants it, as the records of the measurement say", async () => {
      await AgentCaller.ready(gateway(), "r1");
      expect(await submit(gateway(), "plain", "r1")).toMatchObject({
        status: 403,
        body: { code: "packets_not_granted" },
      });
      await grant(gateway(), "plain");
      const { body } = await submit(gateway(), "plain", "r1");
      const asks = async (id: string) => {
        const headers = (await gateway().records(id)).map((record) =>
          decodeTargetHeader(String(record.headers.r1)),
        );
        return headers.map((read) => read.ok && read.header.recordsPackets === true);
      };
      expect(await asks(body.id)).toEqual([true]);
      expect(await asks((await submit(gateway(), "plain", "r1", "")).body.id)).toEqual([false]);
      await grant(gateway(), "plain", false);
      expect(await submit(gateway(), "plain", "r1")).toMatchObject({ status: 403 });
    });

    test("are handed to their user, and to nobody else", async () => {
      const agent = await AgentCaller.ready(gateway(), "r2");
      await grant(gateway(), "owner");
      await grant(gateway(), "other");
      const { id } = (await submit(gateway(), "owner", "r2")).body;
      expect(await handOver(gateway(), agent, id, { name: "eth0.7" })).toBe(200);
      const { body } = await listed(gateway(), "owner", id);
      expect(body).toMatchObject([
        {
          ...{ agent_id: "r2", interface: "eth0.7", sent_packets: 2, heard_packets: 1, left_out_packets: 0 },
          size_bytes: file.length,
        },
      ]);
      const path = `/api/measurements/${id}/packets/r2/eth0.7`;
      const response = await gateway().ask("owner", path);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, mediaType]);
      expect(await response.bytes()).toEqual(file);
      expect((await listed(gateway(), "other", id)).status).toBe(404);
      expect((await gateway().ask("other", path)).status).toBe(404);
      expect((await gateway().ask(null, path)).status).toBe(401);
      expect((await gateway().ask("owner", path.replace("eth0.7", "eth1"))).status).toBe(404);
    });

    test("come from agents of the measurement, where it asked for them, once", async () => {
      const [agent, stranger] = [
        await AgentCaller.ready(gateway(), "r3"),
        await AgentCaller.ready(gateway(), "r4"),
      ];
      await grant(gateway(), "asks");
      const { id } = (await submit(gateway(), "asks", "r3")).body;
      const unasked = (await submit(gateway(), "asks", "r3", "")).body.id;
      expect(await handOver(gateway(), stranger, id)).toBe(404);
      expect(await handOver(gateway(), agent, unasked)).toBe(404);
      expect(await handOver(gateway(), agent, crypto.randomUUID())).toBe(404);
      const wrongKey = new AgentCaller(gateway(), "r3", stranger.key);
      expect(await handOver(gateway(), wrongKey, id)).toBe(403);
      expect(await handOver(gateway(), agent, id)).toBe(200);
      const second = writeSavefile({ linkType: 101, fractionNs: 1, packets: [] });
      expect(await handOver(gateway(), agent, id, { content: second })).toBe(200);
      expect((await listed(gateway(), "asks", id)).body).toMatchObject([{ size_bytes: file.length }]);
    });

    test("have limits: of a file, of an agent's files, of a user's, and in time", async () => {
      const agent = await AgentCaller.ready(gateway(), "r5");
      await grant(gateway(), "much");
      const { id } = (await submit(gateway(), "much", "r5")).body;
      const large = new Uint8Array(packetFileBytesMax + 1);
      large.set(file);
      expect(await handOver(gateway(), agent, id, { content: large })).toBe(413);
      expect(await handOver(gateway(), agent, id, { content: new Uint8Array(100) })).toBe(422);
      expect(await handOver(gateway(), agent, id, { name: "../../etc" })).toBe(400);
      for (let i = 0; i < packetFilesOfAgentMax; i++) {
        expect(await handOver(gateway(), agent, id, { name: `eth${i}` })).toBe(200);
      }
      expect(await handOver(gateway(), agent, id, { name: "one-more" })).toBe(409);
      const { sql } = gateway().services.database;
      await sql`
      UPDATE packet_files SET size_bytes = ${packetBytesOfUserMax - packetFilesOfAgentMax * file.length}
      WHERE measurement_id = ${id} AND interface_name = 'eth0'`;
      const next = (await submit(gateway(), "much", "r5")).body.id;
      expect(await handOver(gateway(), agent, next)).toBe(200);
      expect(await handOver(gateway(), agent, next, { name: "eth1" })).toBe(409);
      await sql`UPDATE packet_files SET expires_at = now() WHERE measurement_id = ${id}`;
      expect((await listed(gateway(), "much", id)).body).toEqual([]);
      expect((await gateway().ask("much", `/api/measurements/${id}/packets/r5/eth0`)).status).toBe(404);
      const before = (await files()).length;
      await removeExpiredPackets(gateway().services.database);
      expect(before - (await files()).length).toBe(packetFilesOfAgentMax);
      // Whoever erases a user takes them away too.
      await sql`DELETE FROM measurements WHERE measurement_id = ${next}`;
      expect((await files()).map((row) => row.measurement_id)).not.toContain(next);
    });
  });
}
