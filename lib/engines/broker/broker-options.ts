/** Options of an engine besides its address. */

/** In Kafka's spelling: SSL = over TLS, SASL = with a login. */
export const kafkaProtocols = ["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] as const;
export const kafkaMechanisms = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] as const;
export type KafkaMechanism = (typeof kafkaMechanisms)[number];

/** The protocol and login of a Kafka cluster. */
export type KafkaLogin =
  | { readonly protocol: "PLAINTEXT" }
  | ({ readonly protocol: "SSL" } & KafkaTrust)
  | ({ readonly protocol: "SASL_PLAINTEXT" } & KafkaAccount)
  | ({ readonly protocol: "SASL_SSL" } & KafkaTrust & KafkaAccount);

interface KafkaTrust {
  /** PEM file of the authorities trusted to sign the brokers' certificates; null = the public ones. */
  readonly caFile: string | null;
}

export interface KafkaAccount {
  readonly mechanism: KafkaMechanism;
  readonly user: string;
  readonly password: string;
}

/** Compression of published records; records in any of Kafka's codecs can be read. */
export const kafkaCompressions = ["none", "gzip", "zstd"] as const;
export type KafkaCompression = (typeof kafkaCompressions)[number];

/** Longer than a broker's restart, or a group's rebalance. */
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
  /** Called with one line when the broker becomes unavailable, returns, or has a problem. Default: silent. */
  readonly log?: (line: string) => void;
}
