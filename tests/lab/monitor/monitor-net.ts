/** A speaker, and two who listen to it: `collector` by a file of MRT, `router` by BMP. */
import { LabNet } from "../lab-net.ts";

const nodes = ["speaker", "collector", "router"] as const;
type Node = (typeof nodes)[number];

export const speakerAsn = 64_500;
export const listenerAsn = 64_510;

/** Addresses of the speaker's end and of the other, on the link to a listener. */
export const links = {
  collector: { near: "2001:db8:1::1", far: "2001:db8:1::2", nearV4: "192.0.2.1", farV4: "192.0.2.2" },
  router: { near: "2001:db8:2::1", far: "2001:db8:2::2", nearV4: "198.51.100.1", farV4: "198.51.100.2" },
} as const;

export class MonitorNet extends LabNet<Node> {
  static start(): Promise<MonitorNet> {
    return new MonitorNet({ nodes, routers: [], settings: [] }).make();
  }

  protected override async link(): Promise<void> {
    for (const [node, { near, far, nearV4, farV4 }] of Object.entries(links) as [
      keyof typeof links,
      (typeof links)[keyof typeof links],
    ][]) {
      await this.ip("speaker", [
        `link add to-${node} type veth peer name to-speaker netns ${this.namespaceOf(node)}`,
        `addr add ${near}/64 dev to-${node} nodad`,
        `addr add ${nearV4}/24 dev to-${node}`,
        `link set to-${node} up`,
      ]);
      await this.ip(node, [
        `addr add ${far}/64 dev to-speaker nodad`,
        `addr add ${farV4}/24 dev to-speaker`,
        "link set to-speaker up",
        "link set lo up",
      ]);
    }
  }
}
