import { describe, expect, test } from "bun:test";
import { ConfigError } from "../../../../lib/engines/config/config-error.ts";
import { formatPrefix } from "../../../../lib/net/ip/prefix.ts";
import { agentConfigPage } from "../../../../tests/reference/configuration/agent.ts";
import { readAgentConfig } from "./config.ts";

const small = "agent: { id: west }\nprober: [{ name: one }]\nkafka: { brokers: b:9092 }\n";

function read(text: string, environment: Record<string, string> = {}) {
  return readAgentConfig({ name: "a.yaml", text }, environment);
}

function problemsOf(text: string): string[] {
  try {
    read(text);
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.message.split("\n");
    }
    throw error;
  }
  return [];
}

test("the example of the page is a configuration", () => {
  const example = /```yaml\n(.*?)```/s.exec(agentConfigPage.head)?.[1] ?? "";
  expect(read(example).probers.map(({ name }) => name)).toEqual(["anycast", "unicast"]);
});

test("the smallest file gives the defaults of existing agents", () => {
  const { stateDir, broker, probers, ...rest } = read(small);
  expect(rest).toEqual({
    agentId: "west",
    listen: { host: "0.0.0.0", port: 8080 },
    user: null,
    integrityKey: null,
    integrityCheck: true,
    anycastPeers: [],
    graceMs: 10_000,
    spoolBytesMax: 268_435_456,
    blocklistFile: null,
    allowlistFile: null,
    blocksReservedRanges: true,
    allowsDns: false,
    destinationRates: { address: 200, network: 1000 },
    hostLimits: { bytesPerDay: null, probesPerDay: null, hours: null },
    gateway: null,
  });
  expect(stateDir).toBe("/var/lib/vantage/west");
  expect(broker).toEqual({
    address: "kafka:b:9092",
    login: { protocol: "PLAINTEXT" },
    probesTopics: ["measure-probes"],
    group: "vantage-agent-west",
    repliesTopic: "measure-replies",
    recordBytesMax: 990_000,
    batchWaitMs: 1000,
    pollMs: 100,
    repliesPerRecord: 1,
  });
  expect(probers).toEqual([
    {
      name: "one",
      instanceId: 0,
      interfaceName: null,
      prefixes: [],
      rateProbesPerSec: 100,
      pacing: "sleep",
      batchProbesMax: 100,
      backEnd: "packet",
      packets: 1,
      minTtl: 1,
      maxTtl: 255,
      dryRun: false,
    },
  ]);
});

test("a file of an existing agent is read: caracat, blanks, capitals, SASL, several topics", () => {
  const config = read(`
agent: { id: old, metrics_address: "[::1]:9090" }
caracat:
  - { name: any, batch_size: 0, min_ttl: 4, rate_limiting_method: None, interface: "", src_ipv4_prefix: "",
      src_ipv6_prefix: 2001:db8::/48, probing_rate: 0, dry_run: true }
kafka: { brokers: "a:1, b:2", auth_protocol: SASL_PLAINTEXT, in_topics: "one,two", in_group_id: g, out_enable: false }
`);
  expect(config.listen).toEqual({ host: "::1", port: 9090 });
  expect(config.probers[0]).toMatchObject({
    batchProbesMax: 100,
    minTtl: 4,
    pacing: "none",
    rateProbesPerSec: 100,
  });
  expect(config.probers[0]?.prefixes.map(formatPrefix)).toEqual(["2001:db8::/48"]);
  expect(config.broker).toMatchObject({
    address: "kafka:a:1,b:2",
    login: { protocol: "SASL_PLAINTEXT", mechanism: "SCRAM-SHA-512", user: "saimiris", password: "saimiris" },
    probesTopics: ["one", "two"],
    group: "g",
    repliesTopic: null,
  });
});

test("replies are checked, unless a prober turns that off for all of them", () => {
  const checkOf = (probers: string) => read(small.replace("{ name: one }", probers)).integrityCheck;
  expect(checkOf("{}")).toBe(true);
  expect(checkOf("{ integrity_check: false }")).toBe(false);
  expect(checkOf("{ integrity_check: false }, { instance_id: 1 }")).toBe(false);
  expect(checkOf("{}, { instance_id: 1, integrity_check: false }")).toBe(false);
  expect(checkOf("{ integrity_check: false }, { instance_id: 1, integrity_check: false }")).toBe(false);
});

test("the environment wins over the file, by our names and by those of existing agents", () => {
  const environment = {
    VANTAGE_KAFKA__BROKERS: "embedded:/data/log",
    SAIMIRIS__CARACAT__0__PROBING_RATE: "7",
  };
  const { broker, probers } = read(small, environment);
  expect([broker.address, probers[0]?.rateProbesPerSec]).toEqual(["embedded:/data/log", 7]);
});

test("a gateway needs the agent's own key and secret, or a key for first contact", () => {
  const own = read(`${small}gateway: { url: 'http://g:8080/', agent_key: k, agent_secret: s }\n`);
  expect(own.gateway).toEqual({
    url: "http://g:8080/",
    agentKey: "k",
    agentSecret: "s",
    enrolmentKey: null,
    reportIntervalMs: 1000,
  });
  const first = read(`${small}gateway: { url: 'https://g', enrolment_key: e, report_interval_ms: 500 }\n`);
  expect(first.gateway).toMatchObject({ agentKey: null, enrolmentKey: "e", reportIntervalMs: 500 });
  expect(read(`${small}gateway: { url: "", agent_key: "", agent_secret: "" }\n`).gateway).toBeNull();
});

describe("what cannot be honoured is refused", () => {
  const withAgent = (agent: string) => small.replace("{ id: west }", agent);
  const withProber = (prober: string) => small.replace("{ name: one }", prober);
  const withKafka = (kafka: string) => small.replace("{ brokers: b:9092 }", kafka);
  const cases: [text: string, reason: string][] = [
    [
      withAgent("{ id: 'a b' }"),
      'must be a name without spaces and none of : , [ ], of at most 240 bytes, and not . or .., not "a b"',
    ],
    [withAgent("{ id: a, metrics_address: '8080' }"), 'must be HOST:PORT, not "8080"'],
    [withAgent("{ id: a, anycast_peers: [west] }"), 'must be AGENT:INSTANCE_ID, such as west:1, not "west"'],
    [withAgent("{ id: a, grace_time: 5 }"), "must be a whole number from 500 to 600000, not 5"],
    [withProber("{ instance_id: 70000 }"), "must be a whole number from 0 to 65535, not 70000"],
    [withProber("{ src_ipv6_prefix: 10.0.0.0/8 }"), "must be an IPv6 prefix such as 2001:db8::/48"],
    [withProber("{ src_ipv4_prefix: 10.0.0.1/8 }"), "must be an IPv4 prefix such as 192.0.2.0/24"],
    [withProber("{ rate_limiting_method: fast }"), "must be one of auto, active, sleep, none"],
    [withProber("{ probing_rate: 1.5 }"), "must be a whole number from 1 to 20000000, not 1.5"],
    [
      withProber("{ min_ttl: 9, max_ttl: 8 }"),
      "a.yaml:2: prober.0.min_ttl: must be at most max_ttl (8), not 9",
    ],
    [withProber("{ dry_run: 'no' }"), 'must be true or false, not "no"'],
    [withProber("{}, {}"), "prober.1.instance_id: prober.0 has it too: their tags would be the same"],
    [
      withProber("{ integrity_check: false }, { instance_id: 1, integrity_check: true }"),
      "prober.1.integrity_check: must be that of the probers before (false)",
    ],
    [withProber(""), "prober: must have 1 to 32 entries, not 0"],
    [withKafka("{ brokers: nowhere }"), 'must be HOST:PORT,… or embedded:DIR, not "nowhere"'],
    [
      withKafka("{ brokers: 'a:1', auth_protocol: TLS }"),
      'must be one of PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL, not "TLS"',
    ],
    [
      withKafka("{ brokers: 'a:1', auth_tls_ca_file: ca.pem, auth_protocol: SASL_PLAINTEXT }"),
      "kafka.auth_tls_ca_file: needs auth_protocol SSL or SASL_SSL, not SASL_PLAINTEXT",
    ],
    [withKafka("{ brokers: 'a:1', in_topics: 'a b' }"), "must be names of topics, parted by commas"],
    [withKafka("{}"), "kafka.brokers: is missing"],
    [
      `${small}gateway: { url: 'http://x' }\n`,
      "gateway: needs url with agent_key and agent_secret, or url with",
    ],
    [
      `${small}gateway: { agent_key: k, agent_secret: s }\n`,
      "gateway: needs url with agent_key and agent_secret",
    ],
    [
      `${small}gateway: { url: 'x', enrolment_key: k }\n`,
      "must be an address such as https://gateway.example",
    ],
    [
      withAgent("{ id: 'ä' }").concat("gateway: { url: 'http://x', enrolment_key: k }\n"),
      "agent.id: must be at most 64 letters, digits, dots, hyphens and underscores, to work with a gateway",
    ],
    [
      withProber("{ name: one two }").concat("gateway: { url: 'http://x', enrolment_key: k }\n"),
      "prober.0.name: must be at most 64 characters without spaces",
    ],
  ];
  test.each(cases.map(([text, reason]) => [reason, text] as const))("%s", (reason, text) => {
    const problems = problemsOf(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(reason);
  });
});
