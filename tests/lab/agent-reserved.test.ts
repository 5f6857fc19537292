/** An agent without a word from any gateway: what nobody may probe does not leave it, from the first packet on. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { probesTopic } from "../../lib/net/wire/target-header.ts";
import { AgentRig, probeRecord, probesTo } from "./agent-rig.ts";
import { Internet } from "./internet.ts";
import { interfaceTo } from "./routing.ts";
import { internet } from "./topology.ts";
import { WireWatch } from "./wire-watch.ts";

const prober = { interface: interfaceTo("eastAccess"), src_ipv4_prefix: "10.101.0.0/24", probing_rate: 5000 };
/** Nobody answers there. */
const silentGateway = { url: "http://127.0.0.1:1", enrolment_key: "of-sixteen-or-more-characters" };

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(() => net.stop());

const toReserved = () =>
  probeRecord("east", {}, probesTo("203.0.113.10", { ports: [20_000, 20_001], ttls: [1] }));

test.each([
  ["without a gateway", {}],
  ["before the gateway has answered", { gateway: silentGateway }],
] as const)(
  "%s, reserved ranges are not probed; the operator's key lets them through",
  async (_, gateway) => {
    await using rig = await AgentRig.open(net);
    await using watch = await WireWatch.start({
      net,
      folder: rig.folder,
      node: "eastAccess",
      neighbour: "east",
    });
    const config = { agent: { block_reserved_ranges: true }, prober: [prober], ...gateway };
    const agent = await rig.start("east", "east", config);
    await rig.broker.publish(probesTopic, [toReserved()]);
    await rig.untilCommitted("east");
    expect(await rig.metric("east", "probes_blocked_total")).toBe(2);
    expect(watch.count).toBe(0);
    rig.configure("east", { ...config, agent: { block_reserved_ranges: false } });
    agent.process.kill("SIGHUP");
    while (watch.count === 0) {
      await rig.broker.publish(probesTopic, [toReserved()]);
      await rig.untilCommitted("east");
    }
    expect(await agent.stop()).toBe(0);
  },
);
