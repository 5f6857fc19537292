/** How long `vantage agent` takes from its start to its first packet: on loopback, its record is there before. */
import { address } from "../../../lib/net/ip/address.ts";
import { probesTopic } from "../../../lib/net/wire/target-header.ts";
import { AgentRig, probeRecord } from "../../lab/agent-rig.ts";

const agentId = "start";
const home = "127.0.0.1";
const prober = [{ interface: "lo", src_ipv4_prefix: `${home}/32` }];
const packetMsMax = 15_000;

export interface Start {
  readonly elapsedMs: number;
  readonly cpuMs: number;
}

/** An agent that is new each time. Throws when no packet comes. */
export async function startToPacket(executable: string): Promise<Start> {
  await using rig = await AgentRig.open(null);
  const first = Promise.withResolvers<number>();
  const socket = await Bun.udpSocket({
    ...{ hostname: home, socket: { data: () => first.resolve(performance.now()) } },
  });
  const probe = {
    dst: address(home),
    srcPort: 24_000,
    dstPort: socket.port,
    ttl: 64,
    protocol: "udp",
  } as const;
  await rig.broker.publish(probesTopic, [probeRecord(agentId, { measurementId: "start" }, [probe])]);
  const config = rig.configure(agentId, { prober }, 0);
  const startedAt = performance.now();
  const child = Bun.spawn([executable, "agent", "--config", config], {
    ...{ env: { PATH: process.env.PATH }, stdin: "ignore", stdout: "ignore", stderr: "ignore" },
  });
  const timer = setTimeout(() => first.reject(new Error("The agent sent no packet")), packetMsMax);
  try {
    const elapsedMs = (await first.promise) - startedAt;
    child.kill("SIGKILL");
    await child.exited;
    return { elapsedMs, cpuMs: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000 };
  } finally {
    child.kill("SIGKILL");
    clearTimeout(timer);
    socket.close();
  }
}
