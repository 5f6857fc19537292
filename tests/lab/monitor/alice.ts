/** An Alice-LG that asks the collector, one source for each router: its configuration, and its answers. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../exchange/until.ts";
import type { MonitorLab } from "./monitor-lab.ts";

const port = 7340;
/** It waits up to 30 s, which it draws, before it reads neighbours, and again before it reads routes. */
const refreshMs = 90_000;

export interface AliceRoute {
  readonly network: string;
  readonly neighbor_id: string;
  readonly address_family: number;
  readonly bgp: {
    readonly origin: string;
    readonly as_path: readonly number[];
    readonly med: number;
    readonly communities: readonly (readonly number[])[];
    readonly large_communities: readonly (readonly number[])[];
  };
}

type Kind = "received" | "filtered" | "not-exported";
const lists = { received: "imported", filtered: "filtered", "not-exported": "not_exported" } as const;

interface Page extends Partial<Record<(typeof lists)[Kind], readonly AliceRoute[] | null>> {
  readonly pagination: { readonly total_pages: number };
}

/** By the name of its source, the address of a router. */
function aliceText(routers: Readonly<Record<string, string>>): string {
  const sources = Object.entries(routers).map(
    ([name, router]) => `[source.${name}]
name = ${name}
[source.${name}.birdwatcher]
api = http://127.0.0.1:8096/birdwatcher/${router}/
type = single_table
main_table = master
servertime = 2006-01-02T15:04:05.999999999Z07:00
servertime_short = 2006-01-02 15:04:05
servertime_ext = 2006-01-02 15:04:05
`,
  );
  return `[server]
listen_http = 127.0.0.1:${port}
enable_prefix_lookup = true
enable_neighbors_status_refresh = true
routes_store_refresh_parallelism = 2
asn = 64510
[noexport]
load_on_demand = true
${sources.join("")}`;
}

export class Alice {
  readonly #lab: MonitorLab;

  private constructor(lab: MonitorLab) {
    this.#lab = lab;
  }

  /** Waits until it has read all routes: every router has taken 203.0.113.0/30. */
  static async start(
    lab: MonitorLab,
    binary: string,
    routers: Readonly<Record<string, string>>,
  ): Promise<Alice> {
    const file = join(lab.folder, "alice.conf");
    writeFileSync(file, aliceText(routers));
    const daemon = lab.beside("alice", [binary, "-config", file]);
    const alice = new Alice(lab);
    const sourcesMax = Object.keys(routers).length;
    const isThere = async () => {
      daemon.mustRun();
      const found = (await alice.get("lookup/prefix?q=203.0.113.0/30")) as {
        imported?: { routes?: unknown[] };
      };
      return found.imported?.routes?.length === sourcesMax;
    };
    await until("Alice's store of routes", isThere, refreshMs);
    return alice;
  }

  async get(path: string): Promise<unknown> {
    return JSON.parse(await this.#lab.runBeside(["curl", "-fsS", `http://127.0.0.1:${port}/api/v1/${path}`]));
  }

  /** All pages. */
  async routes(source: string, neighbor: string, kind: Kind): Promise<AliceRoute[]> {
    const found: AliceRoute[] = [];
    for (let [page, pages] = [0, 1]; page < pages; page++) {
      const path = `routeservers/${source}/neighbors/${neighbor}/routes/${kind}?page=${page}`;
      const answer = (await this.get(path)) as Page;
      found.push(...(answer[lists[kind]] ?? []));
      pages = answer.pagination.total_pages;
    }
    return found;
  }
}
