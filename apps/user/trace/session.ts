/**
 * The parts that trace and ping share: resolved targets, an engine for their interfaces, the probes in flight,
 * cleanup.
 */
import { hasPacketCalls } from "../../../ffi/packet-calls.ts";
import { listenForInterrupt } from "../../../lib/base/terminal/interruption.ts";
import { printErrorLine } from "../../../lib/base/terminal/output.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import { type Address, familyOf, formatAddress } from "../../../lib/net/ip/address.ts";
import { prefixOf } from "../../../lib/net/ip/prefix.ts";
import { tagKey } from "../../../lib/net/packet/tag.ts";
import { type Engine, type InstanceConfig, startEngine } from "../../probing/agent/engine/engine.ts";
import { Departures, otherArrivals } from "./departures.ts";
import { portsLookedUpMax, probesInFlightMax, queueMs } from "./limits.ts";
import type { Options } from "./options.ts";
import { Outstanding } from "./outstanding.ts";
import { openRecording } from "./packet-recording.ts";
import { type Departure, type NamedTarget, nameTarget, type TraceTarget } from "./target.ts";

export interface EngineSession extends AsyncDisposable {
  readonly targets: readonly TraceTarget[];
  readonly engine: Engine;
  readonly outstanding: Outstanding;
  /** Where probes to a target leave, by their source port. */
  wayOf(target: TraceTarget, srcPort: number): Way;
  /** Set by the first Ctrl-C: finish with the results so far. A second one ends the process at once. */
  readonly interrupted: AbortSignal;
}

/** `instance`: the engine's. */
export interface Way {
  readonly instance: number;
  readonly source: Address;
}

/** How both commands end. */
export const exits = {
  ok: "all targets reached",
  partial: "some target not reached",
  interrupted: "interrupted",
} as const;

const agentId = "trace";

function checkMachine(command: string): void {
  if (!hasPacketCalls()) {
    throw cannot(
      `Cannot ${command} from this machine, as packets need Linux with glibc and libpcap: let agents of a gateway ` +
        `do it (vantage ${command} --from AGENT)`,
    );
  }
}

/** For the command of this name. Throws CommandError, or an Error of the engine, each with the next step. */
export async function openSession(command: string, options: Options): Promise<EngineSession> {
  checkMachine(command);
  const named = await Promise.all(options.targets.map((name) => nameTarget(name, options)));
  const departures = new Departures(options);
  const targets = named.map((target) => departing(target, departures, options));
  const all = targets.flatMap((target) => [target, ...target.otherDepartures]);
  const interfaces = [...new Set(all.map(({ interfaceName }) => interfaceName))];
  const rateProbesPerSec = Math.max(1, options.rateProbesPerSec / interfaces.length);
  const instances = interfaces.map((name, i) => instanceOn(name, i, rateProbesPerSec));
  const integrityKey = crypto.getRandomValues(new Uint8Array(32));
  const engine = await startEngine({
    agentId,
    integrityKey,
    instances,
    sources: uniqueSources(all).map((source) => prefixOf(source, familyOf(source) === 4 ? 32 : 128)),
    alsoReceiveOn: otherArrivals(all),
    // Answers with a wrong tag are checked here: a NAT may have rewritten the time that the tag depends on.
    integrityCheck: false,
    dns: options.shape.dns !== undefined,
    sentTimesMax: probesInFlightMax,
    recordsPackets: options.pcap !== null,
  });
  const recording = options.pcap === null ? null : await openRecording(engine, options.pcap, interfaces);
  const keys = instances.map(({ instanceId }) => tagKey(integrityKey, agentId, instanceId));
  const queueProbesMax = Math.ceil((rateProbesPerSec * queueMs) / 1000);
  const outstanding = new Outstanding({
    engine,
    keys,
    queueProbesMax,
    waitMs: options.waitMs,
    now: Date.now,
    recording,
  });
  const interruption = listenForInterrupt();
  return {
    targets,
    engine,
    outstanding,
    wayOf: waysOf(departures, all, interfaces),
    interrupted: interruption.signal,
    async [Symbol.asyncDispose]() {
      interruption[Symbol.dispose]();
      departures[Symbol.dispose]();
      await engine.stop(0);
      if (recording !== null) {
        printErrorLine(`vantage ${command}: ${recording.finish()}`);
      }
    },
  };
}

function instanceOn(interfaceName: string, instanceId: number, rateProbesPerSec: number): InstanceConfig {
  return { name: interfaceName, instanceId, interfaceName, rateProbesPerSec, routes: "by flow" };
}

function departing(target: NamedTarget, departures: Departures, options: Options): TraceTarget {
  const [first, ...others] = srcPortsOf(target, options).map((srcPort) => departures.of(target, srcPort));
  const own = first ?? departures.of(target, options.srcPort);
  const different = new Map([own, ...others].map((one) => [departureName(one), one]));
  different.delete(departureName(own));
  return { ...target, ...own, otherDepartures: [...different.values()] };
}

/** Those of its flows; a ping by TCP takes another each time. */
function srcPortsOf({ protocol }: NamedTarget, { srcPort, flows, count }: Options): number[] {
  const ports = protocol === "tcp" && flows === 1 ? Math.min(count, portsLookedUpMax) : flows;
  return Array.from({ length: ports }, (_, i) => (srcPort + i) % 65536);
}

/** Remembers the way of each flow. One that the engine was not started for goes the way of the first flow. */
function waysOf(departures: Departures, known: readonly Departure[], interfaces: readonly string[]) {
  const names = new Set(known.map(departureName));
  const ways = new Map<string, Way>();
  return (target: TraceTarget, srcPort: number): Way => {
    const name = `${formatAddress(target.address)} ${target.protocol} ${srcPort}`;
    const remembered = ways.get(name);
    if (remembered !== undefined) {
      return remembered;
    }
    const found = departures.tryOf(target, srcPort);
    const { source, interfaceName } = found !== null && names.has(departureName(found)) ? found : target;
    const way = { source, instance: interfaces.indexOf(interfaceName) };
    ways.set(name, way);
    return way;
  };
}

function departureName({ source, interfaceName }: Departure): string {
  return `${formatAddress(source)} ${interfaceName}`;
}

function uniqueSources(departures: readonly Departure[]): Address[] {
  return [...new Map(departures.map(({ source }) => [formatAddress(source), source])).values()];
}
