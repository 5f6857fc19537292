/** One Kafka broker as a child process: free ports on loopback, data in a temporary folder of its own. */
import { cpSync, mkdtempSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BunFile, Subprocess } from "bun";
import { ServerProcess } from "../server/server-process.ts";
import { type BrokerFacts, freePorts, type KafkaPorts, writeProperties } from "./kafka-properties.ts";

/** Small, and quick to start; a test needs no more. */
export const javaCommand = ["java", "-Xms64m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"];

const kind = { name: "Kafka", stopSignal: "SIGTERM", killSignal: "SIGKILL" } as const;

export class KafkaProcess extends ServerProcess {
  readonly ports: KafkaPorts;
  readonly #javaArguments: readonly string[];

  private constructor(folder: string, ports: KafkaPorts, javaArguments: readonly string[]) {
    super(kind, folder);
    this.ports = ports;
    this.#javaArguments = javaArguments;
  }

  /** Resolves when the broker serves clients. */
  static async start(files: {
    readonly javaArguments: readonly string[];
    readonly formattedFolder: string;
    /** With certificates it listens with TLS too, and checks the rights of accounts. */
    readonly facts?: BrokerFacts;
  }): Promise<KafkaProcess> {
    const folder = mkdtempSync(join(tmpdir(), "vantage-kafka-"));
    const ports = freePorts();
    cpSync(files.formattedFolder, join(folder, "data"), { recursive: true });
    writeProperties(join(folder, "server.properties"), join(folder, "data"), ports, files.facts);
    return new KafkaProcess(folder, ports, files.javaArguments).started();
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

  protected override spawn(output: BunFile): Subprocess {
    return Bun.spawn(
      [...javaCommand, ...this.#javaArguments, "kafka.Kafka", join(this.folder, "server.properties")],
      { cwd: this.folder, stdin: "ignore", stdout: output, stderr: output },
    );
  }

  protected override answers(): Promise<boolean> {
    return answersMetadata(this.ports.plain);
  }
}

// Asks a port of this machine for Kafka's metadata, as clients do first: the sign that a broker serves.

const answerLimitMs = 2_000;
/** Metadata, version 5, correlation 1, client id null; topics null = all; creates none. */
const request = Buffer.from("0000000f" + "0003" + "0005" + "00000001" + "ffff" + "ffffffff" + "00", "hex");

/** True when it names at least one broker; false on silence, refusal, or anything else. */
function answersMetadata(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    const end = (answer: boolean) => {
      clearTimeout(late);
      socket.destroy();
      resolve(answer);
    };
    const late = setTimeout(() => end(false), answerLimitMs);
    socket.on("connect", () => socket.write(request));
    // Length 4, correlation 4, throttle time 4, then the number of brokers. A broker that is still joining says 0.
    socket.on("data", (bytes: Buffer) => end(bytes.length >= 16 && bytes.readInt32BE(12) > 0));
    socket.on("error", () => end(false));
    socket.on("close", () => end(false));
  });
}
