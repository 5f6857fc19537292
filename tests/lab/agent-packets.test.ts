/** Packets that a user asked for, from the wire through the agent and the gateway to the user. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../run/until.ts";
import { readSavefile } from "../vectors/hand/savefile.ts";
import { GatewayScene } from "./gateway-scene.ts";
import { Internet } from "./internet.ts";
import { internet } from "./topology.ts";

/** Ethernet and IPv4 without options; an ICMP error quotes the probe behind 28 bytes more. */
const [udpAt, quoteBytes, protocolAt, udp] = [34, 28, 23, 17];

let net: Internet;
let scene: GatewayScene;
beforeAll(async () => {
  net = await Internet.start(internet);
  scene = await GatewayScene.open(net);
});
afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
  await net?.stop();
});

interface PacketFile {
  readonly agent_id: string;
  readonly interface: string;
  readonly sent_packets: number;
  readonly heard_packets: number;
  readonly left_out_packets: number;
}

const filesOf = async (id: string) =>
  (await scene.gateway.user<PacketFile[]>("GET", `/api/measurements/${id}/packets`)).body;

/** The source port of a probe, or of the probe that an error quotes. */
function portOf(frame: Uint8Array): readonly [isSent: boolean, port: number] {
  const isSent = frame[protocolAt] === udp;
  const at = isSent ? udpAt : udpAt + quoteBytes;
  return [isSent, ((frame[at] ?? 0) << 8) | (frame[at + 1] ?? 0)];
}

test("the file of a measurement has its own packets, all of them, beside two others at the same time", async () => {
  const agent = await scene.startAgent(await scene.ownKeys());
  const query = "?record_packets=true";
  // A user is known from the first look on.
  await scene.gateway.user("GET", "/api/user/me");
  await expect(scene.submit(1, 10_000, query)).rejects.toThrow("packets_not_granted");
  const users = await scene.gateway.admin<{ user_hash: string }[]>("GET", "/admin/users");
  await scene.gateway.admin("PATCH", `/admin/users/${users.body[0]?.user_hash}`, {
    may_record_packets: true,
  });
  const counts = [300, 200, 250] as const;
  const [one, two, unrecorded] = await Promise.all([
    scene.submit(counts[0], 20_000, query),
    scene.submit(counts[1], 30_000, query),
    scene.submit(counts[2], 40_000),
  ]);
  for (const id of [one, two, unrecorded]) {
    await until(() => scene.isComplete(id));
  }
  for (const [id, first, count] of [
    [one, 20_000, counts[0]],
    [two, 30_000, counts[1]],
  ] as const) {
    await until(async () => (await filesOf(id)).length > 0);
    const part = await scene.part(id);
    const [file] = await filesOf(id);
    expect(file).toMatchObject({
      ...{
        agent_id: "east",
        sent_packets: count,
        heard_packets: part?.received_replies,
        left_out_packets: 0,
      },
    });
    expect(part?.received_replies).toBe(count);
    const bytes = await scene.gateway.file(`/api/measurements/${id}/packets/east/${file?.interface}`);
    const { packets, linkType, fractionNs } = readSavefile(bytes);
    expect({ linkType, fractionNs }).toEqual({ linkType: 1, fractionNs: 1 });
    const ports = packets.map(({ frame }) => portOf(frame));
    const wanted = Array.from({ length: count }, (_, i) => first + i);
    const sorted = (isSent: boolean) =>
      ports.flatMap(([sent, port]) => (sent === isSent ? [port] : [])).sort();
    expect([sorted(true), sorted(false)]).toEqual([wanted, wanted]);
    const path = join(scene.rig.folder, "recorded.pcap");
    writeFileSync(path, bytes);
    const dump = Bun.spawnSync(["tcpdump", "-nn", "-r", path]);
    expect(dump.stdout.toString().trim().split("\n")).toHaveLength(2 * count);
  }
  expect(await filesOf(unrecorded)).toEqual([]);
  expect(await agent.stop()).toBe(0);
  expect(readdirSync(join(scene.rig.stateDir("east"), "packets"))).toEqual([]);
});
