/** The routers around the exchange servers, running: upstreams of three makers, and BIRD in each stub. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Bird, Daemon } from "../../exchange/daemon.ts";
import { until } from "../../exchange/until.ts";
import { run } from "../namespaces.ts";
import { bmpPort, routerIds, stubs } from "./plan.ts";
import { birdStub, birdUpstream, frrUpstream, gobgpUpstream } from "./routers.ts";
import type { WorldNet } from "./world-net.ts";

/** FRR insists on a user of its own. */
const frrUser = ["-u", "frr", "-g", "frr", "-P", "0", "--log", "stdout"];

export class UpstreamRouters implements AsyncDisposable {
  readonly #net: WorldNet;
  readonly #folder: string;
  readonly #stack = new AsyncDisposableStack();

  private constructor(net: WorldNet, folder: string) {
    this.#net = net;
    this.#folder = folder;
  }

  static async start(net: WorldNet, folder: string): Promise<UpstreamRouters> {
    const routers = new UpstreamRouters(net, folder);
    try {
      mkdirSync(folder);
      chmodSync(folder, 0o711);
      await Promise.all([
        routers.#bird("bird", birdUpstream(routers.mrtOf("bird"))),
        routers.#frr(),
        routers.#gobgp(),
        ...stubs.map((stub) => routers.#bird(stub.node, birdStub(stub))),
      ]);
      return routers;
    } catch (error) {
      await routers[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** What the daemon itself has noted of each message that it got. */
  mrtOf(node: "bird" | "frr" | "gobgp"): string {
    return join(this.#folder, node === "bird" ? "" : node, `${node}.mrt`);
  }

  /** Those that the collector follows; GoBGP speaks to it. */
  mrtFiles(): { readonly file: string; readonly router: string }[] {
    return (["bird", "frr"] as const).map((node) => ({ file: this.mrtOf(node), router: routerIds[node] }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }

  async #bird(node: string, text: string): Promise<void> {
    const file = join(this.#folder, `${node}.conf`);
    writeFileSync(file, text);
    const within = (command: string[]) => this.#net.at(node, command);
    this.#stack.use(await Bird.start(node, { folder: this.#folder, file, within }));
  }

  async #frr(): Promise<void> {
    const folder = await this.#zebra();
    const file = join(folder, "bgpd.conf");
    writeFileSync(file, frrUpstream(this.mrtOf("frr"), bmpPort), { mode: 0o644 });
    const bgpd = this.#daemon("bgpd", ["-f", file, "-M", "bmp"]);
    await until("bgpd", () => {
      bgpd.mustRun();
      return existsSync(join(folder, "bgpd.vty"));
    });
  }

  async #gobgp(): Promise<void> {
    const folder = join(this.#folder, "gobgp");
    mkdirSync(folder);
    const file = join(folder, "gobgpd.toml");
    writeFileSync(file, gobgpUpstream(basename(this.mrtOf("gobgp")), bmpPort));
    const at = (...command: string[]) => this.#net.at("gobgp", command);
    const command = at("gobgpd", "-f", file, "--api-hosts", "127.0.0.1:50051");
    const daemon = this.#stack.use(new Daemon("gobgpd", folder, command));
    await until("gobgpd", async () => {
      daemon.mustRun();
      return await run(at("gobgp", "global"));
    });
    this.#stack.use(
      new Daemon("kernel", folder, at(process.execPath, join(import.meta.dirname, "gobgp-kernel.ts"))),
    );
  }

  async #zebra(): Promise<string> {
    const folder = join(this.#folder, "frr");
    mkdirSync(folder);
    await run(["chown", "frr:frr", folder]);
    const zebra = this.#daemon("zebra", ["-f", "/dev/null"]);
    await until("zebra", () => {
      zebra.mustRun();
      return existsSync(join(folder, "zserv.api"));
    });
    return folder;
  }

  #daemon(name: string, more: readonly string[]): Daemon {
    const folder = join(this.#folder, "frr");
    const places = [
      "-i",
      join(folder, `${name}.pid`),
      "-z",
      join(folder, "zserv.api"),
      "--vty_socket",
      folder,
    ];
    return this.#stack.use(
      new Daemon(name, folder, this.#net.at("frr", [name, ...places, ...frrUser, ...more])),
    );
  }
}
