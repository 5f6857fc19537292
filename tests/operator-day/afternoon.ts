/**
 * An operator's afternoon with nothing but the package: a platform with Kafka, PostgreSQL, TLS by its own authority,
 * logins and alerts on one machine; an agent on another. In this process's own mount, network and process namespaces.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { until } from "../exchange/until.ts";
import { run } from "../lab/namespaces.ts";
import { Machine } from "./machine.ts";
import { addresses, connect } from "./network.ts";
import { allowDocumentation, domain, Operator } from "./operator.ts";
import { installIssuer, installKafka, installPostgres } from "./programs.ts";
import { playSteps } from "./timed-steps.ts";

const receiverPort = 9999;
const answers = `platform:
  domain: ${domain}
  issuer: http://127.0.0.1:8095
  audience: urn:vantage
  broker: kafka
  certificates: local
  pool: ["2001:db8:1000::/40"]
  alerts: http://127.0.0.1:${receiverPort}/
`;

/** `folder` is empty, on a file system in memory. */
export async function playAfternoon(folder: string, packageFile: string): Promise<void> {
  await connect();
  const [platform, agent] = await Promise.all([
    makeMachine(join(folder, "platform"), null),
    makeMachine(join(folder, "agent"), "far"),
  ]);
  const operator = new Operator(platform);
  await playSteps(
    [
      ["install the package on both machines", () => installOn([platform, agent], packageFile)],
      ["install Kafka, PostgreSQL, an identity provider", () => installOthers(platform)],
      ["vantage setup: the platform", () => setUp(platform, operator)],
      ["make the databases, start the services", () => operator.start()],
      ["vantage setup again: nothing changes, nothing fails in vantage doctor", () => operator.setUpAgain()],
      ["invite an agent, set its machine up, start it", () => addAgent(operator, agent)],
      ["log in over TLS, ping from the agent", () => measure(operator)],
      ["an alert arrives; every target answers", () => receiveAlert(platform)],
    ],
    [platform, agent],
  );
}

async function makeMachine(folder: string, namespace: string | null): Promise<Machine> {
  mkdirSync(folder);
  const machine = await Machine.make(folder, namespace);
  const names = ["probing", "peering", "watch", "kafka"].map((name) => `${name}.${domain}`);
  machine.nameHosts([`${addresses.here} ${names.join(" ")}`]);
  return machine;
}

async function installOn(machines: readonly Machine[], packageFile: string): Promise<void> {
  for (const machine of machines) {
    await run(["cp", packageFile, machine.path("tmp/vantage.deb")]);
    await machine.run(["dpkg", "--install", "/tmp/vantage.deb"]);
    await machine.run(["rm", "/tmp/vantage.deb"]);
  }
}

async function installOthers(platform: Machine): Promise<void> {
  await installPostgres(platform);
  await installKafka(platform);
  await installIssuer(platform);
  await platform.shell("install -d -o prometheus -g prometheus /var/lib/prometheus");
  await platform.shell("install -d -o caddy -g caddy /var/lib/caddy");
}

async function setUp(platform: Machine, operator: Operator): Promise<void> {
  // Too early: there is no platform here.
  await platform.run(["vantage", "setup", "invite", "west"], { exits: 1 });
  await operator.setUp(answers);
  await platform.shell("chown -R kafka: /opt/kafka");
  // And what the agent may send from has to be said.
  await platform.run(["vantage", "setup", "invite", "west"], { exits: 2 });
}

async function addAgent(operator: Operator, agent: Machine): Promise<void> {
  // Named, as this network has no default route.
  const input = `${await operator.invite("west", "--grant", `${addresses.far}/32`)}  interface: far0\n`;
  const said = await agent.run(["vantage", "setup", "--answers", "-"], { input, exits: 3 });
  if (!said.includes("systemctl enable --now vantage-agent")) {
    throw new Error(`vantage setup does not say how to start the agent:\n${said}`);
  }
  allowDocumentation(agent, "agent");
  await agent.start("vantage-agent");
  await agent.run(["vantage", "health", "--wait", "240", "http://127.0.0.1:8080"]);
  await until("nothing fails in vantage doctor", async () => {
    await agent.run(["vantage", "setup"]);
    return true;
  });
}

async function measure(operator: Operator): Promise<void> {
  await operator.logIn();
  await operator.ping("west", addresses.here);
}

async function receiveAlert(platform: Machine): Promise<void> {
  const arrived: string[] = [];
  const receiver = Bun.serve({
    hostname: "127.0.0.1",
    port: receiverPort,
    fetch: async (request) => {
      arrived.push(await request.text());
      return new Response();
    },
  });
  try {
    const alert = ["alertname=VantageTargetDown", "severity=critical", "--annotation=summary=drill"];
    await platform.run(["amtool", "--alertmanager.url=http://127.0.0.1:9093", "alert", "add", ...alert]);
    await until("the alert arrives", () => arrived.some((text) => text.includes("VantageTargetDown")));
    await until("every target answers", async () => {
      const targets = await (await fetch("http://127.0.0.1:9090/api/v1/targets")).text();
      const states = [...targets.matchAll(/"health":"(\w+)"/g)].map(([, state]) => state);
      return states.length >= 5 && states.every((state) => state === "up");
    });
  } finally {
    await receiver.stop(true);
  }
}
