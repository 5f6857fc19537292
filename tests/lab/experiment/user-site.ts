/** A site of the user: the client stack with its BIRD, and an agent that probes from the announced prefix. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { exchangeDevice, Tailscaled } from "../../contract/bootstrap/tailscaled.ts";
import { Bird, Daemon } from "../../exchange/daemon.ts";
import { until } from "../../exchange/until.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { gatewayPort, peeringPort } from "../lab-stack.ts";
import { end, startReady } from "../ready-process.ts";
import { exchanges, managementAddress, platformAsn, prefix, type Site, sites } from "./plan.ts";

interface SitePlace {
  readonly folder: string;
  readonly within: (command: readonly string[]) => string[];
  readonly token: string;
  readonly asn: string;
  readonly broker: string;
  readonly enrolmentKey: string;
}

const gateways = managementAddress("mgmt");
/** The sites tell each other's probes by it. */
const integrityKey = "of both sites of the laboratory";

export class UserSite implements AsyncDisposable {
  readonly #site: Site;
  readonly #place: SitePlace;
  readonly #stack = new AsyncDisposableStack();
  #client: Daemon | null = null;
  #agent: Subprocess | null = null;

  private constructor(site: Site, place: SitePlace) {
    this.#site = site;
    this.#place = place;
  }

  static async start(site: Site, place: SitePlace): Promise<UserSite> {
    const one = new UserSite(site, place);
    try {
      await one.#start();
      return one;
    } catch (error) {
      await one[Symbol.asyncDispose]();
      throw error;
    }
  }

  startClient(): void {
    const { folder, within, asn } = this.#place;
    const command = ["env", `USER_ASN=${asn}`, ...vantageCommand, "bootstrap", "run", "-c"];
    this.#client = new Daemon("client", folder, within([...command, join(folder, "client.yaml")]));
  }

  /** As a crash does. */
  async killClient(): Promise<void> {
    await this.#client?.[Symbol.asyncDispose]();
  }

  async startAgent(): Promise<void> {
    const { folder, within } = this.#place;
    const command = within([...vantageCommand, "agent", "--config", join(folder, "agent.yaml")]);
    await startReady(command, "is running", (child) => {
      this.#agent = child;
    });
  }

  async killAgent(): Promise<void> {
    this.#agent?.kill("SIGKILL");
    await this.#agent?.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (this.#agent && end(this.#agent));
    await this.killClient();
    await this.#stack.disposeAsync();
  }

  async #start(): Promise<void> {
    const { folder, within, token } = this.#place;
    const { node, v4, v6 } = this.#site;
    mkdirSync(join(folder, "snippets"), { recursive: true });
    writeFileSync(join(folder, "token"), `${token}\n`, { mode: 0o600 });
    const devices = exchanges
      .filter(({ site }) => site === node)
      .map(({ name }) => exchangeDevice(Number(name.at(-1))));
    const vpn = this.#stack.use(new Tailscaled(join(folder, "ts.sock"), devices));
    vpn.self = { HostName: node, TailscaleIPs: [v4, v6] };
    writeFileSync(join(folder, "client.yaml"), JSON.stringify(this.#clientConfig(vpn.socket)));
    writeFileSync(join(folder, "agent.yaml"), JSON.stringify(this.#agentConfig()));
    this.startClient();
    const file = join(folder, "bird.conf");
    await until("the client's configuration", () => {
      this.#client?.mustRun();
      return Bun.file(file).exists();
    });
    this.#stack.use(await Bird.start("bird", { folder, file, within: (command) => within(command) }));
    await this.startAgent();
  }

  #clientConfig(socket: string): object {
    const { folder } = this.#place;
    const at = (name: string) => join(folder, name);
    return {
      platform: { asn: platformAsn },
      vpn: { socket, status_interval_sec: 1 },
      daemon: {
        ...{ kind: "bird", config_file: at("bird.conf"), control_socket: at("bird.ctl") },
        snippets_dir: at("snippets"),
      },
      bootstrap: { state_dir: at("client"), address: "127.0.0.1:8092", interval_sec: 1 },
      gateway: { url: `http://${gateways}:${peeringPort}`, token_file: at("token") },
    };
  }

  #agentConfig(): object {
    const { folder, broker, enrolmentKey } = this.#place;
    const { node } = this.#site;
    const state = join(folder, "agent");
    mkdirSync(state);
    return {
      agent: {
        ...{ id: node, state_dir: state, metrics_address: "127.0.0.1:8080", block_reserved_ranges: false },
        ...{ address_rate: 0, network_rate: 0, integrity_key: integrityKey },
        anycast_peers: sites.filter((one) => one.node !== node).map((one) => `${one.node}:1`),
      },
      prober: [
        {
          name: "anycast",
          instance_id: 1,
          interface: "tailscale0",
          src_ipv6_prefix: prefix,
          integrity_check: true,
          probing_rate: 1000,
        },
      ],
      kafka: { brokers: broker, out_batch_wait_time: 50, out_batch_wait_interval: 5 },
      gateway: { url: `http://${gateways}:${gatewayPort}`, enrolment_key: enrolmentKey },
    };
  }
}
