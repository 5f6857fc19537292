/** Runs a prober at a node of the lab's Internet. */
import type { Protocol } from "../../lib/net/packet/probe.ts";
import type { Internet } from "./internet.ts";
import { run } from "./namespaces.ts";
import type { JobProbe, ProbeJob, ProbeOutcome } from "./probe-job.ts";

export interface ProbeOrder extends Partial<ProbeJob> {
  readonly probes: readonly JobProbe[];
  readonly interfaceName: string;
  /** Put before the prober's command line, to take privileges away. */
  readonly wrapper?: readonly string[];
}

/** Defaults suit a job of some hundred probes that are all answered at once. */
const usual = {
  rateProbesPerSec: 2000,
  sources: ["0.0.0.0/0", "::/0"],
  integrityCheck: true,
  rounds: 1,
  waitMs: 1000,
} as const;

export async function probeFrom(net: Internet, node: string, order: ProbeOrder): Promise<ProbeOutcome> {
  const { wrapper = [], ...given } = order;
  const job: ProbeJob = { ...usual, repliesExpected: Number.MAX_SAFE_INTEGER, ...given };
  const command = [...wrapper, process.execPath, `${import.meta.dir}/prober.ts`];
  return JSON.parse(await run(net.at(node, command), JSON.stringify(job)));
}

interface ProbeGrid {
  readonly src: string;
  readonly dst: string;
  readonly protocol: Protocol;
  readonly flows: number;
  readonly ttls: readonly [first: number, last: number];
  readonly dstPort?: number;
  readonly measurement?: number;
}

const firstSrcPort = 24_000;

/** Each flow with each TTL, flow by flow. */
export function probeGrid(grid: ProbeGrid): JobProbe[] {
  const { src, dst, protocol, flows, ttls, dstPort = 80, measurement = 1 } = grid;
  const [first, last] = ttls;
  return Array.from({ length: flows }, (_, flow) => firstSrcPort + flow).flatMap((srcPort) =>
    Array.from({ length: last - first + 1 }, (_, i) => first + i).map((ttl) => ({
      src,
      dst,
      srcPort,
      dstPort,
      ttl,
      protocol,
      measurement,
    })),
  );
}
