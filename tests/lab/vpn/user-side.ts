/** The user's machine: `vantage bootstrap` on the real tailscaled, and the BIRD that it configures. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Bird } from "../../exchange/daemon.ts";
import { until } from "../../exchange/until.ts";
import { type VpnLab, vantage } from "./place.ts";
import * as plan from "./plan.ts";
import type { TailscaleNode } from "./tailscale-node.ts";

export class UserSide {
  readonly #place: VpnLab;
  readonly #file: string;
  readonly #variables: Readonly<Record<string, string>>;
  readonly tokenFile: string;

  /** `variables`: USER_ASN and USER_PREFIXES. */
  constructor(
    place: VpnLab,
    node: TailscaleNode,
    options: { readonly token: string; readonly variables: Readonly<Record<string, string>> },
  ) {
    this.#place = place;
    this.#variables = options.variables;
    this.#file = join(place.folder, "bootstrap.yaml");
    this.tokenFile = join(place.folder, "token");
    const { folder } = this;
    mkdirSync(join(folder, "snippets"), { recursive: true });
    writeFileSync(this.tokenFile, options.token, { mode: 0o600 });
    writeFileSync(
      this.#file,
      `platform: {asn: ${plan.platformAsn}}
vpn: {socket: ${node.socket}}
daemon:
  config_file: ${folder}/bird.conf
  snippets_dir: ${folder}/snippets
  control_socket: ${place.folder}/user.ctl
gateway: {url: "${plan.gatewayUrl}", token_file: ${this.tokenFile}}
bootstrap: {state_dir: ${folder}/state, interval_sec: 1}
`,
    );
  }

  get folder(): string {
    return join(this.#place.folder, "bootstrap");
  }

  /** Runs until the lab ends. */
  async start(): Promise<void> {
    await this.#place.transcript.run("user", ["cat", this.#file]);
    const command = [...vantage, "bootstrap", "run", "-c", this.#file];
    this.#place.transcript.started("user", command);
    const daemon = this.#place.daemon("bootstrap", "user", command, this.#variables);
    const file = join(this.folder, "bird.conf");
    await until("the user's configuration", () => {
      daemon.mustRun();
      return Bun.file(file).exists();
    });
    const within = (inside: string[]) => this.#place.net.at("user", inside);
    this.#place.use(await Bird.start("user", { folder: this.#place.folder, file, within }));
  }

  /** Shows a command of `vantage bootstrap`. */
  show(...args: readonly string[]): Promise<string> {
    const command = [...vantage, "bootstrap", ...args, "-c", this.#file];
    return this.#place.transcript.run("user", command, { env: this.#variables, mayFail: true });
  }

  /** Shows what `vantage doctor` finds on this machine. */
  doctor(): Promise<string> {
    const command = [...vantage, "doctor", "client", "-c", this.#file];
    return this.#place.transcript.run("user", command, { env: this.#variables, mayFail: true });
  }

  /** What `vantage bootstrap status` says, a row for each prefix at each exchange. */
  async rows(): Promise<readonly { readonly prefix: string; readonly verdict: string }[]> {
    const command = [...vantage, "bootstrap", "status", "-o", "json", "-c", this.#file];
    const env = this.#variables;
    return JSON.parse(
      await this.#place.transcript.run("user", command, { env, mayFail: true, isQuiet: true }),
    );
  }
}
