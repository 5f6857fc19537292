/** The configuration file of the client: where the broker and the store are, and how probes are submitted. */
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { recordBytesMax } from "../../lib/broker/broker.ts";
import { type KafkaLogin, kafkaMechanisms } from "../../lib/broker/broker-options.ts";
import { ConfigError } from "../../lib/config/config-error.ts";
import type { Environment } from "../../lib/config/environment.ts";
import { loadConfig } from "../../lib/config/load-config.ts";
import { configKey } from "../../lib/config/shape.ts";
import { probesTopic } from "../../lib/wire/target-header.ts";
import { ClientError, systemReason } from "./failure.ts";
import { recordBytesDefault, recordProbesDefault, recordProbesMax } from "./limits.ts";

const wholeNumber = (low: number, high: number) =>
  v.pipe(
    v.number(),
    v.check(
      (value) => Number.isSafeInteger(value) && value >= low && value <= high,
      `must be a whole number from ${low} to ${high}`,
    ),
  );

const filled = v.pipe(v.string(), v.nonEmpty("must not be empty"));

const topicName = v.pipe(
  v.string(),
  v.check(
    (name) => /^[\w.-]{1,249}$/.test(name),
    "must be one topic: letters, digits, dots, underscores and hyphens",
  ),
);

export const clientSchema = v.object({
  kafka: v.object({
    brokers: configKey(filled, {
      meaning: "Broker: `host:port,…`, or `embedded:DIR` for the log of this machine",
    }),
    in_topics: v.optional(
      configKey(topicName, { meaning: "Topic that agents take probes from", blankIsDefault: true }),
      probesTopic,
    ),
    auth_protocol: v.optional(
      configKey(v.picklist(["PLAINTEXT", "SASL_PLAINTEXT"]), {
        meaning: "Whether the broker asks who is there",
        blankIsDefault: true,
      }),
      "PLAINTEXT",
    ),
    auth_sasl_mechanism: v.optional(
      configKey(v.picklist(kafkaMechanisms), {
        meaning: "How the client proves who it is",
        blankIsDefault: true,
      }),
      "SCRAM-SHA-512",
    ),
    auth_sasl_username: v.optional(
      configKey(v.string(), { meaning: "User at the broker; only with SASL" }),
      "saimiris",
    ),
    auth_sasl_password: v.optional(
      configKey(v.string(), { meaning: "Password at the broker; only with SASL" }),
      "saimiris",
    ),
    message_max_bytes: v.optional(
      configKey(wholeNumber(10_000, recordBytesMax), {
        meaning: "Largest record, with key and headers",
        unit: "bytes",
        blankIsDefault: true,
      }),
      recordBytesDefault,
    ),
  }),
  client: v.optional(
    v.object({
      record_probes_max: v.optional(
        configKey(wholeNumber(1, recordProbesMax), {
          meaning: "Probes of one record: what the slowest target sends in 10 s",
          unit: "probes",
          blankIsDefault: true,
        }),
        recordProbesDefault,
      ),
      spool_dir: v.optional(
        configKey(v.string(), {
          meaning: "Folder for probes that are read but not published yet, 48 bytes each",
          otherwise: "the system's folder for temporary files",
        }),
        "",
      ),
    }),
    {},
  ),
  store: v.optional(
    v.object({
      address: v.optional(
        configKey(v.string(), {
          meaning: "Column store: `chdb:DIR` of a running stack, or `http(s)://[user[:password]@]host:port`",
          otherwise: "none",
        }),
        "",
      ),
    }),
    {},
  ),
});

export interface ClientConfig {
  readonly broker: {
    /** `kafka:HOST:PORT,…` or `embedded:DIR`. */
    readonly address: string;
    readonly login: KafkaLogin;
    readonly topic: string;
  };
  readonly recordProbesMax: number;
  readonly recordBytesMax: number;
  /** Empty = the system's. */
  readonly spoolDir: string;
  /** As openStore takes it; empty = not given. */
  readonly storeAddress: string;
}

/** Throws ClientError with every problem, a line each. */
export function readClientConfig(path: string, environment: Environment): ClientConfig {
  try {
    const source = { name: path, text: readFileSync(path, "utf8") };
    const given = loadConfig({
      schema: clientSchema,
      source,
      environment: only(environment, Object.keys(clientSchema.entries)),
      environmentPrefixes: ["VANTAGE_", "SAIMIRIS__"],
    });
    return toConfig(given);
  } catch (error) {
    if (error instanceof ConfigError) {
      throw new ClientError(error.message);
    }
    throw new ClientError(`Cannot read the configuration ${path}: ${systemReason(error)}`);
  }
}

function toConfig({ kafka, client, store }: v.InferOutput<typeof clientSchema>): ClientConfig {
  const isAddress = /^(embedded|kafka):/.test(kafka.brokers);
  return {
    broker: {
      address: isAddress ? kafka.brokers : `kafka:${kafka.brokers.replaceAll(/\s/g, "")}`,
      login: loginOf(kafka),
      topic: kafka.in_topics,
    },
    recordProbesMax: client.record_probes_max ?? recordProbesDefault,
    recordBytesMax: kafka.message_max_bytes,
    spoolDir: client.spool_dir ?? "",
    storeAddress: store.address ?? "",
  };
}

function loginOf(kafka: v.InferOutput<typeof clientSchema>["kafka"]): KafkaLogin {
  const { auth_protocol, auth_sasl_mechanism, auth_sasl_username, auth_sasl_password } = kafka;
  return auth_protocol === "PLAINTEXT"
    ? { protocol: auth_protocol }
    : {
        protocol: auth_protocol,
        mechanism: auth_sasl_mechanism,
        user: auth_sasl_username,
        password: auth_sasl_password,
      };
}

/** What the environment says of an agent on the same machine is not meant for its client. */
function only(environment: Environment, sections: readonly string[]): Environment {
  const mine = new RegExp(`^(VANTAGE_|SAIMIRIS__)(${sections.join("|")})__`, "i");
  return Object.fromEntries(Object.entries(environment).filter(([name]) => mine.test(name)));
}
