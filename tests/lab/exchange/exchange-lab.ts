/**
 * The whole exchange of the lab: namespaces, real daemons, the policy generator of this project in this process, and
 * small servers for the gateway and the coordination server. Nothing of it reaches the machine's own network.
 */
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readGeneratorConfig } from "../../../apps/peering/generator/config.ts";
import type { StatusBody } from "../../../apps/peering/generator/http/status-view.ts";
import { makeService, type Service } from "../../../apps/peering/generator/service.ts";
import { jsonLog } from "../../../lib/engines/observe/log.ts";
import { rejectAll } from "../../../lib/peering/policy/policy.ts";
import { policyText } from "../../../lib/peering/policy/policy-text.ts";
import { debianBird, labBird, type TestBird } from "../../exchange/birds.ts";
import { Bird, Daemon } from "../../exchange/daemon.ts";
import { issuer, nodesAnswer, type SampleUser } from "../../exchange/samples.ts";
import { gatewayKey, headscaleKey, SourcesServer } from "../../exchange/sources-server.ts";
import { until } from "../../exchange/until.ts";
import { run } from "../namespaces.ts";
import * as configurations from "./configurations.ts";
import { ExchangeNet } from "./exchange-net.ts";
import * as plan from "./plan.ts";
import { RogueSpeaker } from "./rogue-speaker.ts";
import { rtrServer, rtrServers } from "./rtr-server.ts";

const birdNames = ["exchange", "upstream", "server", "two", "three"] as const;

interface LabOptions {
  /** People of the VPN, and of the small gateway. */
  readonly users?: readonly SampleUser[];
  /** Instead of the small one. */
  readonly gatewayUrl?: string;
  /** Age of data at which everybody is refused. */
  readonly staleSec?: number;
  /** For who announces more often than an honest user. */
  readonly announcementsPerHour?: number;
  readonly suspensionSec?: number;
  /** Changes of one prefix in a row, and seconds until one more is allowed; left out, a prefix may change at will. */
  readonly prefixBudget?: readonly [burst: number, refillSec: number];
  /** How long BIRD keeps a policy that nobody renews. */
  readonly policyEndsSec?: number;
  /** Another RTR server, with a file of its own. */
  readonly withSecondCache?: boolean;
  /** The other server is not StayRTR: it has ASPA objects, and is given by who asks for it. */
  readonly withAspa?: boolean;
  /** The member behind the route server is a peer too. */
  readonly withPeer?: boolean;
  /** The exchange's; Debian's when left out. */
  readonly bird?: TestBird;
}

export class ExchangeLab implements AsyncDisposable {
  readonly net: ExchangeNet;
  readonly folder: string;
  readonly policyFile: string;
  readonly sources: SourcesServer;
  /** What the generator has logged. */
  readonly log: string[] = [];
  /** The first RTR server. */
  firstCache: Daemon | null = null;
  readonly #stack = new AsyncDisposableStack();
  #birds: Record<(typeof birdNames)[number], Bird> | null = null;
  #rogue: RogueSpeaker | null = null;
  #service: Service | null = null;

  readonly #options: LabOptions;

  private constructor(net: ExchangeNet, options: LabOptions) {
    this.net = net;
    this.#options = options;
    this.sources = new SourcesServer(options.users ?? plan.users);
    this.folder = mkdtempSync(join(tmpdir(), "vantage-exchange-"));
    this.policyFile = join(this.folder, "peering_generated.conf");
    this.#stack.defer(() => rmSync(this.folder, { recursive: true }));
    this.#stack.use(net);
    this.#stack.use(this.sources);
  }

  /** Everything runs, and the full table has reached everybody. */
  static async start(options: LabOptions = {}): Promise<ExchangeLab> {
    const lab = new ExchangeLab(await ExchangeNet.start(), options);
    try {
      await lab.#start();
      return lab;
    } catch (error) {
      await lab[Symbol.asyncDispose]();
      throw error;
    }
  }

  get birds(): Record<(typeof birdNames)[number], Bird> {
    return started(this.#birds);
  }

  get rogue(): RogueSpeaker {
    return started(this.#rogue);
  }

  get service(): Service {
    return started(this.#service);
  }

  /** What the RPKI cache says from now on, besides what it always says. */
  writeVrps(others: readonly configurations.Vrp[]): void {
    const file = join(this.folder, rtrServers.first.file);
    writeFileSync(`${file}.new`, configurations.vrps(others));
    renameSync(`${file}.new`, file);
  }

  /** `GET /status` of the generator, as asked from an address. */
  async status(from: string): Promise<Response> {
    return this.service.app.request("/status", {}, { remoteAddress: from });
  }

  /** What operators see of the session with an upstream, a peer or a route server. */
  async outside(asn: number): Promise<StatusBody["outside"][number] | undefined> {
    const body = (await (await this.status("127.0.0.1")).json()) as StatusBody;
    return body.outside.find(({ peer_asn }) => peer_asn === asn);
  }

  /** The sessions that `GET /status` shows there. */
  async sessionsSeenFrom(address: string): Promise<StatusBody["sessions"]> {
    const body = (await (await this.status(address)).json()) as StatusBody;
    return body.sessions;
  }

  /** The exchange's end of the rogue's session; the newest, where there were several. */
  async rogueSession(address = "100.64.0.66") {
    const sessions = await this.birds.exchange.sessions();
    return sessions.findLast(({ neighborAddress }) => neighborAddress === address);
  }

  /** Whether BIRD's configuration file is invalid: then it refuses every new policy, and keeps the old one. */
  breakExchange(isBroken: boolean): void {
    const text = this.#exchangeText();
    writeFileSync(join(this.folder, "exchange.conf"), isBroken ? `${text}nonsense;\n` : text);
  }

  /** As by `kill -9`. */
  async killExchange(): Promise<void> {
    await this.birds.exchange[Symbol.asyncDispose]();
  }

  /** With the policy that is on disk then. */
  async restartExchange(): Promise<void> {
    const text = this.#exchangeText();
    this.#birds = { ...this.birds, exchange: await this.#bird("exchange", text) };
    await this.#hearsCache();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }

  async #start(): Promise<void> {
    writeFileSync(this.policyFile, policyText(rejectAll).text);
    this.writeVrps([]);
    this.firstCache = this.#stack.use(rtrServer(this.net, this.folder, rtrServers.first));
    if (this.#options.withSecondCache === true && this.#options.withAspa !== true) {
      writeFileSync(join(this.folder, rtrServers.second.file), configurations.vrps());
      this.#stack.use(rtrServer(this.net, this.folder, rtrServers.second));
    }
    await this.#startBirds();
    // FRR insists on a user of its own.
    chmodSync(this.folder, 0o711);
    mkdirSync(join(this.folder, "frr"));
    await run(["chown", "frr:frr", join(this.folder, "frr")]);
    this.#stack.use(this.#frrDaemon("zebra", "hostname one\n"));
    await until("zebra's socket", () =>
      Bun.file(join(this.folder, "frr", "zserv.api"))
        .stat()
        .then(() => true),
    );
    const [one] = plan.userMembers;
    this.#stack.use(
      this.#frrDaemon(
        "bgpd",
        configurations.frrConfiguration(started(one ?? null), plan.one.asn, plan.platformPrefix),
        ["--no_kernel"],
      ),
    );
    this.#rogue = this.#stack.use(new RogueSpeaker((command) => this.net.at("rogue", command)));
    this.#service = makeService(readGeneratorConfig({ name: "lab", text: this.#generatorConfig() }, {}), {
      log: jsonLog("policy-generator", (line) => this.log.push(line)),
      nowMs: () => Date.now(),
      // What a test has just done must be seen.
      seenAgeMs: 0,
    });
    this.#stack.use(this.#service.loop);
    this.sources.onApproval = (nodeId, routes) => this.#carry(nodeId, routes);
    await this.#service.loop.start();
  }

  #generatorConfig(): string {
    const {
      gatewayUrl = this.sources.url,
      staleSec = 3600,
      announcementsPerHour = 10,
      suspensionSec = 1800,
      prefixBudget: [burst, refillSec] = [1, 0],
      policyEndsSec = 0,
    } = this.#options;
    const intervalSec = Math.min(60, Math.round(staleSec / 4));
    return `
generator:
  server: ixp-1
  state_dir: ${join(this.folder, "state")}
  address: "127.0.0.1:0"
  interval_sec: ${intervalSec}
  max_stale_sec: ${staleSec}
gateway: {url: "${gatewayUrl}", key: ${gatewayKey}}
vpn: {headscale_url: "${this.sources.url}", headscale_key: ${headscaleKey}, issuer: "${issuer}", approve_routes: true}
platform: {asn: ${plan.platformAsn}}
budget: {announcements_per_hour: ${announcementsPerHour}, suspension_sec: ${suspensionSec},
  prefix_burst: ${burst}, prefix_refill_sec: ${refillSec}}
daemon: {policy_file: ${this.policyFile}, control_socket: ${join(this.folder, "exchange.ctl")},
  check_command: ${this.#exchangeBird.program}, sample_sec: 1, policy_ends_sec: ${policyEndsSec}}
`;
  }

  async #startBirds(): Promise<void> {
    const [, two, three] = plan.userMembers;
    const texts = {
      exchange: this.#exchangeText(),
      upstream: configurations.upstreamConfiguration(this.#options.withAspa),
      server: configurations.serverConfiguration(this.#options.withPeer ?? false),
      two: configurations.userConfiguration(
        started(two ?? null),
        plan.two.asn,
        plan.two.leases.map(({ prefix }) => prefix),
      ),
      three: configurations.userConfiguration(started(three ?? null), plan.three.asn, []),
    };
    const birds = await Promise.all(
      birdNames.map(async (name) => [name, await this.#bird(name, texts[name])] as const),
    );
    this.#birds = Object.fromEntries(birds) as Record<(typeof birdNames)[number], Bird>;
    await this.#hearsCache();
  }

  /** A BIRD that was faster than its cache tries again after 5 s; until then no route is invalid. */
  async #hearsCache(): Promise<void> {
    await until("the RPKI cache at the exchange", async () => {
      const [first] = await this.birds.exchange.caches();
      return first !== undefined && first.ageSec !== null;
    });
  }

  async #bird(name: string, text: string): Promise<Bird> {
    const file = join(this.folder, `${name}.conf`);
    writeFileSync(file, text);
    const within = (command: string[]) => this.net.at(name, command);
    const program = name === "exchange" ? this.#exchangeBird.program : debianBird.program;
    return this.#stack.use(await Bird.start(name, { folder: this.folder, file, within, program }));
  }

  get #exchangeBird(): TestBird {
    return this.#options.bird ?? labBird;
  }

  #exchangeText(): string {
    const { withPeer = false, withSecondCache = false, withAspa = false } = this.#options;
    const extras = { withPeer, withSecondCache, withAspa };
    return configurations.exchangeConfiguration(this.policyFile, this.#exchangeBird.version, extras);
  }

  /** `more`: bgpd leaves the kernel alone, for 20,000 routes are much work to it. */
  #frrDaemon(name: string, text: string, more: readonly string[] = []): Daemon {
    const folder = join(this.folder, "frr");
    const file = join(folder, `${name}.conf`);
    writeFileSync(file, text, { mode: 0o644 });
    const places = ["-i", join(folder, `${name}.pid`), "-z", join(folder, "zserv.api")];
    const who = ["--vty_socket", folder, "-u", "frr", "-g", "frr", "-P", "0", "--log", "stdout"];
    const command = [name, "-f", file, ...places, ...who, ...more];
    return new Daemon(name, this.folder, this.net.at("one", command));
  }

  /** What the coordination server would do: the VPN carries what is approved, and nothing else. */
  async #carry(nodeId: string, routes: readonly string[]): Promise<void> {
    const node = nodesAnswer(this.sources.users).nodes.find(({ id }) => id === nodeId);
    const member = plan.userMembers.find(({ v4 }) => node?.ipAddresses.includes(v4));
    if (member === undefined) {
      return;
    }
    const before = this.#carried.get(member.node) ?? [];
    const gone = before.filter((prefix) => !routes.includes(prefix));
    const added = routes.filter((prefix) => !before.includes(prefix));
    await this.net.carry(member.node, added, gone);
    this.#carried.set(member.node, routes);
  }

  readonly #carried = new Map<string, readonly string[]>();
}

function started<Thing>(thing: Thing | null): Thing {
  if (thing === null) {
    throw new Error("The lab is not started yet");
  }
  return thing;
}
