/** A large exchange: BIRD, an upstream that hears its routes, the generator as a process, and many light peers. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { exchangeConf } from "../../../apps/peering/exchange/exchange-conf.ts";
import { readSettings } from "../../../apps/peering/exchange/settings.ts";
import { rejectAll } from "../../../lib/peering/policy/policy.ts";
import { policyText } from "../../../lib/peering/policy/policy-text.ts";
import { Bird, Daemon } from "../../exchange/daemon.ts";
import { issuer, type SampleUser } from "../../exchange/samples.ts";
import { gatewayKey, headscaleKey, SourcesServer } from "../../exchange/sources-server.ts";
import { until } from "../../exchange/until.ts";
import { ExchangeNet } from "../../lab/exchange/exchange-net.ts";
import * as plan from "../../lab/exchange/plan.ts";
import { peakKbOf, pidOf } from "../pipeline/process-usage.ts";
import type { LightPeer } from "./light-speaker.ts";
import { NeighbourTable } from "./neighbour-table.ts";

/** Private ones: there are more users than the default pool has. */
export const pool = { start: 4_200_000_000, end: 4_200_099_999 };
const peerRange = "100.64.128.0/17";
const executable = join(import.meta.dirname, "../../../apps/vantage.ts");

const settings = (policyFile: string) => `
exchange:
  asn: ${plan.platformAsn}
  router_id: 192.0.2.1
  tunnel_address: ${plan.exchangeMember.v4}
  policy_file: ${policyFile}
  log: stderr
platform:
  prefixes: ["2001:db8::/32"]
  infrastructure_prefix: "3fff:ffff::/48"
  asn_pool_start: ${pool.start}
  asn_pool_end: ${pool.end}
rpki: {host: 127.0.0.1, port: 8282}
neighbors:
  - name: transit
    role: upstream
    asn: ${plan.upstreamAsn}
    address: "${plan.upstreamLink.other}"
    local_address: "${plan.upstreamLink.exchange}"
outside: {bogon_prefixes: ["fc00::/7"], bogon_asns: ["0"]}
`;

const upstream = `log stderr all;
router id 192.0.2.2;
protocol device { }
protocol bgp exchange {
  local ${plan.upstreamLink.other} as ${plan.upstreamAsn};
  neighbor ${plan.upstreamLink.exchange} as ${plan.platformAsn};
  connect delay time 1; connect retry time 1;
  ipv6 { import all; export none; };
}
`;

export class SizeRig implements AsyncDisposable {
  readonly sources: SourcesServer;
  readonly configFile: string;
  /** As the peers' process last said. */
  sessionsUp = 0;
  /** Address of the generator's pages. */
  readonly url: string;
  readonly exchange: Bird;
  readonly upstream: Bird;
  readonly #stack: AsyncDisposableStack;
  readonly #policyFile: string;
  readonly #peers: Bun.Subprocess<"pipe", "pipe", "inherit">;

  private constructor(parts: {
    sources: SourcesServer;
    configFile: string;
    policyFile: string;
    url: string;
    exchange: Bird;
    upstream: Bird;
    stack: AsyncDisposableStack;
    peers: Bun.Subprocess<"pipe", "pipe", "inherit">;
  }) {
    this.sources = parts.sources;
    this.configFile = parts.configFile;
    this.#policyFile = parts.policyFile;
    this.url = parts.url;
    this.exchange = parts.exchange;
    this.upstream = parts.upstream;
    this.#stack = parts.stack;
    this.#peers = parts.peers;
    const lines = createInterface({ input: Readable.fromWeb(this.#peers.stdout as never) });
    lines.on("line", (line) => {
      this.sessionsUp = Number(line);
    });
  }

  static async start(folder: string, users: readonly SampleUser[]): Promise<SizeRig> {
    await using undo = new AsyncDisposableStack();
    undo.use(new NeighbourTable());
    const net = undo.use(await ExchangeNet.start());
    await net.giveRange(peerRange);
    const policyFile = join(folder, "policy.conf");
    writeFileSync(policyFile, policyText(rejectAll).text);
    const bird = async (name: "exchange" | "upstream", text: string) => {
      const file = join(folder, `${name}.conf`);
      writeFileSync(file, text);
      return undo.use(await Bird.start(name, { folder, file, within: (command) => net.at(name, command) }));
    };
    const read = readSettings({ name: "bench", text: settings(policyFile) }, {});
    const exchange = await bird("exchange", exchangeConf(read));
    const heard = await bird("upstream", upstream);
    const sources = undo.use(new SourcesServer(users));
    const generatorFile = join(folder, "generator.yaml");
    writeFileSync(generatorFile, generatorSettings({ folder, policyFile, sources }));
    const command = [process.execPath, executable, "policy-generator", "-c", generatorFile];
    const generator = undo.use(new Daemon("generator", folder, command));
    const url = await until("the generator", () => {
      generator.mustRun();
      return /"url":"([^"]+)"/.exec(generator.said())?.[1];
    });
    const speaker = net.at("rogue", [process.execPath, join(import.meta.dirname, "light-speaker.ts")]);
    const peers = Bun.spawn(speaker, { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
    undo.defer(async () => {
      peers.kill("SIGKILL");
      await peers.exited;
    });
    const configFile = join(folder, "exchange.conf");
    const parts = { sources, configFile, policyFile, url, exchange, upstream: heard, peers };
    return new SizeRig({ ...parts, stack: undo.move() });
  }

  dial(peers: readonly LightPeer[]): void {
    this.#peers.stdin.write(peers.map((peer) => `${JSON.stringify(peer)}\n`).join(""));
    this.#peers.stdin.flush();
  }

  /** What the generator has written. */
  policy(): string {
    return readFileSync(this.#policyFile, "utf8");
  }

  /** The most memory so far. */
  peakMb(piece: "exchange.conf" | "generator.yaml"): number {
    const pid = pidOf(process.pid, piece);
    return pid === null ? 0 : (peakKbOf(pid) * 1024) / 1e6;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

function generatorSettings(parts: { folder: string; policyFile: string; sources: SourcesServer }): string {
  const { folder, policyFile, sources } = parts;
  return `
generator: {state_dir: ${join(folder, "state")}, address: "127.0.0.1:0"}
gateway: {url: "${sources.url}", key: ${gatewayKey}}
vpn: {headscale_url: "${sources.url}", headscale_key: ${headscaleKey}, issuer: "${issuer}"}
platform: {asn: ${plan.platformAsn}, asn_pool_start: ${pool.start}, asn_pool_end: ${pool.end}}
daemon: {policy_file: ${policyFile}, control_socket: ${join(folder, "exchange.ctl")}}
`;
}

/** How many routes of users a BIRD has. */
export async function routesIn(bird: Bird, which: string): Promise<number> {
  const lines = await bird.ask(`show route ${which} count`);
  const [, count] = /^(\d+) of .* table master6$/m.exec(lines.join("\n")) ?? [];
  return Number(count ?? 0);
}

/** Whether `bird -p` takes a configuration, and how long. */
export async function parseMs(file: string): Promise<number> {
  const startMs = performance.now();
  const path = `${process.env.PATH ?? ""}:/usr/sbin:/sbin`;
  const child = Bun.spawn(["bird", "-p", "-c", file], {
    env: { PATH: path },
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) {
    throw new Error(`BIRD cannot read ${file}`);
  }
  return performance.now() - startMs;
}
