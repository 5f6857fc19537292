/**
 * One Kafka broker as a process of ours: free ports on loopback, data in a temporary folder of its own.
 *
 * It can be stopped or killed, and started again with the same data and ports, as a broker that was away.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { answersMetadata } from "./metadata-question.ts";

export interface KafkaPorts {
  readonly plain: number;
  /** SASL_PLAINTEXT, mechanism SCRAM-SHA-512. */
  readonly sasl: number;
  readonly controller: number;
}

/** Small, and quick to start; a test needs no more. */
export const javaCommand = ["java", "-Xms64m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"];

const startLimitMs = 60_000;
const stopLimitMs = 20_000;

export class KafkaProcess implements AsyncDisposable {
  readonly ports: KafkaPorts;
  readonly #folder: string;
  readonly #javaArguments: readonly string[];
  #child: Subprocess | null = null;

  private constructor(folder: string, ports: KafkaPorts, javaArguments: readonly string[]) {
    this.#folder = folder;
    this.ports = ports;
    this.#javaArguments = javaArguments;
  }

  /** Resolves when the broker serves clients. */
  static async start(files: {
    readonly javaArguments: readonly string[];
    readonly formattedFolder: string;
  }): Promise<KafkaProcess> {
    const folder = mkdtempSync(join(tmpdir(), "vantage-kafka-"));
    const ports = freePorts();
    cpSync(files.formattedFolder, join(folder, "data"), { recursive: true });
    writeProperties(join(folder, "server.properties"), join(folder, "data"), ports);
    const kafka = new KafkaProcess(folder, ports, files.javaArguments);
    try {
      await kafka.startAgain();
      return kafka;
    } catch (error) {
      await kafka[Symbol.asyncDispose]();
      throw error;
    }
  }

  get server(): string {
    return `127.0.0.1:${this.ports.plain}`;
  }

  get saslServer(): string {
    return `127.0.0.1:${this.ports.sasl}`;
  }

  /** Of its first process; throws while it does not run. */
  get pid(): number {
    if (this.#child === null) {
      throw new Error("Kafka does not run");
    }
    return this.#child.pid;
  }

  async startAgain(): Promise<void> {
    const log = Bun.file(join(this.#folder, "output"));
    this.#child = Bun.spawn(
      [...javaCommand, ...this.#javaArguments, "kafka.Kafka", join(this.#folder, "server.properties")],
      { cwd: this.#folder, stdin: "ignore", stdout: log, stderr: log },
    );
    const giveUpAt = performance.now() + startLimitMs;
    while (!(await answersMetadata(this.ports.plain))) {
      if (this.#child.exitCode !== null || performance.now() > giveUpAt) {
        const said = readFileSync(join(this.#folder, "output"), "utf8").slice(-2000);
        throw new Error(`Cannot start Kafka, exit code ${this.#child.exitCode}: ${said}`);
      }
      await Bun.sleep(50);
    }
  }

  /** Goes in order, as for an upgrade. */
  stop(): Promise<void> {
    return this.#end("SIGTERM");
  }

  /** Goes as in a power failure. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null) {
      return;
    }
    child.kill(signal);
    const late = setTimeout(() => child.kill("SIGKILL"), stopLimitMs);
    await child.exited;
    clearTimeout(late);
  }
}

export function writeProperties(path: string, dataFolder: string, ports: KafkaPorts): void {
  const lines = {
    "process.roles": "broker,controller",
    "node.id": "1",
    "controller.quorum.voters": `1@127.0.0.1:${ports.controller}`,
    listeners:
      `PLAINTEXT://127.0.0.1:${ports.plain},SASL://127.0.0.1:${ports.sasl},` +
      `CONTROLLER://127.0.0.1:${ports.controller}`,
    "advertised.listeners": `PLAINTEXT://127.0.0.1:${ports.plain},SASL://127.0.0.1:${ports.sasl}`,
    "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL:SASL_PLAINTEXT",
    "controller.listener.names": "CONTROLLER",
    "inter.broker.listener.name": "PLAINTEXT",
    "sasl.enabled.mechanisms": "SCRAM-SHA-512",
    "listener.name.sasl.scram-sha-512.sasl.jaas.config":
      "org.apache.kafka.common.security.scram.ScramLoginModule required;",
    "log.dirs": dataFolder,
    // A broker that was killed may come back as soon as the controller holds it for dead: not after 9 s.
    "broker.session.timeout.ms": "2000",
    "broker.heartbeat.interval.ms": "500",
    "num.partitions": "1",
    // A misspelt topic must show in a test, not come into being.
    "auto.create.topics.enable": "false",
    "group.initial.rebalance.delay.ms": "0",
    "offsets.topic.replication.factor": "1",
    "offsets.topic.num.partitions": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
  };
  const text = Object.entries(lines).map(([key, value]) => `${key}=${value}\n`);
  writeFileSync(path, text.join(""));
}

function freePorts(): KafkaPorts {
  const open = () => Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  // All open at once, so that all are different.
  const listeners = [open(), open(), open()] as const;
  const [plain, sasl, controller] = listeners;
  const ports = { plain: plain.port, sasl: sasl.port, controller: controller.port };
  for (const listener of listeners) {
    listener.stop(true);
  }
  return ports;
}
