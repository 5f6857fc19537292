/** BIRD that speaks, BIRD that notes it in MRT, and FRR that passes it on by BMP, which is kept as it comes. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askFrrJson } from "../../../lib/peering/frr/vtysh.ts";
import { Bird, Daemon } from "../../exchange/daemon.ts";
import { until } from "../../exchange/until.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { run } from "../namespaces.ts";
import { listenerAsn, MonitorNet } from "./monitor-net.ts";
import { collectorText, routerText, speakerText } from "./told.ts";

const bmpPort = 5000;
const collectorPort = 5001;
/** Keeps what comes at a port in a file. */
const keeper = `const { appendFileSync, writeFileSync } = require("node:fs");
const file = process.argv.at(-1);
writeFileSync(file, "");
Bun.listen({ hostname: "127.0.0.1", port: ${bmpPort}, socket: { data: (_, bytes) => appendFileSync(file, bytes) } });`;

/** As the collector shows them: BIRD, whose file it follows, and FRR, which speaks BMP to it. */
export const [mrtRouter, bmpRouter] = ["192.0.2.2", "127.0.0.1"];

interface Status {
  readonly peers: readonly {
    readonly router: string;
    readonly tables: readonly { readonly paths: number }[];
  }[];
}

export class MonitorLab implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "vantage-monitor-"));
  readonly #stack = new AsyncDisposableStack();
  readonly #net: MonitorNet;
  readonly mrt = join(this.folder, "updates.mrt");
  readonly bmp = join(this.folder, "router.bmp");
  /** What the collector validates routes by, once it is there. */
  readonly vrps = join(this.folder, "vrps.json");
  /** Where the collector publishes. */
  readonly broker = `embedded:${join(this.folder, "broker")}`;
  #speaker: Bird | null = null;
  #listener: Bird | null = null;
  #collector: Daemon | null = null;

  private constructor(net: MonitorNet) {
    this.#net = net;
    this.#stack.defer(() => rmSync(this.folder, { recursive: true }));
    this.#stack.use(net);
    // FRR insists on a user of its own, who must get here.
    chmodSync(this.folder, 0o711);
  }

  /** Everybody runs; the speaker is silent. FRR refuses these prefixes. */
  static async start(refused: readonly string[] = []): Promise<MonitorLab> {
    const lab = new MonitorLab(await MonitorNet.start());
    try {
      lab.#stack.use(
        new Daemon("keeper", lab.folder, lab.#at("router", [process.execPath, "-e", keeper, lab.bmp])),
      );
      await until("the keeper of BMP", () => existsSync(lab.bmp));
      lab.#bird("collector", collectorText(lab.mrt));
      await lab.#startFrr(refused);
      lab.#speaker = await lab.#startBird("speaker");
      lab.#listener = await lab.#startBird("collector");
      return lab;
    } catch (error) {
      await lab[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The speaker has these routes from now on. */
  async tell(isTold: (index: number) => boolean): Promise<void> {
    this.#bird("speaker", speakerText(isTold));
    await this.#speaker?.ask("configure");
  }

  /** All sessions of the speaker end, and begin anew. */
  async restartSessions(): Promise<void> {
    await this.#speaker?.ask("restart all");
  }

  /** BIRD, which writes MRT, refuses these from now on, and marks those that have a code. */
  async refuse(refused: ReadonlyMap<string, number | null>): Promise<void> {
    this.#bird("collector", collectorText(this.mrt, refused));
    await this.#listener?.ask("configure");
  }

  /** It is away from now on: its file stays. */
  async endBird(): Promise<void> {
    await this.#listener?.[Symbol.asyncDispose]();
  }

  /** Ours, which FRR tells by BMP, and which follows what BIRD writes. `rpki`: by what it validates routes. */
  async startCollector(rpki = `{vrps_file: "${this.vrps}"}`): Promise<void> {
    const file = join(this.folder, "vantage.yaml");
    writeFileSync(file, this.#collectorText(rpki));
    const command = [...vantageCommand, "collector", "-c", file];
    this.#collector = new Daemon("vantage", this.folder, this.#at("router", command));
    await until("the collector", () => {
      this.#collector?.mustRun();
      return this.#collector?.said().includes('"Serving"') === true;
    });
  }

  /** What ours has said. */
  collectorLog(): string {
    return this.#collector?.said() ?? "";
  }

  /** At once, as a crash does. */
  async killCollector(): Promise<void> {
    await this.#collector?.[Symbol.asyncDispose]();
    this.#collector = null;
  }

  /** Prefixes that BIRD, which writes MRT, has in its tables. */
  async birdPrefixes(): Promise<string[]> {
    const lines = (await this.#listener?.ask("show route")) ?? [];
    return lines.flatMap((line) => /^(?:1007-)?\s*(\S+\/\d+)/.exec(line)?.[1] ?? []);
  }

  /** bgpd's answer to a command. */
  async askFrr(command: string): Promise<unknown> {
    return await askFrrJson({ vtysh: "vtysh", socketFolder: join(this.folder, "frr") }, command);
  }

  /** What a command says that runs beside the collector. */
  async runBeside(command: readonly string[]): Promise<string> {
    return await run(this.#at("router", command));
  }

  /** What it says of itself at `/status`. */
  async collectorStatus(): Promise<string> {
    return await run(this.#at("router", ["curl", "-fsS", "http://127.0.0.1:8096/status"]));
  }

  /** Paths that the collector has of a router, in all its tables. */
  async pathsOf(router: string): Promise<number> {
    const { peers } = JSON.parse(await this.collectorStatus()) as Status;
    const tables = peers.filter((one) => one.router === router).flatMap((one) => one.tables);
    return tables.reduce((sum, { paths }) => sum + paths, 0);
  }

  /** Its metrics, as Prometheus reads them. */
  async collectorMetrics(): Promise<string> {
    return await run(this.#at("router", ["curl", "-fsS", "http://127.0.0.1:8096/metrics"]));
  }

  /** What the command says of a prefix or an address, as JSON. */
  async lookup(resource: string): Promise<string> {
    return await this.routes("lookup", "-o", "json", resource);
  }

  /** A command beside the collector, which goes on; what it says is kept. */
  beside(name: string, command: readonly string[]): Daemon {
    return this.#stack.use(new Daemon(name, this.folder, this.#at("router", command)));
  }

  /** What `vantage routes` prints there. */
  async routes(...args: readonly string[]): Promise<string> {
    return await run(this.#at("router", [...vantageCommand, "routes", ...args]));
  }

  /** Lines of FRR's configuration, then an order, while it runs. */
  async tellFrr(lines: readonly string[], order: string): Promise<void> {
    const all = ["configure terminal", ...lines, "end", order].flatMap((line) => ["-c", line]);
    const places = ["--vty_socket", join(this.folder, "frr"), "--config_dir", this.folder];
    await run(this.#at("router", ["vtysh", "-d", "bgpd", ...places, ...all]));
  }

  #collectorText(rpki: string): string {
    return `collector: {state_dir: "${join(this.folder, "collector")}"}
bmp: {address: "127.0.0.1:${collectorPort}", routers: [127.0.0.1]}
platform_asn: ${listenerAsn}
mrt: [{file: "${this.mrt}", router: ${mrtRouter}, control_socket: "${join(this.folder, "collector.ctl")}"}]
rpki: ${rpki}
kafka: {brokers: "${this.broker}"}
`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.killCollector();
    await this.#stack.disposeAsync();
  }

  #at(node: "speaker" | "collector" | "router", command: readonly string[]): string[] {
    return this.#net.at(node, command);
  }

  #bird(name: string, text: string): void {
    writeFileSync(join(this.folder, `${name}.conf`), text);
  }

  async #startBird(name: "speaker" | "collector"): Promise<Bird> {
    const file = join(this.folder, `${name}.conf`);
    if (name === "speaker") {
      this.#bird(
        name,
        speakerText(() => false),
      );
    }
    const within = (command: string[]) => this.#at(name, command);
    return this.#stack.use(await Bird.start(name, { folder: this.folder, file, within }));
  }

  async #startFrr(refused: readonly string[]): Promise<void> {
    const folder = join(this.folder, "frr");
    mkdirSync(folder);
    writeFileSync(join(folder, "bgpd.conf"), routerText([bmpPort, collectorPort], refused));
    await run(["chown", "-R", "frr:frr", folder]);
    const places = [
      "-i",
      join(folder, "bgpd.pid"),
      "--vty_socket",
      folder,
      "-u",
      "frr",
      "-g",
      "frr",
      "-P",
      "0",
    ];
    const command = [
      "bgpd",
      "-f",
      join(folder, "bgpd.conf"),
      "-M",
      "bmp",
      "--no_kernel",
      "--no_zebra",
      ...places,
    ];
    const bgpd = this.#stack.use(
      new Daemon("bgpd", folder, this.#at("router", [...command, "--log", "stdout"])),
    );
    await until("bgpd", () => {
      bgpd.mustRun();
      return existsSync(join(folder, "bgpd.vty"));
    });
  }
}
