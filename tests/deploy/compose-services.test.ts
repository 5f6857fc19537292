/**
 * Every Vantage service in compose.yaml, run as the file says until its own health check passes: the same command,
 * variables, user, capabilities, mounts, networks and names, on the real Kafka, PostgreSQL, Caddy, BIRD and StayRTR.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import * as v from "valibot";
import { until } from "../exchange/until.ts";
import { isLongRun } from "../run/tier.ts";
import { exampleVariables, isOurs } from "./compose-file.ts";
import type { Container } from "./container.ts";
import { Scene } from "./scene.ts";

/** Numbers of capabilities, capability.h of Linux. */
const capabilityBits = { net_bind_service: 10, net_admin: 12, net_raw: 13 } as const;
/** Namespaces, mounts and users. */
const isRoot = process.getuid?.() === 0;
const asRoot = test.skipIf(!isRoot);
const asRootInLongTier = isLongRun ? asRoot : () => undefined;
const clusterId = "MkU3OEVBNTcwNTJENDM2Qk";
let scene: Scene;

beforeAll(async () => {
  if (!isRoot) {
    return;
  }
  scene = await Scene.make({
    ...{ ...exampleVariables(), RPKI_FEED: "https://peering.example.net/vrps.json" },
    ...{ KAFKA_CLUSTER_ID: clusterId, KAFKA_PARTITIONS: "5" },
    // What the test's switch gives the network `front`.
    EDGE_NETWORK: "203.0.113.0/24",
    // Of the test's networks: ingester and collector are in one of them.
    COLLECTOR_ROUTERS: "192.0.2.1, 0.0.0.0/0",
  });
});
afterAll(() => (isRoot ? scene[Symbol.asyncDispose]() : undefined));

/** As the kernel shows a set of them. */
function bits(...names: (keyof typeof capabilityBits)[]): string {
  const set = names.reduce((sum, name) => sum + 2 ** capabilityBits[name], 0);
  return set.toString(16).padStart(16, "0");
}

/** Made by an admin, as the guide says. */
async function enrolmentKey(gateway: Container): Promise<string> {
  const { output: adminKey } = await gateway.execute(["cat", "/run/secrets/probing_admin_key"]);
  const headers = ["Content-Type: application/json", `Authorization: Bearer ${adminKey.trim()}`];
  const key = '{"label": "west", "uses": 1, "granted_prefixes": ["0.0.0.0/0", "::/0"]}';
  const { output } = await gateway.execute([
    ...["wget", "-qO-", ...headers.map((header) => `--header=${header}`)],
    ...[`--post-data=${key}`, "http://127.0.0.1:8080/admin/enrolment-keys"],
  ]);
  return v.parse(v.object({ enrolment_key: v.string() }), JSON.parse(output)).enrolment_key;
}

/** Rejects with what it says when that is another thing. */
async function answersWell(container: Container, place: string, wanted = ""): Promise<boolean> {
  const { exitCode, output } = await container.execute(["vantage", "health", `http://127.0.0.1:${place}`]);
  if (exitCode !== 0 || !output.includes(wanted)) {
    throw new Error(output);
  }
  return true;
}

async function upAll(profile: string): Promise<Container[]> {
  const names = Object.entries(scene.compose.services)
    .filter(([, service]) => service.profiles.includes(profile) && isOurs(service))
    .map(([name]) => name);
  return await Promise.all(names.map((name) => scene.up(name)));
}

asRoot("platform: tables are made, gateways and ingester serve", async () => {
  const containers = await upAll("platform");
  expect(containers.map(({ name }) => name).sort()).toEqual([
    "collector",
    "ingester",
    "issuer-ready",
    "peering-gateway",
    "probing-gateway",
    "store-tables",
  ]);
  const [ingester, ...gateways] = await Promise.all(
    ["ingester", "peering-gateway", "probing-gateway"].map((name) => scene.up(name)),
  );
  for (const gateway of gateways) {
    await until(`${gateway.name} reaches all that it needs`, () => answersWell(gateway, "8080/ready"));
  }
  await until("the ingester reads the broker", async () => {
    const metrics = await ingester?.execute(["wget", "-qO-", "http://127.0.0.1:8080/metrics"]);
    return metrics?.output.includes('vantage_stack_ingest_lag_records{feed="probes"} 0');
  });
});

asRoot("collector: reaches the broker, has no right at all, and hears a router of the list", async () => {
  const [collector, ingester] = await Promise.all([scene.up("collector"), scene.up("ingester")]);
  await until("it reaches the broker", () => answersWell(collector, "8080/ready"));
  expect(collector.status()).toMatchObject({ Uid: expect.stringMatching(/^10001\t/), CapEff: bits() });
  // RFC 7854: an initiation without a word, and a session that stays.
  const speak = "exec 3<>/dev/tcp/collector/11019; printf '\\3\\0\\0\\0\\6\\4' >&3; sleep 3 & wait";
  const speaking = ingester.execute(["bash", "-c", speak]);
  await until("the router is there", async () => {
    const { output } = await collector.execute(["wget", "-qO-", "http://127.0.0.1:8080/metrics"]);
    return /^vantage_collector_routers 1$/m.test(output);
  });
  await speaking;
});

asRootInLongTier("broker: its id and the partitions of its topics are those of the settings", async () => {
  const kafka = await scene.up("kafka");
  await scene.up("kafka-topics");
  const { output: meta } = await kafka.execute(["cat", "/var/lib/kafka/data/meta.properties"]);
  expect(meta).toContain(`cluster.id=${clusterId}\n`);
  const ask = ["/opt/kafka/bin/kafka-topics.sh", "--bootstrap-server", "127.0.0.1:9091", "--describe"];
  const { output } = await kafka.execute(ask);
  const topics = [...output.matchAll(/^Topic: (\S+)\s.*PartitionCount: (\d+)\s.*Configs: (\S*)/gm)];
  const ours = topics.map(([, ...found]) => found).filter(([name]) => name?.startsWith("_") === false);
  expect(ours.sort()).toEqual([
    ["bmp-updates", "5", expect.stringContaining("retention.ms=86400000")],
    ["measure-probes", "5", expect.stringContaining("retention.ms=86400000")],
    ["measure-replies", "5", expect.stringContaining("retention.ms=86400000")],
  ]);
});

asRootInLongTier(
  "broker: its services' port is closed to others of the platform, and to who is in front",
  async () => {
    const [headscale, collector] = await Promise.all([scene.up("headscale"), scene.up("collector")]);
    const opens = async (from: Container, place: string) =>
      (await from.execute(["bash", "-c", `exec 3<>/dev/tcp/${place}`])).exitCode === 0;
    expect([await opens(headscale, "kafka/9094"), await opens(headscale, "kafka/9092")]).toEqual([
      true,
      false,
    ]);
    expect(await opens(collector, "kafka-inside/9092")).toBe(true);
  },
);

asRoot("broker: no one without an account, and each service only what it has a right to", async () => {
  const names = ["collector", "ingester", "probing-gateway"] as const;
  const [collector, ingester, gateway] = await Promise.all(names.map((name) => scene.up(name)));
  const program = [process.execPath, join(import.meta.dirname, "broker-account.ts"), "kafka-inside:9092"];
  const as = async (from: Container | undefined, action: string, topic: string, ...account: string[]) =>
    (await from?.execute([...program, action, topic, ...account]))?.output.trim();
  // A topic that an account may not even see is none to it.
  const refusal = expect.stringMatching(/not authorized|has not been created/i);
  expect(await as(collector, "publish", "bmp-updates")).toMatch(/auth_protocol/);
  expect(await as(collector, "publish", "bmp-updates", "gateway", "collector")).toMatch(
    /authentication failed/i,
  );
  expect(await as(collector, "publish", "bmp-updates", "collector")).toBe("done");
  expect(await as(collector, "publish", "measure-replies", "collector")).toEqual(refusal);
  expect(await as(collector, "read", "measure-probes", "collector")).toEqual(refusal);
  expect(await as(gateway, "publish", "measure-probes", "gateway")).toBe("done");
  expect(await as(gateway, "publish", "measure-replies", "gateway")).toEqual(refusal);
  expect(await as(ingester, "read", "measure-replies", "ingester")).toBe("done");
  const doctor = async (from: Container | undefined) => (await from?.execute(["vantage", "doctor"]))?.output;
  const found = [await doctor(gateway), await doctor(await scene.up("peering-gateway"))];
  expect(found[0]).toMatch(/: a probing gateway[\s\S]*topic measure-probes has 5/);
  expect(found[1]).toContain(": a peering gateway");
  // The identity provider is a stand-in without keys.
  expect(found.join("\n")).not.toMatch(/^fail +(?!issuer| )/m);
});

asRootInLongTier(
  "probing gateway: strangers behind the edge are many, each with the requests of one",
  async () => {
    const containers = await Promise.all(["headscale", "keycloak", "edge"].map((name) => scene.up(name)));
    const [one, other] = await Promise.all(["headscale", "keycloak"].map((name) => scene.up(name)));
    await scene.up("probing-gateway");
    expect(containers).toHaveLength(3);
    const statuses = async (from: Container | undefined, requests: number) => {
      const { output = "" } =
        (await from?.execute([
          ...["curl", "--silent", "--insecure", "--output", "/dev/null", "--write-out", "%{http_code}\n"],
          ...["--connect-to", "::edge:443", `https://probing.example.net/api/public?limit=[1-${requests}]`],
        ])) ?? {};
      return output.trim().split("\n");
    };
    expect((await statuses(one, 300)).at(-1)).toBe("429");
    expect(await statuses(other, 2)).toEqual(["200", "200"]);
  },
);

asRoot(
  "agent: with an account at the broker and a key for its first contact, and with no right but one",
  async () => {
    const kafka = await scene.up("kafka");
    const gateway = await scene.up("probing-gateway");
    const password = "of-the-agent";
    const made = await kafka.execute(["/etc/vantage/kafka/add-agent.sh", "west"], `${password}\n`);
    expect([made.exitCode, made.output]).toEqual([0, expect.stringContaining("WRITE")]);
    const ask = ["/opt/kafka/bin/kafka-configs.sh", "--bootstrap-server", "127.0.0.1:9091", "--describe"];
    const { output: quotas } = await kafka.execute([...ask, "--entity-type", "users"]);
    expect(quotas).toMatch(/vantage-agent-west.*producer_byte_rate=8388608/);
    scene.giveSecret("agent_kafka_password", password);
    scene.giveSecret("agent_enrolment_key", await enrolmentKey(gateway));
    await upAll("agent");
    const agent = await scene.up("agent");
    await until("it has opened its sockets, and given its right away", async () => {
      const { CapEff, CapPrm } = agent.status();
      return [CapEff, CapPrm].every((capabilities) => Number(`0x${capabilities}`) === 0);
    });
    expect(agent.status()).toMatchObject({ Uid: expect.stringMatching(/^10001\t/), NoNewPrivs: "1" });
    await until("it misses nothing", () => answersWell(agent, "8080/health", '"status":"ok"'));
    await until("the gateway lists it", async () => {
      const { output } = await gateway.execute(["wget", "-qO-", "http://127.0.0.1:8080/api/agents"]);
      return output.includes('"id":"west"') && output.includes('"healthy":true');
    });
  },
);

asRoot("exchange: BIRD has the policy, and what RPKI says of the pool", async () => {
  scene.giveSecret("headscale_api_key", "of-the-coordination-server");
  await Promise.all([scene.up("headscale"), scene.up("peering-gateway")]);
  const containers = await upAll("exchange");
  const bird = await scene.up("exchange-bird");
  expect(containers).toContain(bird);
  const held = bits("net_admin", "net_bind_service", "net_raw");
  expect(bird.status()).toMatchObject({
    Uid: expect.stringMatching(/^10001\t/),
    CapEff: held,
    NoNewPrivs: "1",
  });
  const asUser = ["setpriv", "--reuid=10001", "--regid=10001", "--clear-groups"];
  const asked = async (command: string) =>
    (await bird.execute([...asUser, "birdc", "-r", "-s", "/run/bird/bird.ctl", command])).output;
  const roa = "2001:db8:1000::/40-48 AS64500";
  await until("ROAs from RTR", async () => (await asked("show route table roas")).includes(roa));
  expect(await asked("eval peering_policy_version")).toMatch(/\n[0-9a-f]{16}\n/);
  const standby = await scene.up("policy-standby");
  expect(standby.status()).toMatchObject({ Uid: expect.stringMatching(/^10001\t/), CapEff: bits() });
  const generator = await scene.up("policy-generator");
  const page = `http://${exampleVariables().EXCHANGE_TUNNEL_ADDRESS}:8091/metrics`;
  await until("the generator sees who stands by", async () => {
    const { output } = await generator.execute(["wget", "-qO-", page]);
    return output.includes("vantage_policy_standby_up 1");
  });
});

asRoot("client: BIRD has a configuration as soon as the VPN is there, and no right at all", async () => {
  await upAll("client");
  const daemon = await scene.up("routing-daemon");
  expect(daemon.status()).toMatchObject({
    Uid: expect.stringMatching(/^10001\t/),
    CapEff: bits(),
    NoNewPrivs: "1",
  });
  const asked = async (command: string) =>
    (await daemon.execute(["birdc", "-r", "-s", "/run/bird/bird.ctl", command])).output;
  expect(await asked("show route")).toContain("2001:db8:1000::/48");
  // BGP's port is below 1024.
  expect(await asked("show protocols")).toMatch(/ixp_\S+ +BGP(?!.*No listening socket)/);
  const bootstrap = await scene.up("bootstrap");
  await until("the configuration is in force", async () => {
    const { output } = await bootstrap.execute(["wget", "-qO-", "http://127.0.0.1:8092/status.json"]);
    return output.includes('"in_force":true');
  });
  const order = ["vantage", "withdraw", "2001:db8:1000::/48"];
  expect(await bootstrap.execute(order)).toMatchObject({ exitCode: 0 });
  const vpn = await scene.up("vpn");
  expect(vpn.status()).toMatchObject({ CapEff: bits("net_admin", "net_raw") });
  const rules = await vpn.execute(["nft", "list", "table", "inet", "vantage"]);
  expect(rules).toMatchObject({ exitCode: 0, output: expect.stringContaining("maxseg size set rt mtu") });
});
