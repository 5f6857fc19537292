/**
 * The wire between the machines: a bridge in a namespace of its own, with a DNS server that knows the platform's names
 * and a list of validated route origins over HTTP. A machine plugs in under its name and address.
 */
import { join } from "node:path";
import { Daemon } from "../../exchange/daemon.ts";
import { runToEnd } from "../../run/said.ts";
import {
  forwarding,
  inNamespace,
  ipBatch,
  namespacePrefix,
  removeNamespaces,
  writeSettings,
} from "../namespaces.ts";
import { addresses, domain, internet, lan, type MachineName, originsPort, target } from "./plan.ts";

const origins = join(import.meta.dirname, "origins.ts");

export class Wire implements AsyncDisposable {
  readonly #prefix = namespacePrefix();
  readonly #plugged = new Set<MachineName>();
  readonly #daemons = new AsyncDisposableStack();

  static async start(folder: string): Promise<Wire> {
    const wire = new Wire();
    process.once("exit", () => wire.#removeAll());
    const at = wire.#namespace("wire");
    await ipBatch([`netns add ${at}`]);
    await ipBatch(
      [
        ...["link add wire type bridge", `addr add ${internet}/24 dev wire`, "link set wire up"],
        ...["link set lo up", `route add ${target} via ${addresses.upstream}`],
      ],
      "-n",
      at,
    );
    await writeSettings(at, forwarding, []);
    const dns = [
      ...["dnsmasq", "--keep-in-foreground", "--no-resolv", "--no-hosts", "--bind-interfaces", "--pid-file"],
      ...[`--listen-address=${internet}`, `--address=/${domain}/${addresses.platform}`],
    ];
    wire.#daemons.use(new Daemon("dns", folder, inNamespace(at, dns)));
    const serve = [process.execPath, origins, internet, String(originsPort)];
    wire.#daemons.use(new Daemon("origins", folder, inNamespace(at, serve)));
    return wire;
  }

  /** Path of the namespace of a machine that is plugged in. */
  namespace(name: MachineName): string {
    return this.#namespace(name);
  }

  /** A network as after a cold start: nothing of what was set in it before is left. */
  async plug(name: MachineName): Promise<void> {
    const [at, wire] = [this.#namespace(name), this.#namespace("wire")];
    removeNamespaces([at]);
    // The kernel ends a namespace, and with it the cable, some time after its name is gone.
    await runToEnd(["ip", "-n", wire, "link", "del", name]);
    this.#plugged.add(name);
    await ipBatch([`netns add ${at}`, `link add eth0 netns ${at} type veth peer name ${name} netns ${wire}`]);
    await ipBatch([`link set ${name} master wire up`], "-n", wire);
    const v6 = name === "exchange" || name === "upstream" ? [`addr add ${lan[name]}/64 dev eth0 nodad`] : [];
    const own = [
      ...["link set lo up", `addr add ${addresses[name]}/24 dev eth0`, ...v6, "link set eth0 up"],
      `route add default via ${internet}`,
    ];
    await ipBatch(own, "-n", at);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#daemons.disposeAsync();
    this.#removeAll();
  }

  #removeAll(): void {
    removeNamespaces([...this.#plugged, "wire"].map((name) => this.#namespace(name)));
  }

  #namespace(name: string): string {
    return `${this.#prefix}${name}`;
  }
}
