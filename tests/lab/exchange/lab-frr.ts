/** A user's FRR in the lab: zebra, staticd and bgpd, as Debian has them, with an empty configuration. */
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { askFrr, askFrrJson, type FrrAccess } from "../../../lib/peering/frr/vtysh.ts";
import { Daemon } from "../../exchange/daemon.ts";
import { until } from "../../exchange/until.ts";
import { run } from "../namespaces.ts";

const names = ["zebra", "staticd", "bgpd"] as const;

export class LabFrr implements AsyncDisposable {
  readonly place: FrrAccess;
  readonly #stack = new AsyncDisposableStack();

  private constructor(folder: string) {
    this.place = { vtysh: "vtysh", socketFolder: folder };
  }

  /** `folder` is made; `within` makes the command line of the namespace. Waits until all three answer. */
  static async start(folder: string, within: (command: string[]) => string[]): Promise<LabFrr> {
    mkdirSync(folder);
    // FRR insists on a user of its own, who must get here.
    chmodSync(join(folder, ".."), 0o711);
    await run(["chown", "frr:frr", folder]);
    const frr = new LabFrr(folder);
    const who = ["-u", "frr", "-g", "frr", "-P", "0", "--log", "stdout", "-f", "/dev/null"];
    for (const name of names) {
      const places = [
        "-i",
        join(folder, `${name}.pid`),
        "-z",
        join(folder, "zserv.api"),
        "--vty_socket",
        folder,
      ];
      frr.#stack.use(new Daemon(name, folder, within([name, ...places, ...who])));
      await until(`${name} of FRR`, () => frr.ask("show version"));
    }
    await until("bgpd of FRR", () => askFrr(frr.place, "bgpd", "show version"));
    return frr;
  }

  ask(command: string): Promise<string> {
    return askFrr(this.place, null, command);
  }

  /** bgpd's word on a neighbour; null when it has none of that address. */
  async neighbor(address: string): Promise<FrrNeighbor | null> {
    const answer = (await askFrrJson(this.place, "show bgp neighbors")) as Record<string, FrrNeighbor>;
    return answer[address] ?? null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

export interface FrrNeighbor {
  readonly bgpState: string;
  /** How often it came up, and went down. */
  readonly connectionsEstablished: number;
  readonly connectionsDropped: number;
}
