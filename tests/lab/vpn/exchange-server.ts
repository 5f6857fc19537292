/** The exchange server of the lab: rendered by `vantage exchange`, with the policy generator; and its upstream. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Bird } from "../../exchange/daemon.ts";
import { until } from "../../exchange/until.ts";
import type { Headscale } from "./headscale.ts";
import { type VpnLab, vantage } from "./place.ts";
import * as plan from "./plan.ts";

export const serviceKey = "lab-service-key-of-the-policy-generator-0001";

export class ExchangeServer {
  readonly #place: VpnLab;
  readonly #folder: string;
  readonly upstream: Bird;
  readonly bird: Bird;

  private constructor(place: VpnLab, parts: { folder: string; upstream: Bird; bird: Bird }) {
    this.#place = place;
    this.#folder = parts.folder;
    this.upstream = parts.upstream;
    this.bird = parts.bird;
  }

  static async start(place: VpnLab, tunnelAddress: string): Promise<ExchangeServer> {
    const folder = join(place.folder, "exchange");
    const settings = join(place.folder, "exchange.yaml");
    writeFileSync(settings, settingsText(tunnelAddress, folder));
    await place.transcript.run("ixp", [...vantage, "exchange", "render", "-c", settings, "--out", folder]);
    writeFileSync(join(place.folder, "vrps.json"), vrps());
    const cache = ["-cache", join(place.folder, "vrps.json"), "-checktime=false", "-refresh", "1"];
    place.daemon("stayrtr", "ixp", [
      "stayrtr",
      "-bind",
      "127.0.0.1:8282",
      "-metrics.addr",
      "127.0.0.1:0",
      ...cache,
    ]);
    const upstreamFile = join(place.folder, "upstream.conf");
    writeFileSync(upstreamFile, upstreamText());
    await place.net.ip("upstream", [`addr add ${plan.farHost}/128 dev lo nodad`]);
    const start = (name: "upstream" | "ixp", file: string) =>
      Bird.start(name, { folder: place.folder, file, within: (command) => place.net.at(name, command) });
    const upstream = place.use(await start("upstream", upstreamFile));
    const bird = place.use(await start("ixp", join(folder, "bird.conf")));
    return new ExchangeServer(place, { folder, upstream, bird });
  }

  async startGenerator(
    tunnelAddress: string,
    parts: { headscale: Headscale; issuerUrl: string },
  ): Promise<void> {
    const file = join(this.#place.folder, "generator.yaml");
    const keyFile = join(this.#place.folder, "service.key");
    writeFileSync(keyFile, serviceKey, { mode: 0o600 });
    writeFileSync(
      file,
      `generator: {address: "${tunnelAddress}:${plan.statusPort}", state_dir: ${this.#folder}/state, interval_sec: 5}
gateway: {url: "${plan.gatewayUrl}", key_file: ${keyFile}}
vpn:
  headscale_url: ${plan.coordinationUrl}
  headscale_key_file: ${parts.headscale.apiKeyFile}
  issuer: ${parts.issuerUrl}
  approve_routes: true
platform: {asn: ${plan.platformAsn}}
daemon: {policy_file: ${this.#folder}/peering_generated.conf, control_socket: ${this.bird.socket}, sample_sec: 1}
`,
    );
    await this.#place.transcript.run("ixp", ["cat", file]);
    const command = [...vantage, "policy-generator", "-c", file];
    this.#place.transcript.started("ixp", command);
    const environment = { NODE_EXTRA_CA_CERTS: this.#place.certificate };
    const daemon = this.#place.daemon("generator", "ixp", command, environment);
    await until("the policy generator", () => {
      daemon.mustRun();
      return daemon.said().includes('"url"');
    });
  }
}

/** Documentation ranges stand for the Internet here, so they are not bogons. */
function settingsText(tunnelAddress: string, folder: string): string {
  return `exchange:
  asn: ${plan.platformAsn}
  router_id: 192.0.2.1
  tunnel_address: ${tunnelAddress}
  policy_file: ${folder}/peering_generated.conf
  log: stderr
platform: {prefixes: ["${plan.platformAggregate}"], infrastructure_prefix: "${plan.infrastructurePrefix}"}
rpki: {host: 127.0.0.1}
neighbors:
  - name: transit
    role: upstream
    asn: ${plan.upstreamAsn}
    address: "${addressOf(plan.links.upstream.addressB)}"
    local_address: "${addressOf(plan.links.upstream.addressA)}"
outside:
  bogon_prefixes: ["fc00::/7", "fe80::/10", "ff00::/8"]
  bogon_asns: ["0", "64512-65534"]
`;
}

function upstreamText(): string {
  return `log stderr all;
router id 192.0.2.2;
protocol device { scan time 1; }
protocol static far { ipv6; route ${plan.farPrefix} unreachable; }
protocol kernel { ipv6 { import none; export where source = RTS_BGP; }; }
protocol bgp exchange {
  local ${addressOf(plan.links.upstream.addressB)} as ${plan.upstreamAsn};
  neighbor ${addressOf(plan.links.upstream.addressA)} as ${plan.platformAsn};
  connect delay time 1; connect retry time 1;
  ipv6 { import all; export filter { if proto != "far" then reject; bgp_path.prepend(${plan.farAsn}); accept; }; };
}
`;
}

function addressOf(withLength: string): string {
  return withLength.split("/")[0] ?? "";
}

function vrps(): string {
  const roa = { asn: `AS${plan.platformAsn}`, prefix: plan.platformAggregate, maxLength: 48, ta: "lab" };
  return JSON.stringify({ metadata: { builddate: "2026-01-01T00:00:00Z" }, roas: [roa] });
}
