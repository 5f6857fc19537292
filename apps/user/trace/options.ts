/** The command lines of `vantage trace` and `vantage ping`, parsed. */
import type { Format } from "../../../lib/base/terminal/rows-output.ts";
import { wrongUsage } from "../../../lib/command/command/command-error.ts";
import { type ContextRequest, contextRequest } from "../../../lib/command/command/context-options.ts";
import { queryOf, shapeOf } from "../../../lib/command/command/gateway/shape-options.ts";
import { standardOutput } from "../../../lib/command/command/picture-file.ts";
import type { Given } from "../../../lib/command/command/table.ts";
import { isTraceForm, type TraceForm } from "../../../lib/measuring/formats/forms.ts";
import { type Address, type Family, familyOf, formatAddress } from "../../../lib/net/ip/address.ts";
import type { ProbeShape } from "../../../lib/net/packet/probe.ts";
import type { targetArguments, traceArguments } from "./arguments.ts";
import { targetsMax } from "./limits.ts";
import { type ProtocolChoice, pingOptions, traceOptions } from "./option-tables.ts";
import { originOf, type RemoteOrigin } from "./remote-origin.ts";
import { type WatchOrder, watchOrderOf } from "./watch-order.ts";

export interface Options {
  readonly targets: readonly string[];
  readonly protocol: ProtocolChoice;
  /** Null = either family of the name, IPv6 first. */
  readonly family: Family | null;
  readonly srcPort: number;
  readonly dstPort: number;
  /** Trace only: how large packets may be is searched for. */
  readonly mtu: boolean;
  /** The largest size of that search; null = what the interface takes. */
  readonly mtuBytesMax: number | null;
  /** What probes look like. */
  readonly shape: ProbeShape;
  readonly firstTtl: number;
  readonly maxTtl: number;
  readonly queries: number;
  readonly flows: number;
  readonly rateProbesPerSec: number;
  readonly waitMs: number;
  readonly source: Address | null;
  /** The source may be no address of this host. */
  readonly spoof: boolean;
  readonly interfaceName: string | null;
  /** Context of addresses. */
  readonly context: ContextRequest;
  /** For programs that read JSON lines, where `program` is given. */
  readonly output: Format;
  /** The format of another program; null = `output`. */
  readonly program: TraceForm | null;
  /** Ping only: print one row for each target. */
  readonly summary: boolean;
  readonly live: boolean;
  readonly count: number;
  readonly intervalMs: number;
  /** Trace only: again and again; null = once. */
  readonly watch: WatchOrder | null;
  /** File of the packets; null = they are not recorded. */
  readonly pcap: string | null;
  /** Trace only: where a picture of all paths goes, - is standard output, in place of text; null = none is drawn. */
  readonly svg: string | null;
  /** Agents of a gateway that probe; null = this machine does. */
  readonly from: RemoteOrigin | null;
}

type TraceGiven = Given<typeof traceOptions, typeof traceArguments>;
type PingGiven = Given<typeof pingOptions, typeof targetArguments>;

/** `fileTargets`: of the files given. Throws CommandError, as `pingOrder` does. */
export function traceOrder(given: TraceGiven, fileTargets: readonly string[] = []): Options {
  const { firstTtl, maxTtl, queries, flows, mtu, live, svg } = given;
  const targets = [...given.targets, ...fileTargets];
  if (targets.length === 0) {
    throw wrongUsage("TARGET is missing: addresses or host names, or a --file of them");
  }
  if (firstTtl > maxTtl) {
    throw wrongUsage(`--first-ttl ${firstTtl} is above --max-ttl ${maxTtl}`);
  }
  const only = {
    count: pingOptions.count.default,
    intervalMs: pingOptions.intervalMs.default,
    summary: false,
  };
  if (svg === standardOutput && given.output !== "table") {
    throw wrongUsage(
      `--svg - and -o ${given.output} are both for standard output: give a file to one of them`,
    );
  }
  if (mtu && (given.protocol === "tcp" || given.dns !== null)) {
    throw wrongUsage("--mtu is for UDP and ICMP: a TCP SYN carries no data, a question has its own size");
  }
  const sizes = { mtu, mtuBytesMax: mtu ? given.size : null };
  const own = { ...only, ...sizes, firstTtl, maxTtl, queries, flows, svg };
  return {
    ...sharedOrder({ ...given, size: mtu ? null : given.size, targets }, flows),
    ...own,
    live: live && svg !== standardOutput,
    watch: watchOrderOf(given, targets.length),
  };
}

export function pingOrder(given: PingGiven): Options {
  if (given.with?.includes("path")) {
    throw wrongUsage("--with path goes with vantage trace: a ping does not see the hops");
  }
  const { count, intervalMs, summary, ttl: hops } = given;
  const only = {
    queries: traceOptions.queries.default,
    flows: 1,
    live: true,
    watch: null,
    svg: null,
    mtu: false,
    mtuBytesMax: null,
  };
  return { ...sharedOrder(given, 1), ...only, count, intervalMs, summary, firstTtl: hops, maxTtl: hops };
}

function sharedOrder(given: TraceGiven | PingGiven, flows: number) {
  const { targets, ipv4, ipv6, rate, waitMs, source, spoof, output: form } = given;
  const { protocol, dstPort } = queryOf(given, given);
  const program = isTraceForm(form) ? form : null;
  const output: Format = isTraceForm(form) ? "ndjson" : form;
  if (targets.length > targetsMax) {
    throw wrongUsage(`${targets.length} targets are too many for one command line: at most ${targetsMax}`);
  }
  const srcPort = given.srcPort ?? srcPortFor(protocol, { flows, isRemote: given.from.length > 0 });
  if (srcPort + flows - 1 > 65535) {
    throw wrongUsage(`${flows} flows from --src-port ${srcPort} run beyond port 65535`);
  }
  const family: Family | null = ipv4 ? 4 : ipv6 ? 6 : null;
  if (family !== null && source !== null && familyOf(source) !== family) {
    throw wrongUsage(
      `-s ${formatAddress(source)} is an IPv${familyOf(source)} address, which -${family} excludes`,
    );
  }
  return {
    ...{ targets: [...new Set(targets)], protocol, family, srcPort },
    ...{ rateProbesPerSec: rate, waitMs, source, spoof, output, program },
    dstPort: dstPort ?? (protocol === "tcp" ? 80 : 33434),
    shape: shapeOf(given, protocol),
    interfaceName: given.interface,
    pcap: given.pcap,
    context: contextRequest(given),
    from: originOf({ ...given, output }),
  };
}

/** The usual first port; those above are free to use. */
const usualSrcPort = 24_000;

interface PortUse {
  readonly flows: number;
  readonly isRemote: boolean;
}

/**
 * TCP starts elsewhere each time: a target that still remembers the half-open connections of the last run would not
 * answer the same ports again. So do agents: where another one receives the answers, as of an anycast source, ports
 * alone distinguish equal probes of two measurements at once.
 */
function srcPortFor(protocol: ProtocolChoice, { flows, isRemote }: PortUse): number {
  const [chance = 0] = crypto.getRandomValues(new Uint32Array(1));
  if (isRemote) {
    return usualSrcPort + (chance % (65_536 - usualSrcPort - flows + 1));
  }
  return protocol === "tcp" ? 32768 + (chance % 16384) : usualSrcPort;
}
