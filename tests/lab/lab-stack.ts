/** `vantage stack` at a node of a lab, with both gateways for agents and users at others. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { vantageCommand } from "../run/vantage-command.ts";
import { LabError } from "./namespaces.ts";
import { end, startReady } from "./ready-process.ts";

export const gatewayPort = 8093;
export const peeringPort = 8094;
const pollMs = 20;

/** Everything in a lab has addresses for documentation, and few of them. */
const limits = {
  VANTAGE_SAFETY__BLOCK_RESERVED_RANGES: "false",
  VANTAGE_LIMITS__USER_ADDRESS_RATE: "0",
  VANTAGE_LIMITS__ADDRESS_RATE: "0",
  VANTAGE_LIMITS__NETWORK_RATE: "0",
  VANTAGE_LIMITS__PROBES_PER_DAY: "100000000",
};

interface StackPlace {
  /** The test's own; the stack's is in it. */
  readonly folder: string;
  /** Where both gateways listen: one of the node. */
  readonly address: string;
  /** The command line at the node. */
  readonly within: (command: readonly string[]) => string[];
}

export class LabStack implements AsyncDisposable {
  readonly gatewayUrl: string;
  readonly peeringUrl: string;
  readonly #place: StackPlace;
  #process: Subprocess | null = null;

  constructor(place: StackPlace) {
    this.#place = place;
    this.gatewayUrl = `http://${place.address}:${gatewayPort}`;
    this.peeringUrl = `http://${place.address}:${peeringPort}`;
  }

  /** Resolves when it runs. `more`: of its environment. */
  async start(more: Readonly<Record<string, string>> = {}): Promise<void> {
    const { address, within } = this.#place;
    const gateways = [
      `--gateway-listen=${address}:${gatewayPort}`,
      `--peering-listen=${address}:${peeringPort}`,
    ];
    const places = [`--dir=${this.at()}`, "--listen=127.0.0.1:0", "--issuer-port=8095"];
    const keep = (child: Subprocess) => {
      this.#process = child;
    };
    await startReady(within([...vantageCommand, "stack", ...places, ...gateways]), "is running", keep, {
      ...limits,
      ...more,
    });
  }

  /** In its folder. */
  at(...names: readonly string[]): string {
    return join(this.#place.folder, "stack", ...names);
  }

  get broker(): string {
    return `embedded:${this.at("broker")}`;
  }

  /** Resolves as soon as there is one, before the stack runs. Rejects when the test's folder is gone. */
  async enrolmentKey(): Promise<string> {
    const file = this.at("gateway", "enrolment.key");
    while (!existsSync(file) && existsSync(this.#place.folder)) {
      await Bun.sleep(pollMs);
    }
    return readFileSync(file, "utf8").trim();
  }

  /** One of its processes: the stack starts it again. `name` as in `vantage stack NAME`. */
  killPart(name: string): void {
    const pid = childrenOf(this.#process?.pid ?? 0).find((child) =>
      readFileSync(`/proc/${child}/cmdline`, "utf8").includes(`\0stack\0${name}\0`),
    );
    if (pid === undefined) {
      throw new LabError(`The stack has no ${name}`);
    }
    process.kill(pid, "SIGKILL");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (this.#process && end(this.#process));
  }
}

/** Processes that another has started, and those that these have. */
function childrenOf(pid: number): number[] {
  const own = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
  return own.flatMap((child) => [child, ...childrenOf(child)]);
}
