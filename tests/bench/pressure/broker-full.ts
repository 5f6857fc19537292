/**
 * The disk of the embedded log is full in the middle of a campaign, and has room again: replies go to the agent's
 * spool, then senders pause, and all goes on by itself.
 */
import { repliesTopic } from "../../../lib/net/wire/target-header.ts";
import { SmallDisk } from "../../contract/broker/small-disk.ts";
import { AgentRig } from "../../lab/agent-rig.ts";
import type { Internet } from "../../lab/internet.ts";
import { run } from "../../lab/namespaces.ts";
import { interfaceTo } from "../../lab/routing.ts";
import { AgentWatch } from "./agent-watch.ts";
import { campaignRate, publishCampaign } from "./campaign.ts";

/** Share of the campaign's probes at which the disk is filled. */
const fullAt = 0.1;
/** Room for the answers to a third of the campaign, but the least that an agent may have. */
const spoolBytesPerProbe = 100;
const spoolBytesMin = 1 << 20;
/** The log without its filler; a probe and its reply take less than a kilobyte there. */
const diskMegabytes = 64;
/** Senders look before each batch; what was under way then is on the wire by now. */
const settleMs = 500;
/** How long the pause is looked at, for each probe of the campaign. */
const pauseMsPerProbe = 0.1;

export interface BrokerFull {
  /** From the first publish that was refused until replies are on disk. */
  readonly spooledSec: number;
  /** Answers that the agent has and the broker has not, while senders pause. */
  readonly held: number;
  /** From the spool being full to the last probe. */
  readonly lastProbeSec: number;
  readonly pausedSec: number;
  /** At the first router. */
  readonly pausedPacketsPerSec: number;
  /** From room in the broker to the next probe, and to an empty spool. */
  readonly nextProbeSec: number;
  readonly emptiedSec: number;
  readonly lost: number;
  readonly doubled: number;
}

/** Rejects when the campaign does not come to its end. */
export async function measureBrokerFull(net: Internet, count: number): Promise<BrokerFull> {
  await using disk = await SmallDisk.mount(diskMegabytes + Math.ceil(count / 1000));
  await using rig = await AgentRig.open(net, `embedded:${disk.folder}/broker`);
  const wire = await WireCount.start(net);
  await rig.start("east", "east", {
    agent: { spool_bytes_max: Math.max(spoolBytesMin, count * spoolBytesPerProbe) },
    prober: [
      {
        interface: interfaceTo("eastAccess"),
        src_ipv4_prefix: "10.101.0.0/24",
        probing_rate: campaignRate,
      },
    ],
  });
  await using agent = new AgentWatch(net, "east");
  await publishCampaign(rig.broker, { measurementId: "m", count, srcIp: "" });
  await agent.until("the first probes", ({ sent }) => sent >= count * fullAt);
  await disk.fill();
  const refused = await agent.until("a refused publish", ({ publishFailures }) => publishFailures > 0);
  const spooled = await agent.until("replies on disk", ({ spoolBytes }) => spoolBytes > 0);
  const full = await agent.until("the spool to be full", ({ spoolFull }) => spoolFull > 0);
  const pauseMs = count * pauseMsPerProbe;
  const pause = await watchPause(agent, wire, pauseMs);
  const lastProbe = await agent.until("the last probe", ({ sent }) => sent === pause.end.sent);
  disk.empty();
  const roomAtMs = performance.timeOrigin + performance.now();
  const next = await agent.until("the next probe", ({ sent }) => sent > pause.end.sent, roomAtMs);
  const emptied = await agent.until("an empty spool", ({ spoolBytes }) => spoolBytes === 0, roomAtMs);
  await agent.until("all replies in the broker", ({ published }) => published >= count);
  return {
    spooledSec: (spooled.atMs - refused.atMs) / 1000,
    held: pause.end.matched - pause.end.published,
    lastProbeSec: Math.max(0, lastProbe.atMs - full.atMs) / 1000,
    pausedSec: (roomAtMs - lastProbe.atMs) / 1000,
    pausedPacketsPerSec: (pause.packets * 1000) / pauseMs,
    nextProbeSec: (next.atMs - roomAtMs) / 1000,
    emptiedSec: (emptied.atMs - roomAtMs) / 1000,
    ...(await repliesOf(rig, count)),
  };
}

async function watchPause(agent: AgentWatch, wire: WireCount, pauseMs: number) {
  await Bun.sleep(settleMs);
  const before = await wire.packets();
  await Bun.sleep(pauseMs);
  return { packets: (await wire.packets()) - before, end: await agent.now() };
}

async function repliesOf(rig: AgentRig, count: number) {
  const positions = await rig.broker.positions("bench", repliesTopic);
  const records = positions.reduce((sum, { end }) => sum + Number(end), 0);
  const heard = await rig.replies(records);
  const distinct = new Set(heard.map(({ reply }) => `${reply.probeSrcPort} ${reply.probeTtl}`));
  return { lost: count - distinct.size, doubled: heard.length - distinct.size };
}

/** Counts probes as they arrive at the first router of the lab, in its kernel: what has really left. */
const node = "eastAccess";
const program = `
add table inet pressure
delete table inet pressure
add table inet pressure
add counter inet pressure probes
add chain inet pressure arrival { type filter hook prerouting priority -300; }
add rule inet pressure arrival udp dport 33434 counter name probes
`;

class WireCount {
  readonly #net: Internet;

  private constructor(net: Internet) {
    this.#net = net;
  }

  /** From zero, whatever was counted before. */
  static async start(net: Internet): Promise<WireCount> {
    await run(net.at(node, ["nft", "-f", "-"]), program);
    return new WireCount(net);
  }

  async packets(): Promise<number> {
    const said = await run(this.#net.at(node, ["nft", "list", "counter", "inet", "pressure", "probes"]));
    return Number(/packets (\d+)/.exec(said)?.[1]);
  }
}
