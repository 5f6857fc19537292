/** kafkajs with our limits, our login, TLS, and a log that is quiet: its errors as one line each, and no line twice. */
import { Kafka, type LogEntry, logLevel, type SASLOptions } from "kafkajs";
import type { BrokerOptions, KafkaLogin } from "../broker-options.ts";
import { registerCodecs } from "./codecs/codecs.ts";
import { clientRetry, connectionTimeoutMs, requestTimeoutMs } from "./limits.ts";
import { quietTimers } from "./quiet-timers.ts";
import { tlsSettings } from "./tls-settings.ts";

/** The same line is not said again for so long. */
const sameLineEveryMs = 60_000;
const linesRememberedMax = 100;

export function kafkaClient(servers: readonly string[], options: BrokerOptions): Kafka {
  registerCodecs();
  quietTimers();
  const say = options.log;
  const sasl = saslOf(options.login);
  const ssl = tlsSettings(options.login);
  return new Kafka({
    clientId: "vantage",
    brokers: [...servers],
    connectionTimeout: connectionTimeoutMs,
    requestTimeout: requestTimeoutMs,
    retry: clientRetry,
    logLevel: say === undefined ? logLevel.NOTHING : logLevel.ERROR,
    logCreator: () => quietly(say ?? (() => undefined)),
    ...(sasl === null ? {} : { sasl }),
    ...(ssl === null ? {} : { ssl }),
  });
}

function saslOf(login: KafkaLogin | undefined): SASLOptions | null {
  if (login === undefined || login.protocol === "PLAINTEXT" || login.protocol === "SSL") {
    return null;
  }
  const { user: username, password } = login;
  switch (login.mechanism) {
    case "PLAIN":
      return { mechanism: "plain", username, password };
    case "SCRAM-SHA-256":
      return { mechanism: "scram-sha-256", username, password };
    case "SCRAM-SHA-512":
      return { mechanism: "scram-sha-512", username, password };
  }
}

function quietly(say: (line: string) => void): (entry: LogEntry) => void {
  const saidAtMs = new Map<string, number>();
  return ({ log }) => {
    const detail = log.error === undefined || log.error === log.message ? "" : `: ${String(log.error)}`;
    const line = `Kafka: ${log.message}${detail}`.replaceAll(/\s+/g, " ");
    // Each refused request, also those that are then tried again with success; a failure for good is thrown.
    if (line.startsWith("Kafka: Response ")) {
      return;
    }
    const nowMs = performance.now();
    if (nowMs - (saidAtMs.get(line) ?? Number.NEGATIVE_INFINITY) < sameLineEveryMs) {
      return;
    }
    if (saidAtMs.size >= linesRememberedMax) {
      saidAtMs.clear();
    }
    saidAtMs.set(line, nowMs);
    say(line);
  };
}
