/** The keys of section `kafka` for every program that publishes probes, spelt alike in all files. */
import * as v from "valibot";
import { wholeNumber } from "../../base/api/fields.ts";
import { probesTopic } from "../../net/wire/target-header.ts";
import { recordBytesMax } from "../broker/broker.ts";
import { brokerAddressOf, readBrokerAddress } from "../broker/broker-address.ts";
import type { KafkaLogin } from "../broker/broker-options.ts";
import { loginKeys, loginOf } from "./broker-login.ts";
import { configKey, keyWithDefault } from "./shape.ts";
import { checkedText } from "./values.ts";

/** Default bytes of one record: the limit of existing clients. */
const recordBytesDefault = 990_000;

const topicName = v.pipe(
  v.string(),
  v.check(
    (name) => /^[\w.-]{1,249}$/.test(name),
    "must be one topic: letters, digits, dots, underscores and hyphens",
  ),
);

export const brokers = checkedText(
  (given) => readBrokerAddress(brokerAddressOf(given)).kind !== "bad",
  "must be HOST:PORT,… or embedded:DIR",
);

export const brokersKey = configKey(brokers, {
  meaning: "Broker: `host:port,…`, IPv6 in brackets, or `embedded:DIR` for the log of this machine",
});

/** All but `brokers`, which some need and others have a default for. */
export const publisherKeys = {
  in_topics: keyWithDefault(topicName, probesTopic, {
    meaning: "Topic that agents take probes from",
    blankIsDefault: true,
  }),
  ...loginKeys,
  message_max_bytes: keyWithDefault(wholeNumber(10_000, recordBytesMax), recordBytesDefault, {
    meaning: "Largest record, with key and headers",
    unit: "bytes",
    blankIsDefault: true,
  }),
};

const publisherSection = v.object(publisherKeys);

export interface PublisherConfig {
  /** As openBroker takes it: `kafka:HOST:PORT,…` or `embedded:DIR`. */
  readonly address: string;
  readonly login: KafkaLogin;
  readonly topic: string;
  /** With key and headers. */
  readonly recordBytesMax: number;
}

export function publisherConfig(
  address: string,
  keys: v.InferOutput<typeof publisherSection>,
): PublisherConfig {
  return {
    address: brokerAddressOf(address),
    login: loginOf(keys),
    topic: keys.in_topics,
    recordBytesMax: keys.message_max_bytes,
  };
}
