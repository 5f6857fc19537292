/** Counts probes as they arrive at the first router of the lab, in its kernel: what has left, whoever says what. */
import type { Internet } from "../../lab/internet.ts";
import { run } from "../../lab/namespaces.ts";

const node = "eastAccess";
const program = `
add table inet pressure
delete table inet pressure
add table inet pressure
add counter inet pressure probes
add chain inet pressure arrival { type filter hook prerouting priority -300; }
add rule inet pressure arrival udp dport 33434 counter name probes
`;

export class WireCount {
  readonly #net: Internet;

  private constructor(net: Internet) {
    this.#net = net;
  }

  /** From zero, whatever was counted before. */
  static async start(net: Internet): Promise<WireCount> {
    await run(net.at(node, ["nft", "-f", "-"]), program);
    return new WireCount(net);
  }

  async packets(): Promise<number> {
    const said = await run(this.#net.at(node, ["nft", "list", "counter", "inet", "pressure", "probes"]));
    return Number(/packets (\d+)/.exec(said)?.[1]);
  }
}
