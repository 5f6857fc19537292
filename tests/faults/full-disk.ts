/** The disk of an embedded log fills up: a measuring side of its own on that log, with an agent and a campaign. */
import { SmallDisk } from "../contract/broker/small-disk.ts";
import { Campaign } from "./campaign.ts";
import type { Fault } from "./fault.ts";
import { Measuring } from "./measuring.ts";
import type { FaultOptions } from "./options.ts";
import { until } from "./patience.ts";
import type { Scene } from "./scene.ts";
import { south } from "./topology.ts";

const diskMegabytes = 64;
const gatewayPort = 8094;
/** Share of the large campaign. */
const share = 0.02;
/** Besides the outage: until the disk is full, and until all is well again. */
const moreMs = 4000;
const pieceProbes = 5;
/** So that the disk has room for all that comes, when it is not filled. */
const rateMax = 1000;

export function fullDisk(
  scene: Scene,
  { probes, rateProbesPerSec, outageMs, restartMs }: FaultOptions,
): Fault {
  const rate = rateProbesPerSec ?? (share * probes * 1000) / 2 / (outageMs + moreMs);
  const size = Math.ceil((Math.min(rateMax, rate) * (outageMs + moreMs)) / 1000);
  let disk: SmallDisk | null = null;
  let campaign: Campaign | null = null;
  return {
    name: "disk-full",
    what: "disk of an embedded log full, emptied again",
    killsAgent: false,
    async prepare() {
      disk = scene.own(await SmallDisk.mount(diskMegabytes));
      const plan = {
        ...{
          name: "small",
          folder: scene.folder,
          brokers: `embedded:${disk.folder}/broker`,
          agents: [south],
        },
        ...{ port: gatewayPort, restartMs },
        rateProbesPerSec: Math.ceil((size * 1000) / (outageMs + moreMs)),
      };
      const side = scene.own(await Measuring.start(plan, scene.engines));
      campaign = new Campaign(side, size);
      scene.campaigns.push(campaign);
      const first = await campaign.submitLarge(Math.floor(size / 2));
      const status = `/api/measurement/${first?.id}/status`;
      await until("the first probes", async () => {
        const { body } = await side.ask<{ agents: { sent_probes: number }[] }>("GET", status);
        return (body.agents[0]?.sent_probes ?? 0) > 0;
      });
      campaign.startDrizzle(pieceProbes);
    },
    async play() {
      await disk?.fill();
      await Bun.sleep(outageMs);
      disk?.empty();
    },
    campaign: () => campaign ?? scene.campaign,
  };
}
