import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readClientConfig } from "./config.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-client-config-"));
const path = join(folder, "client.yaml");
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string, environment: Record<string, string> = {}) {
  writeFileSync(path, text);
  return readClientConfig(path, environment);
}

test("a broker is enough", () => {
  expect(read("kafka:\n  brokers: 192.0.2.1:9092, 192.0.2.2:9092\n")).toEqual({
    broker: {
      address: "kafka:192.0.2.1:9092,192.0.2.2:9092",
      login: { protocol: "PLAINTEXT" },
      topic: "measure-probes",
      recordBytesMax: 990_000,
    },
    recordProbesMax: null,
    spoolDir: "",
    storeAddress: "",
  });
});

test("every key is taken", () => {
  const text = [
    "kafka: {brokers: 'b.example:1', in_topics: saimiris-probes, message_max_bytes: 20000,",
    "  auth_protocol: SASL_PLAINTEXT, auth_sasl_mechanism: PLAIN, auth_sasl_username: u, auth_sasl_password: p}",
    "client: {record_probes_max: 5, spool_dir: /s}",
    "store: {address: 'http://r:q@192.0.2.1:8123'}",
  ].join("\n");
  expect(read(text)).toEqual({
    broker: {
      address: "kafka:b.example:1",
      login: { protocol: "SASL_PLAINTEXT", mechanism: "PLAIN", user: "u", password: "p" },
      topic: "saimiris-probes",
      recordBytesMax: 20_000,
    },
    recordProbesMax: 5,
    spoolDir: "/s",
    storeAddress: "http://r:q@192.0.2.1:8123",
  });
});

test("the environment overrides keys, and other programs' variables do no harm", () => {
  const environment = {
    VANTAGE_KAFKA__BROKERS: "192.0.2.3:1",
    SAIMIRIS__KAFKA__IN_TOPICS: "other",
    VANTAGE_AGENT__ID: "west",
    VANTAGE_CLIENT__RECORD_PROBES_MAX: "7",
  };
  expect(read("kafka: {brokers: 'a:1'}", environment)).toMatchObject({
    broker: { address: "kafka:192.0.2.3:1", topic: "other" },
    recordProbesMax: 7,
  });
});

/** In the form of existing agents' and clients' files, with their templates' keys. */
const existing = `
agent: {id: client, metrics_address: "0.0.0.0:8080"}
gateway: {url: "https://gateway.example", agent_key: k, agent_secret: s}
caracat:
  - {name: default, instance_id: 0, interface: eth0, src_ipv6_prefix: "2001:db8::/48", probing_rate: 1000}
kafka:
  brokers: b.example:9092
  auth_protocol: SASL_PLAINTEXT
  auth_sasl_username: u
  auth_sasl_password: p
  in_topics: saimiris-probes
  in_group_id: saimiris-client
  out_enable: false
  out_topic: saimiris-replies
  out_batch_wait_time: 1000
  out_batch_wait_interval: 100
`;

describe("a file that an agent has too", () => {
  test("the agent's keys are passed over, in the file and in the environment", () => {
    const environment = {
      SAIMIRIS__KAFKA__OUT_TOPIC: "r",
      SAIMIRIS__AGENT__ID: "west",
      SAIMIRIS__CARACAT__0__NAME: "x",
    };
    expect(read(existing, environment).broker).toMatchObject({
      address: "kafka:b.example:9092",
      topic: "saimiris-probes",
      login: { protocol: "SASL_PLAINTEXT", mechanism: "SCRAM-SHA-512", user: "u" },
    });
  });

  test("any other key is named, beside them, with its line; a variable's too", () => {
    const wrong = `${existing}  out_topics: r\nclients: {spool_dir: /s}\n`;
    const environment = { VANTAGE_KAFKA__OUT_TOPICS: "r" };
    const lines = [`${path}:17: kafka.out_topics: unknown key`, `${path}:18: clients: unknown key`];
    for (const line of lines) {
      expect(() => read(wrong, environment)).toThrow(line);
    }
    expect(() => read(existing, environment)).toThrow(
      "environment VANTAGE_KAFKA__OUT_TOPICS: kafka.out_topics: unknown",
    );
  });
});

describe("a mistake is reported with line, key and reason", () => {
  test.each([
    ["client: {}", "client.yaml: kafka: is missing"],
    ["kafka:\n  brokers: ''", 'client.yaml:2: kafka.brokers: must be HOST:PORT,… or embedded:DIR, not ""'],
    ["kafka:\n  broker: a:1", 'client.yaml:2: kafka.broker: unknown key; did you mean "brokers"?'],
    [
      "kafka:\n  brokers: a:1\n  in_topics: a,b",
      'client.yaml:3: kafka.in_topics: must be one topic: letters, digits, dots, underscores and hyphens, not "a,b"',
    ],
    [
      "kafka:\n  brokers: a:1\nclient:\n  record_probes_max: 20001",
      "client.yaml:4: client.record_probes_max: must be a whole number from 1 to 20000, not 20001",
    ],
    [
      "kafka:\n  brokers: a:1\n  auth_sasl_mechanism: MD5",
      'client.yaml:3: kafka.auth_sasl_mechanism: must be one of PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, not "MD5"',
    ],
    [
      "kafka: {brokers: 'a:1'}\nagents: {id: west}",
      "client.yaml:2: agents: unknown key; known here: kafka, client, store",
    ],
  ])("%j", (text, message) => {
    expect(() => read(text)).toThrow(`${folder}/${message}`);
  });

  test("a file that is not there", () => {
    expect(() => readClientConfig("/nowhere/c.yaml", {})).toThrow(
      "Cannot read the configuration /nowhere/c.yaml: there is no such file",
    );
  });
});
