import { expect, test } from "bun:test";
import * as v from "valibot";
import { publisherConfig, publisherKeys } from "./broker-keys.ts";

const keys = v.parse(v.object(publisherKeys), {});

test.each([
  ["broker.example:9092", "kafka:broker.example:9092"],
  ["a:9092, b:9092", "kafka:a:9092,b:9092"],
  ["kafka:broker.example:9092", "kafka:broker.example:9092"],
  ["kafka:[2001:db8::1]:9092", "kafka:[2001:db8::1]:9092"],
  ["embedded:/var/lib/log", "embedded:/var/lib/log"],
  // Hosts of this name.
  ["kafka:9092", "kafka:kafka:9092"],
  ["kafka:9092,b:9092", "kafka:kafka:9092,b:9092"],
])("brokers %p are the address %p", (brokers, address) => {
  expect(publisherConfig(brokers, keys).address).toBe(address);
});
