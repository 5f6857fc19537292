/** What an engine may be told besides its address. */

/** As Kafka spells them: SSL = over TLS, SASL = the broker asks who is there. */
export const kafkaProtocols = ["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] as const;
export const kafkaMechanisms = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] as const;
export type KafkaMechanism = (typeof kafkaMechanisms)[number];

/** How to reach a Kafka cluster, and who we are there. */
export type KafkaLogin =
  | { readonly protocol: "PLAINTEXT" }
  | ({ readonly protocol: "SSL" } & KafkaTrust)
  | ({ readonly protocol: "SASL_PLAINTEXT" } & KafkaAccount)
  | ({ readonly protocol: "SASL_SSL" } & KafkaTrust & KafkaAccount);

interface KafkaTrust {
  /** PEM file of the authorities that may have signed the brokers' certificates; null = the public ones. */
  readonly caFile: string | null;
}

export interface KafkaAccount {
  readonly mechanism: KafkaMechanism;
  readonly user: string;
  readonly password: string;
}

/** Of what is published to Kafka; what is packed by any of its codecs is read, whatever is chosen here. */
export const kafkaCompressions = ["none", "gzip", "zstd"] as const;
export type KafkaCompression = (typeof kafkaCompressions)[number];

/** Longer than a broker takes to restart, or a group to be shared out anew. */
export const giveUpMsDefault = 15_000;

export interface BrokerOptions {
  /** Kafka only; default PLAINTEXT. */
  readonly login?: KafkaLogin;
  /** Kafka only; default none. */
  readonly compression?: KafkaCompression;
  /** Kafka only: bytes of records in one request, 1 to 1,000,000; a larger record goes alone. Default 990,000. */
  readonly batchBytesMax?: number;
  /** Embedded only: bytes of one topic's log, its free space not counted. Default 4 GiB. */
  readonly logBytesMax?: number;
  /** How long a call tries before the broker counts as unavailable. Default 15 s. */
  readonly giveUpMs?: number;
  /** Told, in one line each, that the broker went away, came back, or what is wrong with it. Default: silence. */
  readonly log?: (line: string) => void;
}
