/**
 * TLS, logins by SCRAM and rights, as docs/operate/encrypted-links.md has them, on a real broker that asks for all
 * three.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readAgentConfig } from "../../apps/probing/agent/config/config.ts";
import { readGatewayConfig } from "../../apps/probing/gateway/config.ts";
import { readClientConfig } from "../../apps/user/client/config.ts";
import { type Broker, BrokerError } from "../../lib/engines/broker/broker.ts";
import type { KafkaLogin, KafkaMechanism } from "../../lib/engines/broker/broker-options.ts";
import { ingestGroups } from "../../lib/engines/broker/ingest-feeds.ts";
import { openBroker } from "../../lib/engines/broker/open.ts";
import { environmentLogin } from "../../lib/engines/config/environment-login.ts";
import { agentGroup, probesTopic, repliesTopic } from "../../lib/net/wire/target-header.ts";
import { read, textOf, textRecord } from "../contract/broker/engine.ts";
import { readPage } from "../docs/page-blocks.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { type Certificates, makeCertificates } from "./certificates.ts";
import { startSecureKafka } from "./kafka.ts";
import { accountOf, makeAccounts } from "./kafka-accounts.ts";
import { scramUser } from "./kafka-files.ts";
import type { KafkaProcess } from "./kafka-process.ts";
import { hasIpv6, type KafkaPorts, secured } from "./kafka-properties.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-secure-kafka-"));
const certificates: Certificates = makeCertificates(folder);
const west = accountOf("vantage-agent-west");
const giveUpMs = 2000;
let running: KafkaProcess | null = null;

beforeAll(async () => {
  running = await startSecureKafka(certificates);
  await makeAccounts(running, join(folder, "tools"));
});
afterAll(async () => {
  await running?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function kafka(): KafkaProcess {
  if (running === null) {
    throw new Error("Kafka did not start");
  }
  return running;
}

/** The section of docs/operate/encrypted-links.md, with what is this test's own instead of what is the reader's. */
function section(user: string): string {
  const block = readPage("docs/operate/encrypted-links.md").find(({ language }) => language === "yaml");
  return (block?.text ?? "")
    .replace("kafka.example:9093", kafka().serverAt("saslTls"))
    .replace("/etc/vantage/kafka-ca.pem", certificates.authority)
    .replace("vantage-agent-west", user)
    .replace("…", accountOf(user).password);
}

/** What is the right of a program, read from a Vantage configuration. */
const programs = {
  agent: () =>
    readAgentConfig(
      { name: "agent.yaml", text: `agent: {id: west}\nprober: [{}]\n${section("vantage-agent-west")}` },
      {},
    ).broker,
  gateway: () => readGatewayConfig({ name: "gateway.yaml", text: section("vantage-gateway") }, {}).broker,
  client: () => {
    const file = join(folder, "client.yaml");
    writeFileSync(file, section("vantage-client"));
    return readClientConfig(file, {}).broker;
  },
  ingester: () => {
    const keys = section("vantage-store").matchAll(/^ +(auth_\w+): (.+)$/gm);
    const variables = [...keys].map(([, key = "", value = ""]) => [
      `VANTAGE_KAFKA__${key.toUpperCase()}`,
      value,
    ]);
    const address = `kafka:${kafka().serverAt("saslTls")}`;
    return { address, login: environmentLogin(Object.fromEntries(variables)) };
  },
} as const;

function openAs(name: keyof typeof programs): Promise<Broker> {
  const { address, login } = programs[name]();
  return openBroker(address, { login, giveUpMs });
}

const topicOf = (name: string) => ({ name, partitions: 16, retentionMs: 86_400_000 });

test("probes and replies go their way, each program with the rights of its own account", async () => {
  await using gateway = await openAs("gateway");
  await using agent = await openAs("agent");
  await using client = await openAs("client");
  await using ingester = await openAs("ingester");
  for (const publisher of [gateway, client]) {
    await publisher.ensureTopic(topicOf(probesTopic));
    await publisher.publish(probesTopic, [textRecord("k", "probe")]);
  }
  await agent.ensureTopic(topicOf(probesTopic));
  await using probes = await agent.subscribe(agentGroup("west"), [probesTopic]);
  const [first, second] = await read(probes, 2);
  expect([first, second].map((record) => record && textOf(record))).toEqual(["probe", "probe"]);
  await probes.commit(probesTopic, second?.partition ?? 0, (second?.offset ?? 0n) + 1n);
  await agent.publish(repliesTopic, [textRecord("k", "reply")]);
  const waiting = (await client.positions(agentGroup("west"), probesTopic)).map(
    ({ committed, end }) => end - committed,
  );
  expect(waiting.reduce((sum, one) => sum + one, 0n)).toBe(0n);
  for (const [group, topic, count] of [
    [ingestGroups.replies, repliesTopic, 1],
    [ingestGroups.probes, probesTopic, 2],
  ] as const) {
    await ingester.ensureTopic(topicOf(topic));
    expect((await ingester.positions(group, topic)).length).toBe(16);
    await using subscription = await ingester.subscribe(group, [topic]);
    const [record] = await read(subscription, count);
    await subscription.commit(topic, record?.partition ?? 0, (record?.offset ?? 0n) + 1n);
  }
});

const forbidden: Readonly<Record<string, (agent: Broker) => Promise<unknown>>> = {
  "publish probes": (agent) => agent.publish(probesTopic, [textRecord("k", "forged")]),
  "create a topic": (agent) => agent.ensureTopic(topicOf("a-topic-of-its-own")),
  // kafkajs keeps to itself why it has found no coordinator.
  "join the group of another agent": (agent) => agent.subscribe(agentGroup("east"), [probesTopic]),
  "look at the group of another agent": (agent) => agent.positions(agentGroup("east"), probesTopic),
  "join the store's group": (agent) => agent.subscribe(ingestGroups.replies, [probesTopic]),
};

test.concurrent.each(Object.keys(forbidden))("an agent's account may not %s", async (what) => {
  await using agent = await openAs("agent");
  const refusal = await forbidden[what]?.(agent).then(String, (error: Error) => error);
  expect(refusal).toBeInstanceOf(BrokerError);
  expect(String(refusal)).toMatch(
    /(not authorized|group coordinator).*give the account the ACLs of docs\/operate\/encrypted-links\.md$/i,
  );
});

test("an agent's account may not read replies, which shows when it fetches them", async () => {
  const { address, login } = programs.agent();
  const refusal = Promise.withResolvers<string>();
  // A coordinator that still loads is in the log, too.
  const log = (line: string) => void (/not authorized/i.test(line) ? refusal.resolve(line) : null);
  await using agent = await openBroker(address, { login, log });
  await using replies = await agent.subscribe(agentGroup("west"), [repliesTopic]);
  expect(await refusal.promise).toMatch(/not authorized to access topics/i);
  expect(await replies.next({ recordsMax: 1, waitMs: 0 })).toEqual([]);
});

interface BadLogin {
  readonly port?: keyof KafkaPorts;
  readonly caFile?: string | null;
  readonly protocol?: KafkaLogin["protocol"];
  readonly user?: string;
  readonly password?: string;
  readonly mechanism?: KafkaMechanism;
  readonly host?: string;
}

const unexpected = "if it stays so, auth_protocol is not what that port of the broker expects";
const untrusted =
  /certificate of 127\.0\.0\.1:\d+ is refused .*its issuer is not trusted here; .*auth_tls_ca_file/;

/** What is wrong, and the code and the words that it gives. */
const badLogins: Readonly<Record<string, readonly [BadLogin, "refused" | "unavailable", RegExp]>> = {
  "a wrong password": [{ password: "wrong" }, "refused", /invalid credentials.*auth_sasl_password$/],
  "a mechanism that the broker does not offer": [
    { mechanism: "PLAIN" },
    "refused",
    /in auth_sasl_mechanism$/,
  ],
  "another authority": [{ caFile: certificates.otherAuthority }, "refused", untrusted],
  "the public authorities": [{ caFile: null }, "refused", untrusted],
  "an expired certificate": [{ port: "expired" }, "refused", /CERT_HAS_EXPIRED\): it has expired; renew it/],
  "a certificate for another name": [{ port: "tls" }, "refused", /name the broker as in its certificate/],
  "no TLS where it is spoken": [{ protocol: "SASL_PLAINTEXT" }, "unavailable", RegExp(`${unexpected}$`)],
  "TLS where it is not spoken": [{ port: "sasl" }, "unavailable", RegExp(`${unexpected}$`)],
  "no login where one is asked for": [{ protocol: "SSL" }, "unavailable", RegExp(`${unexpected}$`)],
  "a login where none is asked for": [
    { port: "tls", host: "localhost" },
    "unavailable",
    RegExp(`${unexpected}$`),
  ],
};

/** All that is not wrong is right. */
function badBroker({
  port = "saslTls",
  host = "127.0.0.1",
  protocol = "SASL_SSL",
  ...more
}: BadLogin): Promise<Broker> {
  const login = { protocol, caFile: certificates.authority, ...west, ...more };
  return openBroker(`kafka:${host}:${kafka().ports[port]}`, { login, giveUpMs });
}

test.concurrent.each(Object.keys(badLogins))(
  "%s: one line says what to do, and never the password",
  async (name) => {
    const [bad, code, words] = badLogins[name] ?? [{}, "closed", /^$/];
    await using broker = await badBroker(bad);
    const refusal = await broker
      .positions(agentGroup("west"), probesTopic)
      .then(String, (error: Error) => error);
    expect(refusal).toMatchObject({ code, message: expect.stringMatching(words) });
    expect(String(refusal)).not.toContain(west.password);
  },
);

test.concurrent("agent check tells it before the agent is started", async () => {
  const file = join(folder, "agent.yaml");
  const kafka = section("vantage-agent-west")
    .replace("SASL_SSL", "SSL")
    .replaceAll(/^ *auth_sasl.*/gm, "");
  writeFileSync(
    file,
    `agent: {id: west, state_dir: ${folder}}\nprober: [{interface: lo, dry_run: true}]\n${kafka}`,
  );
  const command = [...vantageCommand, "agent", "check", "-c", file];
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "ignore" });
  const said = await new Response(child.stdout).text();
  expect(said).toMatch(
    /broker +kafka:127\.0\.0\.1.*auth_protocol is not what that port of the broker expects/,
  );
  expect(await child.exited).toBe(1);
});

test("the other mechanism logs in too, as somebody who has no rights; TLS without a login as somebody who has all", async () => {
  await using stranger = await badBroker({ mechanism: "SCRAM-SHA-256", ...scramUser });
  const refusal = await stranger.ensureTopic(topicOf("any")).catch(String);
  expect(refusal).toContain("Not authorized to access topics");
  await using nobody = await badBroker({ port: "tls", host: "localhost", protocol: "SSL" });
  expect(await nobody.positions("anybody", probesTopic)).toHaveLength(16);
});

test.skipIf(!hasIpv6)(
  "TLS by an IPv6 address, which the certificate names; a refusal names it as people write it",
  async () => {
    const place = { port: "ipv6Tls", host: "[::1]", protocol: "SSL" } as const;
    await using good = await badBroker(place);
    expect(await good.positions("anybody", probesTopic)).toHaveLength(16);
    await using bad = await badBroker({ ...place, caFile: certificates.otherAuthority });
    const refusal = await bad.positions("anybody", probesTopic).catch(String);
    expect(refusal).toMatch(/certificate of \[::1\]:\d+ is refused .*its issuer is not trusted here/);
  },
);

test("the broker that docs/operate/encrypted-links.md describes is the one that was tried", () => {
  const page =
    readPage("docs/operate/encrypted-links.md").find(({ language }) => language === "properties")?.text ?? "";
  const tried = secured({ ...certificates, broker: "/etc/kafka/broker.pem" });
  const lines = page.split("\n").filter((line) => /^(listener\.name|authorizer|super)/.test(line));
  expect(lines).toHaveLength(6);
  for (const [, key = "", value = ""] of lines.map((line) => /^([^=]+)=(.+)$/.exec(line) ?? [])) {
    // Some listeners of the test speak more than one mechanism.
    expect(tried[key]?.split(",SCRAM")[0]).toBe(value);
  }
});

test.each([
  ["/nowhere.pem", /auth_tls_ca_file \/nowhere\.pem: .*there is no such file/],
  [join(import.meta.dirname, "pom.xml"), /there is no certificate in it/],
])("authorities in %s are refused before anything is sent", async (caFile, words) => {
  const refusal = await openBroker("kafka:127.0.0.1:1", { login: { protocol: "SSL", caFile } }).catch(
    (error) => error,
  );
  expect(refusal).toMatchObject({ code: "badLogin", message: expect.stringMatching(words) });
});
