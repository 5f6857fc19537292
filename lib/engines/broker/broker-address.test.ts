import { expect, test } from "bun:test";
import { brokerAddressOf, readBrokerAddress } from "./broker-address.ts";

test.each([
  ["broker.example:9092", ["broker.example:9092"]],
  ["a:9092, b:9092", ["a:9092", "b:9092"]],
  ["kafka:[2001:db8::1]:9092", ["[2001:db8::1]:9092"]],
  ["kafka:9092,b:65535", ["kafka:9092", "b:65535"]],
])("brokers %p are %p", (brokers, servers) => {
  expect(readBrokerAddress(brokerAddressOf(brokers))).toEqual({ kind: "kafka", servers });
});

test.each([
  ["http://broker:9092", '"http://broker:9092" is not HOST:PORT'],
  ["https://ada:secret@broker:9092/x", '"https://ada@broker:9092/x" is not HOST:PORT'],
  ["ada:secret@broker:9092", '"ada@broker:9092" is not HOST:PORT'],
  ["broker:9092/topic", '"broker:9092/topic" is not HOST:PORT'],
  ["broker", '"broker" is not HOST:PORT'],
  ["broker:", '"broker:" is not HOST:PORT'],
  ["broker:0", '"broker:0" is not HOST:PORT'],
  ["broker:70000", '"broker:70000" is not HOST:PORT'],
  ["2001:db8::1:9092", '"2001:db8::1:9092" is not HOST:PORT'],
  ["", '"" is not HOST:PORT'],
  [",", '"" is not HOST:PORT'],
  ["a:9092,,b:9092", '"" is not HOST:PORT'],
  ["a:9092,", '"" is not HOST:PORT'],
  ["a:9092;b:9092", '"a:9092;b:9092" is not HOST:PORT'],
  ["embedded:", "it takes embedded:DIR or kafka:HOST:PORT,…"],
])("brokers %p are refused", (brokers, reason) => {
  expect(readBrokerAddress(brokerAddressOf(brokers))).toEqual({ kind: "bad", reason });
});
