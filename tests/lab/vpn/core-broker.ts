/** A real Kafka at the core, which agents reach by its addresses in tunnels and by no other. */
import { appendFileSync, cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../exchange/until.ts";
import { kafkaFiles } from "../../kafka/kafka-files.ts";
import { javaCommand } from "../../kafka/kafka-process.ts";
import { writeProperties } from "../../kafka/kafka-properties.ts";
import type { VpnLab } from "./place.ts";

/** In a namespace of our own every port is free. */
const ports = { plain: 9094, controller: 9093, sasl: 9095, tls: 0, saslTls: 0, expired: 0 };
/** For programs at the core itself. */
export const brokerAtCore = `127.0.0.1:${ports.plain}`;
const hand = [process.execPath, join(import.meta.dirname, "broker-hand.ts")];

/** `servers`: ADDRESS:PORT of the core in each tunnel; Kafka wants a port of its own for each. */
export async function startCoreBroker(place: VpnLab, servers: readonly string[]): Promise<void> {
  const folder = join(place.folder, "kafka");
  const files = await kafkaFiles();
  mkdirSync(folder);
  cpSync(files.formattedFolder, join(folder, "data"), { recursive: true });
  const properties = join(folder, "server.properties");
  writeProperties(properties, join(folder, "data"), ports);
  const tunnels = servers.map((server, index) => `TUNNEL${index}://${server}`);
  const inside = `INSIDE://${brokerAtCore}`;
  const names = ["CONTROLLER", "INSIDE", ...tunnels.map((_, index) => `TUNNEL${index}`)];
  // The last word counts.
  appendFileSync(
    properties,
    `listeners=${[...tunnels, inside, `CONTROLLER://127.0.0.1:${ports.controller}`].join()}
advertised.listeners=${[...tunnels, inside].join()}
listener.security.protocol.map=${names.map((name) => `${name}:PLAINTEXT`).join()}
`,
  );
  const daemon = place.daemon("kafka", "core", [
    ...javaCommand,
    ...files.javaArguments,
    "kafka.Kafka",
    properties,
  ]);
  await until("the broker", async () => {
    daemon.mustRun();
    await place.transcript.run("core", [...hand, "topics", brokerAtCore], { isQuiet: true });
    return true;
  });
}

/** Replies of a measurement that have come to the broker: a line each, when there are so many. */
export async function repliesAtCore(
  place: VpnLab,
  measurement: string,
  count: number,
): Promise<readonly string[]> {
  const command = [...hand, "replies", brokerAtCore, measurement, String(count)];
  return (await place.transcript.run("core", command, { isQuiet: true })).trim().split("\n");
}
