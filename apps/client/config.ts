/** The configuration file of the client: where the broker and the store are, and how probes are submitted. */
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { wholeNumber } from "../../lib/api/fields.ts";
import { cannot } from "../../lib/command/command-error.ts";
import {
  brokersKey,
  type PublisherConfig,
  publisherConfig,
  publisherKeys,
} from "../../lib/config/broker-keys.ts";
import { loginContradictions } from "../../lib/config/broker-login.ts";
import { ConfigError } from "../../lib/config/config-error.ts";
import { type Environment, sectionsOf } from "../../lib/config/environment.ts";
import { loadConfig } from "../../lib/config/load-config.ts";
import { keyWithDefault, optionalKey, section } from "../../lib/config/shape.ts";
import { systemReason } from "../../lib/failure/system-reason.ts";
import { queuedRecordsMax, recordProbesMax } from "../../lib/submission/limits.ts";
import { recordProbesDefault } from "./limits.ts";

export const clientSchema = v.object({
  kafka: v.object({ brokers: brokersKey, ...publisherKeys }),
  client: section({
    record_probes_max: optionalKey(wholeNumber(1, recordProbesMax), {
      meaning: "Probes of one record: what the slowest target sends in 10 s",
      unit: "probes",
      otherwise:
        `${recordProbesDefault}; more from ${recordProbesDefault * queuedRecordsMax} probes on, ` +
        "as existing agents queue 100 records",
      blankIsDefault: true,
    }),
    spool_dir: keyWithDefault(v.string(), "", {
      meaning: "Folder for probes that are read but not published yet, 48 bytes each",
      otherwise: "the system's folder for temporary files",
    }),
  }),
  store: section({
    address: keyWithDefault(v.string(), "", {
      meaning: "Column store: `chdb:DIR` of a running stack, or `http(s)://[user[:password]@]host:port`",
      otherwise: "none",
    }),
  }),
});

export interface ClientConfig {
  readonly broker: PublisherConfig;
  /** Null = as the number of probes asks for. */
  readonly recordProbesMax: number | null;
  /** Empty = the system's. */
  readonly spoolDir: string;
  /** As openStore takes it; empty = not given. */
  readonly storeAddress: string;
}

const prefixes = ["VANTAGE_", "SAIMIRIS__"];

/** Throws CommandError with every problem, a line each. */
export function readClientConfig(path: string, environment: Environment): ClientConfig {
  try {
    const source = { name: path, text: readFileSync(path, "utf8") };
    const given = loadConfig({
      schema: clientSchema,
      source,
      environment: sectionsOf(environment, prefixes, Object.keys(clientSchema.entries)),
      environmentPrefixes: prefixes,
      contradictions: ({ kafka }) => loginContradictions(kafka),
    });
    return toConfig(given);
  } catch (error) {
    if (error instanceof ConfigError) {
      throw cannot(error.message);
    }
    throw cannot(`Cannot read the configuration ${path}: ${systemReason(error)}`);
  }
}

function toConfig({ kafka, client, store }: v.InferOutput<typeof clientSchema>): ClientConfig {
  return {
    broker: publisherConfig(kafka.brokers, kafka),
    recordProbesMax: client.record_probes_max ?? null,
    spoolDir: client.spool_dir ?? "",
    storeAddress: store.address ?? "",
  };
}
