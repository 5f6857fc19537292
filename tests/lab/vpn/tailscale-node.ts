/** A machine of the VPN: a real tailscaled with a TUN device in its namespace, and its command line. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../exchange/until.ts";
import type { VpnLab } from "./place.ts";
import { coordinationUrl, device, type Machine } from "./plan.ts";

export class TailscaleNode {
  readonly machine: Machine;
  readonly socket: string;
  readonly #place: VpnLab;

  constructor(place: VpnLab, machine: Machine) {
    this.#place = place;
    this.machine = machine;
    this.socket = join(place.folder, `tailscaled-${machine}.sock`);
    place.transcript.hide(`--socket=${this.socket} `, "");
  }

  /** Its changes to name resolution stay in a file of its own: the machine's must not be touched. */
  async start(): Promise<void> {
    const { folder, binaries, certificate } = this.#place;
    const names = join(folder, `resolv-${this.machine}.conf`);
    writeFileSync(names, "");
    const places = [`--statedir=${join(folder, `tailscaled-${this.machine}`)}`, `--socket=${this.socket}`];
    const command = [binaries.tailscaled, ...places, `--tun=${device}`, "--no-logs-no-support"];
    const alone = `hostname ${this.machine}; mount --bind ${names} /etc/resolv.conf; exec "$@"`;
    const within = ["unshare", "--mount", "--uts", "sh", "-c", alone, "sh"];
    const environment = { SSL_CERT_FILE: certificate };
    const name = `tailscaled-${this.machine}`;
    const daemon = this.#place.daemon(name, this.machine, [...within, ...command], environment);
    await until(name, () => {
      daemon.mustRun();
      return this.#quietly("status", "--json");
    });
  }

  /** `tailscale up` with a machine's key. */
  async joinByKey(keyFile: string, ...more: readonly string[]): Promise<void> {
    await this.show(
      "up",
      `--login-server=${coordinationUrl}`,
      `--auth-key=file:${keyFile}`,
      ...common,
      ...more,
    );
  }

  /** `tailscale up` as a person: `logIn` is given the address that it shows. Resolves when the machine has joined. */
  async joinByLogin(logIn: (url: string) => Promise<void>, ...more: readonly string[]): Promise<void> {
    const up = this.#command("up", `--login-server=${coordinationUrl}`, ...common, ...more);
    this.#place.transcript.started(this.machine, up);
    const daemon = this.#place.daemon(`up-${this.machine}`, this.machine, up);
    const url = await until("the address to log in at", () => /https:\/\/\S+/.exec(daemon.said())?.[0]);
    this.#place.transcript.say(`   To authenticate, visit:\n\n     ${url}\n`);
    await logIn(url);
    await until("the machine in the VPN", () => daemon.said().includes("Success"));
    this.#place.transcript.say("   Success.");
  }

  /** Shows a command of its command line. */
  show(...args: readonly string[]): Promise<string> {
    return this.#place.transcript.run(this.machine, this.#command(...args));
  }

  async address(family: "-4" | "-6"): Promise<string> {
    return (await this.#quietly("ip", family)).trim();
  }

  /** What tailscaled's own service answers to this, as text. */
  async document(name: "status" | "prefs"): Promise<string> {
    const url = `http://local-tailscaled.sock/localapi/v0/${name}`;
    return (await fetch(url, { unix: this.socket })).text();
  }

  #command(...args: readonly string[]): string[] {
    return [this.#place.binaries.tailscale, `--socket=${this.socket}`, ...args];
  }

  #quietly(...args: readonly string[]): Promise<string> {
    return this.#place.transcript.run(this.machine, this.#command(...args), { isQuiet: true });
  }
}

/** Names of the machine stay as they are; no packet that only passes through gets another source. */
const common = ["--accept-dns=false", "--snat-subnet-routes=false"] as const;
