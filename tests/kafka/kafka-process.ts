/**
 * One Kafka broker as a process of ours: free ports on loopback, data in a temporary folder of its own.
 *
 * It can be stopped or killed, and started again with the same data and ports, as a broker that was away.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import type { Certificates } from "./certificates.ts";
import { freePorts, type KafkaPorts, writeProperties } from "./kafka-properties.ts";
import { answersMetadata } from "./metadata-question.ts";

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
    /** With them it listens with TLS too, and asks what an account may do. */
    readonly certificates?: Certificates;
  }): Promise<KafkaProcess> {
    const folder = mkdtempSync(join(tmpdir(), "vantage-kafka-"));
    const ports = freePorts();
    cpSync(files.formattedFolder, join(folder, "data"), { recursive: true });
    writeProperties(join(folder, "server.properties"), join(folder, "data"), ports, files.certificates);
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
    return this.serverAt("sasl");
  }

  serverAt(port: keyof KafkaPorts): string {
    return `127.0.0.1:${this.ports[port]}`;
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
