import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import type { BgpNet } from "./bgp-net.ts";
import { longTarget, networks, probers, sharedTarget } from "./drawing.ts";
import { found, networkOf, targetOf } from "./plan.ts";

/** What the command says of a hop. */
interface SaidHop {
  readonly address: string | null;
  readonly asn: number | null;
  readonly ixp: { readonly id: number } | null;
  readonly ixp_crossing: {
    readonly level: string;
    readonly from_asn: number;
    readonly to_asn: number;
  } | null;
  readonly owner_asn: number | null;
}

interface SaidTrace {
  readonly target: string;
  readonly hops: readonly { readonly routers: readonly SaidHop[] }[];
}

export interface Trace {
  readonly prober: string;
  readonly target: string;
  /** One for each TTL. */
  readonly hops: readonly SaidHop[];
}

/** Every target but those of the prober's own network. */
function targetsFrom(prober: string): string[] {
  const own = found(networkOf(prober));
  const usual = networks.filter((network) => network !== own).map(targetOf);
  return [...usual, ...(own.name === "S1" ? [] : [sharedTarget]), ...(own.name === "S4" ? [] : [longTarget])];
}

export async function traceAll(net: BgpNet, contextFolder: string): Promise<Trace[]> {
  const all = await Promise.all(probers.map((prober) => tracesFrom(net, prober, contextFolder)));
  return all.flat();
}

async function tracesFrom(net: BgpNet, prober: string, contextFolder: string): Promise<Trace[]> {
  const how = ["--flows", "1", "-q", "2", "-w", "6s", "-o", "ndjson", "--with", "asn,ixp,path"];
  const args = ["trace", ...how, "--context", contextFolder, ...targetsFrom(prober)];
  const { stdout: said, stderr: complaint } = await runToEnd(net.at(prober, [...vantageCommand, ...args]));
  const lines = said.trim().split("\n");
  if (lines.length !== targetsFrom(prober).length) {
    throw new Error(`vantage trace from ${prober}: ${complaint}`);
  }
  const traces = lines.map((line) => {
    const { target, hops }: SaidTrace = JSON.parse(line);
    return { prober, target, hops: hops.map(({ routers }) => found(routers[0])) };
  });
  // They come as they are complete.
  return traces.sort((x, y) => x.target.localeCompare(y.target));
}
