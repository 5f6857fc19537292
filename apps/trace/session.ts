/**
 * The parts that trace and ping share: resolved targets, an engine for their interfaces, the probes in flight,
 * cleanup.
 */

import { type Address, familyOf, formatAddress } from "../../lib/ip/address.ts";
import { prefixOf } from "../../lib/ip/prefix.ts";
import { tagKey } from "../../lib/packet/tag.ts";
import { listenForInterrupt } from "../../lib/terminal/interruption.ts";
import { printErrorLine } from "../../lib/terminal/output.ts";
import { type Engine, type InstanceConfig, startEngine } from "../agent/engine/engine.ts";
import { probesInFlightMax, queueMs } from "./limits.ts";
import type { Options } from "./options.ts";
import { Outstanding } from "./outstanding.ts";
import { openRecording } from "./packet-recording.ts";
import { findTarget, type TraceTarget } from "./target.ts";

export interface EngineSession extends AsyncDisposable {
  readonly targets: readonly TraceTarget[];
  readonly engine: Engine;
  readonly outstanding: Outstanding;
  /** The engine's instance for a target. */
  instanceOf(target: TraceTarget): number;
  /** Set by the first Ctrl-C: finish with the results so far. A second one ends the process at once. */
  readonly interrupted: AbortSignal;
}

/** How both commands end. */
export const exits = {
  ok: "all targets reached",
  partial: "some target not reached",
  interrupted: "interrupted",
} as const;

const agentId = "trace";

/** For the command of this name. Throws CommandError, or an Error of the engine, each with the next step. */
export async function openSession(command: string, options: Options): Promise<EngineSession> {
  const targets = await Promise.all(options.targets.map((name) => findTarget(name, options)));
  const interfaces = [...new Set(targets.map(({ interfaceName }) => interfaceName))];
  const rateProbesPerSec = Math.max(1, options.rateProbesPerSec / interfaces.length);
  const instances = interfaces.map((name, i) => instanceOn(name, i, rateProbesPerSec));
  const integrityKey = crypto.getRandomValues(new Uint8Array(32));
  const engine = await startEngine({
    agentId,
    integrityKey,
    instances,
    sources: uniqueSources(targets).map((source) => prefixOf(source, familyOf(source) === 4 ? 32 : 128)),
    // Answers with a wrong tag are checked here: a NAT may have rewritten the time that the tag depends on.
    integrityCheck: false,
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
    instanceOf: ({ interfaceName }) => interfaces.indexOf(interfaceName),
    interrupted: interruption.signal,
    async [Symbol.asyncDispose]() {
      interruption[Symbol.dispose]();
      await engine.stop(0);
      if (recording !== null) {
        printErrorLine(`vantage ${command}: ${recording.finish()}`);
      }
    },
  };
}

function instanceOn(interfaceName: string, instanceId: number, rateProbesPerSec: number): InstanceConfig {
  return { name: interfaceName, instanceId, interfaceName, rateProbesPerSec };
}

function uniqueSources(targets: readonly TraceTarget[]): Address[] {
  return [...new Map(targets.map(({ source }) => [formatAddress(source), source])).values()];
}
