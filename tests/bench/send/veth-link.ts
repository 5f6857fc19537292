/**
 * The link of the send bench: a veth pair between two namespaces of our own. The receiver's end counts packets and
 * then drops them as early as Linux can (nft, netdev ingress): little is measured beside sending.
 */
import { readFileSync } from "node:fs";
import {
  inNamespace,
  ipBatch,
  removeNamespaces,
  run,
  type Setting,
  writeSettings,
} from "../../lab/namespaces.ts";

export const senderInterface = "bench0";
export const receiverInterface = "bench1";
export const senderAddress = "192.0.2.1";
const gatewayAddress = "192.0.2.2";

const quiet: readonly Setting[] = [
  ["ipv6/conf/default/disable_ipv6", "1"],
  ["ipv6/conf/all/disable_ipv6", "1"],
];

export class VethLink implements AsyncDisposable {
  readonly sender: string;
  readonly receiver: string;
  readonly gatewayMac: string;
  readonly #remove: () => void;

  private constructor(names: readonly [string, string], gatewayMac: string, remove: () => void) {
    [this.sender, this.receiver] = names;
    this.gatewayMac = gatewayMac;
    this.#remove = remove;
  }

  /** Needs root. Whatever ends this process also ends the namespaces and what runs in them. */
  static async make(): Promise<VethLink> {
    const names = [`vbench${process.pid}-a`, `vbench${process.pid}-b`] as const;
    const remove = () => removeNamespaces(names);
    process.on("exit", remove);
    const [a, b] = names;
    await ipBatch([`netns add ${a}`, `netns add ${b}`]);
    await Promise.all(names.map((name) => writeSettings(name, [], quiet)));
    const pair = `link add ${senderInterface} netns ${a} type veth peer name ${receiverInterface} netns ${b}`;
    await ipBatch([pair]);
    await ipBatch([`link set ${receiverInterface} up`], "-n", b);
    const macFile = inNamespace(b, ["cat", `/sys/class/net/${receiverInterface}/address`]);
    const gatewayMac = (await run(macFile)).trim();
    await ipBatch(senderCommands(gatewayMac), "-n", a);
    await run(inNamespace(b, ["nft", "-f", "-"]), dropEverything);
    return new VethLink(names, gatewayMac, remove);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#remove();
    process.off("exit", this.#remove);
  }
}

/** The neighbour is permanent: no ARP gets into the count. */
function senderCommands(gatewayMac: string): string[] {
  return [
    "link set lo up",
    `link set ${senderInterface} up`,
    `addr add ${senderAddress}/30 dev ${senderInterface}`,
    `neigh replace ${gatewayAddress} lladdr ${gatewayMac} nud permanent dev ${senderInterface}`,
    `route add default via ${gatewayAddress}`,
  ];
}

const dropEverything = `
add table netdev bench
add chain netdev bench sink { type filter hook ingress device "${receiverInterface}" priority 0; policy drop; }
`;

/** Packets that an interface of this process's namespace has received since it was made. */
export function receivedPackets(interfaceName: string): number {
  return Number(readFileSync(`/sys/class/net/${interfaceName}/statistics/rx_packets`, "utf8"));
}
