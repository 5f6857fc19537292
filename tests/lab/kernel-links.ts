/** Links between routers as their own kernels have them: read from tables and addresses, not from the drawing. */
import type { Internet } from "./internet.ts";
import { run } from "./namespaces.ts";

type Family = "v4" | "v6";
const flagOf = { v4: "-4", v6: "-6" } as const;

interface Route {
  readonly dst: string;
  readonly gateway?: string;
  readonly nexthops?: readonly { readonly gateway?: string }[];
}

interface Device {
  readonly ifname: string;
  /** iproute2 before 6.2 shows an empty object for each that was not asked for. */
  readonly addr_info: readonly { readonly local?: string }[];
}

interface Kernel {
  /** What it answers from. */
  readonly own: string;
  readonly addresses: readonly string[];
  readonly routes: readonly Route[];
}

export class KernelLinks {
  readonly #kernels: ReadonlyMap<string, Kernel>;

  private constructor(kernels: ReadonlyMap<string, Kernel>) {
    this.#kernels = kernels;
  }

  /** Reads the tables of these routers now. */
  static async read(net: Internet, routers: readonly string[], family: Family): Promise<KernelLinks> {
    const kernels = routers.map(async (name) => {
      const ip = async (...words: string[]) =>
        JSON.parse(await run(net.at(name, ["ip", "-j", flagOf[family], ...words])));
      const devices: readonly Device[] = await ip("address", "show", "scope", "global");
      const routes: readonly Route[] = await ip("route", "show");
      const addressesOf = ({ addr_info }: Device) => addr_info.flatMap(({ local = [] }) => local);
      const own = devices.filter(({ ifname }) => ifname === "lo").flatMap(addressesOf)[0] ?? "";
      return [name, { own, addresses: devices.flatMap(addressesOf), routes }] as const;
    });
    return new KernelLinks(new Map(await Promise.all(kernels)));
  }

  /** As `near>far`: all equal ways from a router to prefixes, up to the routers before them. */
  from(first: string, prefixes: readonly string[]): Set<string> {
    const links = new Set<string>();
    for (const prefix of prefixes) {
      const seen = new Set([first]);
      for (const near of seen) {
        for (const far of this.#nextOf(near, prefix)) {
          seen.add(far);
          links.add(`${this.#own(near)}>${this.#own(far)}`);
        }
      }
    }
    return links;
  }

  /** The addresses that routers answer from. */
  get answerers(): Set<string> {
    return new Set([...this.#kernels.values()].map(({ own }) => own));
  }

  #nextOf(near: string, prefix: string): string[] {
    const routes = this.#kernels.get(near)?.routes.filter(({ dst }) => dst === prefix) ?? [];
    // IPv6 shows each way as a route of its own, or as next hops of one, by kernel.
    const ways = routes.flatMap(({ gateway, nexthops = [] }) => [{ gateway }, ...nexthops]);
    return ways.flatMap(({ gateway }) => {
      const owner = [...this.#kernels].find(
        ([, { addresses }]) => gateway !== undefined && addresses.includes(gateway),
      );
      return owner === undefined ? [] : [owner[0]];
    });
  }

  #own(name: string): string {
    return this.#kernels.get(name)?.own ?? "";
  }
}
