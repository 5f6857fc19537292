/**
 * An operator's afternoon with nothing but the package: a platform with Kafka, PostgreSQL, TLS by its own authority,
 * logins and alerts on one machine; an agent on another. Follows docs/operate/from-the-archive.md and what
 * `vantage setup` prints, in this process's own mount, network and process namespaces.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../deploy/compose-file.ts";
import { until } from "../exchange/until.ts";
import { ipBatch, run } from "../lab/namespaces.ts";
import { Machine } from "./machine.ts";
import { installIssuer, installKafka, installPostgres } from "./programs.ts";

interface TimedStep {
  readonly what: string;
  readonly elapsedMs: number;
}

const domain = "example.net";
const addresses = { platform: "198.51.100.1", agent: "198.51.100.2" } as const;
const authority = "NODE_EXTRA_CA_CERTS=/etc/vantage/authority/authority.pem";
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

/** Everything in the play has addresses for documentation. */
const documentation = (section: string) =>
  `[Service]\nEnvironment=VANTAGE_${section}__BLOCK_RESERVED_RANGES=false\n`;

export class Afternoon {
  readonly steps: TimedStep[] = [];
  readonly #platform: Machine;
  readonly #agent: Machine;
  #printed = "";

  private constructor(platform: Machine, agent: Machine) {
    this.#platform = platform;
    this.#agent = agent;
  }

  /** `folder` is empty, on a file system in memory. */
  static async begin(folder: string): Promise<Afternoon> {
    await connect();
    for (const name of ["platform", "agent"]) {
      mkdirSync(join(folder, name));
    }
    const platform = await Machine.make(join(folder, "platform"), null);
    const agent = await Machine.make(join(folder, "agent"), "far");
    const names = ["probing", "peering", "watch", "kafka"].map((name) => `${name}.${domain}`);
    for (const machine of [platform, agent]) {
      machine.nameHosts([`${addresses.platform} ${names.join(" ")}`]);
    }
    return new Afternoon(platform, agent);
  }

  async play(packageFile: string): Promise<TimedStep[]> {
    await this.#step("install the package on both machines", () => this.#install(packageFile));
    await this.#step("install Kafka, PostgreSQL, an identity provider", () => this.#installOthers());
    await this.#step("vantage setup: the platform", () => this.#setUp());
    await this.#step("make the databases, start the services", () => this.#start());
    await this.#step("vantage setup again: nothing changes, and nothing fails in vantage doctor", () =>
      this.#again(),
    );
    await this.#step("invite an agent, set its machine up, start it", () => this.#addAgent());
    await this.#step("log in over TLS, trace from the agent", () => this.#measure());
    await this.#step("an alert arrives; every target answers", () => this.#alert());
    return this.steps;
  }

  async #step(what: string, act: () => Promise<void>): Promise<void> {
    const startMs = performance.now();
    try {
      await act();
    } catch (error) {
      const words = [this.#platform, this.#agent].map((machine) => machine.lastWords());
      throw new Error(`Failed: ${what}${words.join("")}`, { cause: error });
    }
    const elapsedMs = performance.now() - startMs;
    this.steps.push({ what, elapsedMs });
    process.stderr.write(`${(elapsedMs / 1000).toFixed(1).padStart(6)} s  ${what}\n`);
  }

  async #install(packageFile: string): Promise<void> {
    for (const machine of [this.#platform, this.#agent]) {
      await run(["cp", packageFile, machine.path("tmp/vantage.deb")]);
      await machine.run(["dpkg", "--install", "/tmp/vantage.deb"]);
      await machine.run(["rm", "/tmp/vantage.deb"]);
    }
  }

  async #installOthers(): Promise<void> {
    await installPostgres(this.#platform);
    await installKafka(this.#platform);
    await installIssuer(this.#platform);
    await this.#platform.shell("install -d -o prometheus -g prometheus /var/lib/prometheus");
    await this.#platform.shell("install -d -o caddy -g caddy /var/lib/caddy");
  }

  async #setUp(): Promise<void> {
    this.#platform.write("/etc/platform.yaml", answers);
    // Nothing runs yet, so the doctor at its end finds much.
    this.#printed = await this.#platform.run(["vantage", "setup", "--answers", "/etc/platform.yaml"], {
      exits: 3,
    });
    await this.#platform.shell("chown -R kafka: /opt/kafka");
    this.#platform.write(
      "/etc/systemd/system/vantage-probing-gateway.service.d/override.conf",
      documentation("SAFETY"),
    );
  }

  async #start(): Promise<void> {
    await this.#platform.shell(this.#printedLine("PSQL="));
    const units = this.#printed.matchAll(/^ {2}systemctl restart (.+?)(?: {2}|$)/gm);
    const names = [...units].flatMap(([, line = ""]) => line.split(" "));
    for (const name of names.filter((one) => one !== "grafana-server")) {
      await this.#platform.start(name);
    }
    for (const url of [
      "http://127.0.0.1:8093/ready",
      "http://127.0.0.1:8094/ready",
      "http://127.0.0.1:8090",
    ]) {
      await this.#platform.run(["vantage", "health", "--wait", "240", url]);
    }
    await this.#platform.run(["vantage", "health", "--wait", "60", `https://probing.${domain}/health`], {
      variables: [authority],
    });
  }

  #printedLine(start: string): string {
    const line = this.#printed.split("\n").find((one) => one.trim().startsWith(start));
    if (line === undefined) {
      throw new Error(`vantage setup printed no line ${start}…:\n${this.#printed}`);
    }
    return line.trim();
  }

  async #again(): Promise<void> {
    const said = await this.#platform.run(["vantage", "setup"]);
    // Nor does it repeat the steps.
    if (/^(new|updated|kept|removed|secrets) /m.test(said) || said.includes("systemctl")) {
      throw new Error(`A second run is not as it should be:\n${said}`);
    }
  }

  async #addAgent(): Promise<void> {
    const grant = `${addresses.agent}/32`;
    const invitation = await this.#platform.run(["vantage", "setup", "invite", "west", "--grant", grant]);
    // What is on no interface of the default route, as there is none.
    const input = `${invitation}  interface: far0\n`;
    const said = await this.#agent.run(["vantage", "setup", "--answers", "-"], { input, exits: 3 });
    if (!said.includes("systemctl enable --now vantage-agent")) {
      throw new Error(`vantage setup does not say how to start the agent:\n${said}`);
    }
    this.#agent.write("/etc/systemd/system/vantage-agent.service.d/override.conf", documentation("AGENT"));
    await this.#agent.start("vantage-agent");
    await this.#agent.run(["vantage", "health", "--wait", "120", "http://127.0.0.1:8080"]);
    await until("nothing fails in vantage doctor agent", async () => {
      await this.#agent.run(["vantage", "setup"]);
      return true;
    });
  }

  async #measure(): Promise<void> {
    const gateway = `https://probing.${domain}`;
    await this.#logIn(gateway);
    await until("the agent is listed", async () => {
      const listed = await this.#platform.run(["vantage", "agents", "-o", "json"], {
        variables: [authority],
      });
      return listed.includes('"west"');
    });
    const traced = await this.#platform.run(
      ["vantage", "ping", "--from", "west", "-c", "3", addresses.platform, "-o", "json"],
      { variables: [authority] },
    );
    if ((traced.match(/"outcome":\s*"answered"/g) ?? []).length !== 3) {
      throw new Error(`No answer came back:\n${traced}`);
    }
  }

  /** And what a person does in a browser. */
  async #logIn(gateway: string): Promise<void> {
    const child = Bun.spawn(
      this.#platform.command(["vantage", "login", `--gateway=${gateway}`], [authority]),
      {
        ...{ stdin: "ignore", stdout: "pipe", stderr: "pipe" },
      },
    );
    let said = "";
    for await (const chunk of child.stderr) {
      const before = /or open +(\S+)/.test(said);
      said += new TextDecoder().decode(chunk);
      const [, url] = /or open +(\S+)/.exec(said) ?? [];
      if (url !== undefined && !before) {
        await run([process.execPath, join(projectRoot, "tests/lab/approve-login.ts"), url, "anna"]);
      }
    }
    if ((await child.exited) !== 0) {
      throw new Error(`Cannot log in: ${said}`);
    }
  }

  async #alert(): Promise<void> {
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
      await this.#platform.run([
        "amtool",
        "--alertmanager.url=http://127.0.0.1:9093",
        "alert",
        "add",
        ...alert,
      ]);
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
}

/** The agent's network is on the other side of a link. */
async function connect(): Promise<void> {
  mkdirSync("/run/netns", { recursive: true });
  await run(["mount", "-t", "tmpfs", "tmpfs", "/run/netns"]);
  await run(["ip", "netns", "add", "far"]);
  await ipBatch([
    "link set lo up",
    "link add near0 type veth peer name far0 netns far",
    `address add ${addresses.platform}/24 dev near0`,
    "link set near0 up",
  ]);
  await ipBatch(
    ["link set lo up", `address add ${addresses.agent}/24 dev far0`, "link set far0 up"],
    ...["-n", "far"],
  );
}
