/**
 * The second story of the lab: an agent reaches the broker of the core through a tunnel, and only so; its probes leave
 * by the ordinary interface all the same.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../exchange/until.ts";
import { saidUpTo } from "../../run/said.ts";
import { brokerAtCore, repliesAtCore, startCoreBroker } from "./core-broker.ts";
import type { Headscale } from "./headscale.ts";
import { type VpnLab, vantage } from "./place.ts";
import * as plan from "./plan.ts";
import { TailscaleNode } from "./tailscale-node.ts";
import { startWireguard, wireguardAddress } from "./wireguard.ts";

const flows = 8;
/** Where nobody of the tunnel may come. */
const otherPort = 9999;

interface Tunnel {
  readonly name: string;
  /** Address of the core in the VPN. */
  readonly address: string;
  readonly port: number;
}

export async function playAgents(place: VpnLab, headscale: Headscale): Promise<void> {
  const { transcript } = place;
  transcript.title("The core and an agent join a VPN of their own, each by a key with its tag");
  const core = await joined(place, "core", await headscale.machineKey("tag:core"));
  await joined(place, "agent", await headscale.machineKey("tag:agent"));
  const vpn = { name: "Tailscale", address: await core.address("-4"), port: 9092 };
  const plain = { name: "WireGuard", address: wireguardAddress.core, port: 9096 };
  transcript.title("The same two, by plain WireGuard");
  await startWireguard(place);
  const servers = [vpn, plain].map(({ address, port }) => `${address}:${port}`);
  await startCoreBroker(place, servers);
  await measureThrough(place, vpn);
  await checkRules(place, vpn);
  await measureThrough(place, plain);
}

async function joined(place: VpnLab, machine: "core" | "agent", keyFile: string): Promise<TailscaleNode> {
  const node = new TailscaleNode(place, machine);
  await node.start();
  await node.joinByKey(keyFile, `--hostname=${machine}`);
  return node;
}

async function checkRules(place: VpnLab, { address, port: brokerPort }: Tunnel): Promise<void> {
  const { transcript } = place;
  const listen = `Bun.listen({ hostname: "0.0.0.0", port: ${otherPort}, socket: { data() {} } })`;
  place.daemon("listener", "core", [process.execPath, "-e", listen]);
  const opens = async (to: string, port: number) => {
    const dial = ["timeout", "2", "bash", "-c", `exec 3<>/dev/tcp/${to}/${port} && echo open`];
    return (await transcript.run("agent", dial, { isQuiet: true, mayFail: true })).includes("open");
  };
  await until("a listener at the core", () => opens(plan.underlay.core, otherPort));
  await transcript.check("the agent reaches the broker through the VPN", () => opens(address, brokerPort));
  const isClosed = !(await opens(address, otherPort));
  await transcript.check("and no other port of the core there", () => isClosed);
}

async function measureThrough(place: VpnLab, { name, address, port }: Tunnel): Promise<void> {
  const { transcript, folder } = place;
  transcript.title(`A measurement, with the broker behind ${name}`);
  const agentId = `agent-${name.toLowerCase()}`;
  const file = join(folder, `${agentId}.yaml`);
  writeFileSync(
    file,
    `agent:
  id: ${agentId}
  state_dir: ${folder}/${agentId}
  metrics_address: "127.0.0.1:0"
  block_reserved_ranges: false
prober: [{name: unicast, instance_id: 1, interface: target, probing_rate: 1000}]
kafka: {brokers: "${address}:${port}"}
`,
  );
  await transcript.run("agent", ["cat", file]);
  const command = [...vantage, "agent", "-c", file];
  transcript.started("agent", command);
  const agent = place.daemon(agentId, "agent", command);
  const capture = await Capture.start(place);
  const replies = await measure(place, agentId);
  await transcript.check(`${flows} answers of the target have come to the broker`, () => {
    agent.mustRun();
    return replies.filter((line) => line.includes(plan.targetAddress)).length === flows;
  });
  await transcript.run("agent", ["ss", "-Htn", "dst", address]);
  const arrived = await capture.end(flows);
  await transcript.check(`all ${flows} probes have come by the ordinary interface`, () => arrived === flows);
}

async function measure(place: VpnLab, agentId: string): Promise<readonly string[]> {
  const { transcript, folder } = place;
  const [lines, client] = [join(folder, "probes.csv"), join(folder, "client.yaml")];
  writeFileSync(client, `kafka: {brokers: "${brokerAtCore}"}\n`);
  const make = [...vantage, "probes", "--ttl", "1-1", "--flows", String(flows), plan.targetAddress];
  writeFileSync(lines, await transcript.run("core", make, { isQuiet: true }));
  const id = crypto.randomUUID();
  const submit = [
    ...vantage,
    "client",
    "-c",
    client,
    "-p",
    lines,
    "--no-wait",
    "--measurement-id",
    id,
    agentId,
  ];
  await transcript.run("core", submit);
  return repliesAtCore(place, id, flows);
}

/** Probes that come to the target by its link: where they leave, they pass by what captures there. */
class Capture {
  readonly #child: Bun.Subprocess<"ignore", "pipe", "pipe">;
  readonly #seen: string[] = [];

  private constructor(child: Bun.Subprocess<"ignore", "pipe", "pipe">) {
    this.#child = child;
    const write = (chunk: Uint8Array) => void this.#seen.push(new TextDecoder().decode(chunk));
    void child.stdout.pipeTo(new WritableStream({ write }));
  }

  static async start({ net }: VpnLab): Promise<Capture> {
    const command = net.at("target", ["tcpdump", "-lnni", "agent", `udp and dst host ${plan.targetAddress}`]);
    const child = Bun.spawn(command, { stdio: ["ignore", "pipe", "pipe"] });
    await saidUpTo(child.stderr, "listening on");
    return new Capture(child);
  }

  /** How many, once there are `count` at least. */
  async end(count: number): Promise<number> {
    await until("captured probes", () => this.#lines().length >= count);
    this.#child.kill();
    await this.#child.exited;
    return this.#lines().length;
  }

  #lines(): string[] {
    const lines = this.#seen.join("").split("\n");
    return lines.filter((line) => line.includes(plan.targetAddress));
  }
}
