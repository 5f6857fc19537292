/** An agent that cannot go on ends, so that the service manager starts it again. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { AgentRig } from "./agent-rig.ts";
import { Internet } from "./internet.ts";
import { run } from "./namespaces.ts";
import { internet } from "./topology.ts";

const device = "spare0";

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(() => net.stop());

test("one of whose threads has failed ends with 1, and says which and why", async () => {
  const link = (...args: string[]) => run(net.at("east", ["ip", "link", ...args]));
  await link("add", device, "type", "veth", "peer", "name", "spare1");
  await link("set", device, "up");
  await using rig = await AgentRig.open(net);
  const prober = { interface: device, src_ipv4_prefix: "10.101.0.0/24" };
  const agent = await rig.start("east", "east", { prober: [prober] });
  await link("delete", device);
  expect(await agent.process.exited).toBe(1);
  expect(agent.stderr()).toContain(`Cannot continue: receiver ${device} has ended; restart the agent`);
  expect(agent.stderr()).toContain("Cannot capture: The interface disappeared");
});
