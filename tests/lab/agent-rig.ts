/** Agents of a test: processes at nodes of the lab's Internet, a broker directory, and what goes in and comes out. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import type { Broker, IncomingRecord, OutgoingRecord } from "../../lib/engines/broker/broker.ts";
import { openBroker } from "../../lib/engines/broker/open.ts";
import { address } from "../../lib/net/ip/address.ts";
import type { Probe, Protocol } from "../../lib/net/packet/probe.ts";
import type { Reply } from "../../lib/net/packet/reply.ts";
import { encodeProbes } from "../../lib/net/wire/probe-codec.ts";
import { decodeReply } from "../../lib/net/wire/reply-codec.ts";
import {
  agentGroup,
  encodeTargetHeader,
  probesTopic,
  repliesTopic,
  type TargetHeader,
} from "../../lib/net/wire/target-header.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import type { Internet } from "./internet.ts";
import { NodeFetch } from "./node-fetch.ts";

const startMsMax = 240_000;
const metricsPort = 8080;

export interface Heard {
  readonly reply: Reply;
  readonly headers: Readonly<Record<string, string>>;
}

export interface RunningAgent {
  readonly process: Subprocess;
  readonly stderr: () => string;
  /** SIGTERM; resolves to the exit code. */
  stop(): Promise<number>;
}

export class AgentRig implements AsyncDisposable {
  readonly folder: string;
  readonly brokerAddress: string;
  readonly broker: Broker;
  readonly #net: Internet | null;
  readonly #agents: RunningAgent[] = [];
  /** By node. */
  readonly #fetches = new Map<string, NodeFetch>();

  private constructor(net: Internet | null, folder: string, brokerAddress: string, broker: Broker) {
    this.#net = net;
    this.folder = folder;
    this.brokerAddress = brokerAddress;
    this.broker = broker;
  }

  /**
   * Without an Internet, agents run where the test does: dry ones, or on loopback. Without a broker's address, the
   * broker is an embedded one of the rig's own.
   */
  static async open(
    net: Internet | null,
    address: string | null = null,
    folder = mkdtempSync(join(tmpdir(), "vantage-agents-")),
  ): Promise<AgentRig> {
    const brokerAddress = address ?? `embedded:${join(folder, "broker")}`;
    const broker = await openBroker(brokerAddress);
    for (const name of [probesTopic, repliesTopic]) {
      await broker.ensureTopic({ name, partitions: 16, retentionMs: 3_600_000 });
    }
    return new AgentRig(net, folder, brokerAddress, broker);
  }

  stateDir(agentId: string): string {
    return join(this.folder, agentId);
  }

  /** Writes the configuration that an agent is started with, or reads again; returns the file's path. */
  configure(agentId: string, config: object, port = metricsPort): string {
    const { agent = {}, kafka = {}, ...rest } = config as Record<string, object>;
    mkdirSync(this.stateDir(agentId), { recursive: true });
    const path = join(this.folder, `${agentId}.yaml`);
    const whole = {
      agent: {
        id: agentId,
        metrics_address: `127.0.0.1:${port}`,
        state_dir: this.stateDir(agentId),
        grace_time: 1500,
        // Everything in the lab has addresses for documentation.
        block_reserved_ranges: false,
        // And few of them, which get far more than anybody's address should.
        ...{ address_rate: 0, network_rate: 0 },
        ...agent,
      },
      kafka: {
        brokers: this.brokerAddress.replace(/^kafka:/, ""),
        out_batch_wait_time: 50,
        out_batch_wait_interval: 5,
        ...kafka,
      },
      ...rest,
    };
    // JSON is YAML.
    writeFileSync(path, JSON.stringify(whole));
    return path;
  }

  /** Starts `vantage agent` with this configuration (but for the folders and the broker) and waits until it runs. */
  async start(node: string, agentId: string, config: object, port = metricsPort): Promise<RunningAgent> {
    const path = this.configure(agentId, config, port);
    const command = this.at(node, [...vantageCommand, "agent", "--config", path]);
    const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    let stderr = "";
    void child.stderr.pipeTo(
      new WritableStream({
        write: (chunk: Uint8Array) => {
          stderr += new TextDecoder().decode(chunk);
        },
      }),
    );
    const agentRun: RunningAgent = {
      process: child,
      stderr: () => stderr,
      async stop() {
        child.kill("SIGTERM");
        return child.exited;
      },
    };
    this.#agents.push(agentRun);
    const timer = setTimeout(() => child.kill("SIGKILL"), startMsMax);
    const { value } = await child.stdout.getReader().read();
    clearTimeout(timer);
    if (value === undefined) {
      throw new Error(`Cannot start agent ${agentId}: ${stderr}`);
    }
    return agentRun;
  }

  at(node: string, command: readonly string[]): string[] {
    return this.#net === null ? [...command] : this.#net.at(node, command);
  }

  /** GET from an agent's own address, where it runs; empty where nothing answers. */
  async get(node: string, path: string, port = metricsPort): Promise<string> {
    const own = this.#fetches.get(node) ?? new NodeFetch((command) => this.at(node, command));
    this.#fetches.set(node, own);
    try {
      const { bytes } = await own.ask({ url: `http://127.0.0.1:${port}${path}` });
      return new TextDecoder().decode(bytes);
    } catch {
      return "";
    }
  }

  /** The sum of a metric over its labels. */
  async metric(node: string, name: string, port = metricsPort): Promise<number> {
    const lines = (await this.get(node, "/metrics", port)).split("\n");
    const values = lines.filter((line) => line.startsWith(`vantage_agent_${name}{`));
    return values.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
  }

  /** Wanted replies from the start of the topic, until `count` came or `waitMs` passed without any. */
  async replies(
    count: number,
    waitMs = 120_000,
    isWanted: (heard: Heard) => boolean = () => true,
  ): Promise<Heard[]> {
    await using subscription = await this.broker.subscribe(`test-${crypto.randomUUID()}`, [repliesTopic]);
    const heard: Heard[] = [];
    let untilMs = performance.now() + waitMs;
    while (heard.length < count && performance.now() < untilMs) {
      for (const record of await subscription.next({ recordsMax: 1000, waitMs: 100 })) {
        heard.push(...repliesOf(record).filter(isWanted));
        untilMs = performance.now() + waitMs;
      }
    }
    return heard;
  }

  /** Until the agent is done with every record there is. */
  async untilCommitted(agentId: string): Promise<void> {
    for (;;) {
      const positions = await this.broker.positions(agentGroup(agentId), probesTopic);
      if (positions.every(({ committed, end }) => committed === end)) {
        return;
      }
      await Bun.sleep(50);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { process: child } of this.#agents) {
      child.kill("SIGKILL");
      await child.exited;
    }
    for (const own of this.#fetches.values()) {
      own[Symbol.dispose]();
    }
    await this.broker[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function repliesOf({ value, headers }: IncomingRecord): Heard[] {
  const heard: Heard[] = [];
  for (let at = 0; at < value.length; ) {
    const decoded = decodeReply(value, at);
    if (!decoded.ok) {
      throw new Error(`Cannot decode a reply: ${decoded.reason}`);
    }
    heard.push({ reply: decoded.reply, headers });
    at = decoded.next;
  }
  return heard;
}

const noHeader: TargetHeader = {
  srcIp: "",
  measurementId: null,
  endOfMeasurement: false,
  firstProbe: null,
  notAfterMs: null,
};

/** One record for one agent, as the client makes it. */
export function probeRecord(
  agentId: string,
  header: Partial<TargetHeader>,
  probes: readonly Probe[],
): OutgoingRecord {
  return {
    key: header.measurementId ?? "",
    value: encodeProbes(probes),
    headers: { [agentId]: encodeTargetHeader({ ...noHeader, ...header }) },
  };
}

/** Each source port with each TTL. */
export function probesTo(
  dst: string,
  options: { ports: readonly number[]; ttls: readonly number[]; protocol?: Protocol },
): Probe[] {
  const target = address(dst);
  return options.ports.flatMap((srcPort) =>
    options.ttls.map((ttl) => ({
      dst: target,
      srcPort,
      dstPort: 33_434,
      ttl,
      protocol: options.protocol ?? "udp",
    })),
  );
}
