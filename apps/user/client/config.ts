/** The client's configuration file: the broker's and the store's address, and how probes are submitted. */
import * as v from "valibot";
import { wholeNumber } from "../../../lib/base/api/fields.ts";
import { storeAddress } from "../../../lib/engines/config/addresses.ts";
import {
  brokersKey,
  type PublisherConfig,
  publisherConfig,
  publisherKeys,
} from "../../../lib/engines/config/broker-keys.ts";
import { loginContradictions } from "../../../lib/engines/config/broker-login.ts";
import { readConfigSource } from "../../../lib/engines/config/config-source.ts";
import { type Environment, sectionsOf } from "../../../lib/engines/config/environment.ts";
import { loadConfig } from "../../../lib/engines/config/load-config.ts";
import { keyWithDefault, optionalKey, section } from "../../../lib/engines/config/shape.ts";
import { queuedRecordsMax, recordProbesMax } from "../../../lib/engines/submission/limits.ts";
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
    address: optionalKey(storeAddress, {
      blankIsDefault: true,
      meaning: "Column store: `chdb:DIR` of a running stack, or `http(s)://[user[:password]@]host:port`",
      otherwise: "none",
    }),
  }),
});

export interface ClientConfig {
  readonly broker: PublisherConfig;
  /** Null = by the number of probes. */
  readonly recordProbesMax: number | null;
  /** Empty = the system's. */
  readonly spoolDir: string;
  /** For openStore; empty = not given. */
  readonly storeAddress: string;
}

const prefixes = ["VANTAGE_", "SAIMIRIS__"];

/** Other keys of an agent's file: existing files are used by both an agent and a client. */
export const agentOnlyKeys = [
  ...["agent", "gateway", "prober", "caracat"],
  ...["in_group_id", "out_enable", "out_topic", "out_batch_wait_time", "out_batch_wait_interval"].map(
    inKafka,
  ),
  ...["replies_per_record"].map(inKafka),
];

function inKafka(key: string): string {
  return `kafka.${key}`;
}

/** Throws ConfigError with every problem. */
export function readClientConfig(path: string, environment: Environment): ClientConfig {
  const given = loadConfig({
    schema: clientSchema,
    source: readConfigSource(path),
    environment: sectionsOf(environment, prefixes, Object.keys(clientSchema.entries)),
    environmentPrefixes: prefixes,
    passedOver: agentOnlyKeys,
    contradictions: ({ kafka }) => loginContradictions(kafka),
  });
  return toConfig(given);
}

function toConfig({ kafka, client, store }: v.InferOutput<typeof clientSchema>): ClientConfig {
  return {
    broker: publisherConfig(kafka.brokers, kafka),
    recordProbesMax: client.record_probes_max ?? null,
    spoolDir: client.spool_dir ?? "",
    storeAddress: store.address ?? "",
  };
}
