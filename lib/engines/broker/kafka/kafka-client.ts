/** kafkajs with our limits, login, TLS, and a quiet log: one line for each error, without repetitions. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { Kafka, type LogEntry, logLevel, type SASLOptions } from "kafkajs";
import RequestQueue from "kafkajs/src/network/requestQueue";
import { systemReason } from "../../../base/failure/system-reason.ts";
import { BrokerError } from "../broker.ts";
import type { BrokerOptions, KafkaLogin } from "../broker-options.ts";
import { registerCodecs } from "./codecs/codecs.ts";
import { connectSeed, seedOf } from "./ipv6-seeds.ts";
import { caFileBytesMax, clientRetry, connectionTimeoutMs, requestTimeoutMs } from "./limits.ts";

/** Time before the same line is logged again. */
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
    brokers: servers.map(seedOf),
    socketFactory: connectSeed,
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
    // Each refused request, also those that succeed when retried; a final failure is thrown.
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

/**
 * Stops a timer of kafkajs 2.2.4 that fires each millisecond on every connection, even an idle one: it sets up the
 * check for waiting requests even if none waits, and with a negative time, about which Bun and Node print a warning.
 */
const schedule = RequestQueue.prototype.scheduleCheckPendingRequests;
let isQuiet = false;

/** For all clients of this process; further calls do nothing. */
function quietTimers(): void {
  if (isQuiet) {
    return;
  }
  isQuiet = true;
  RequestQueue.prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    // A request that comes later sets the check up itself.
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) {
      schedule.call(this);
    }
  };
}

// TLS: whom we trust at the other end, and what it means when we do not.

const certificatePattern = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Null = without TLS. Throws BrokerError `badLogin`, which names the file. */
function tlsSettings(login: KafkaLogin | undefined): ConnectionOptions | null {
  if (login === undefined || login.protocol === "PLAINTEXT" || login.protocol === "SASL_PLAINTEXT") {
    return null;
  }
  return login.caFile === null ? {} : { ca: authoritiesIn(login.caFile) };
}

/** One unreadable certificate rejects the whole file: with TLS the only symptom would be that no broker is trusted. */
function authoritiesIn(path: string): string[] {
  try {
    const certificates = textOf(path).match(certificatePattern) ?? [];
    if (certificates.length === 0) {
      throw new Error("there is no certificate in it (-----BEGIN CERTIFICATE-----)");
    }
    return certificates.map((pem) => new X509Certificate(pem).toString());
  } catch (error) {
    const reason = systemReason(error);
    throw new BrokerError("badLogin", `Cannot take authorities from auth_tls_ca_file ${path}: ${reason}`);
  }
}

function textOf(path: string): string {
  const bytes = readFileSync(path);
  if (bytes.byteLength > caFileBytesMax) {
    throw new Error(`it has ${bytes.byteLength} bytes, more than ${caFileBytesMax}`);
  }
  return bytes.toString("latin1");
}
