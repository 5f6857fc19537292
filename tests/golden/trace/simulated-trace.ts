/** A whole trace over the simulated network, as `vantage trace` makes it, but for the terminal and the clock. */
import { targetArguments } from "../../../apps/user/trace/arguments.ts";
import { queueMs, tickMs } from "../../../apps/user/trace/limits.ts";
import { traceOptions } from "../../../apps/user/trace/option-tables.ts";
import { type Options, traceOrder } from "../../../apps/user/trace/options.ts";
import { Outstanding } from "../../../apps/user/trace/outstanding.ts";
import { renderText, type TraceView } from "../../../apps/user/trace/render-text.ts";
import type { TraceTarget } from "../../../apps/user/trace/target.ts";
import { TraceOutput } from "../../../apps/user/trace/trace-output.ts";
import { Tracer } from "../../../apps/user/trace/tracer.ts";
import { noNotes } from "../../../lib/answers/enrich/address-context.ts";
import { paletteFor } from "../../../lib/base/terminal/colour.ts";
import type { Format } from "../../../lib/base/terminal/rows-output.ts";
import { parseGiven } from "../../../lib/command/command/parse.ts";
import { address, familyOf } from "../../../lib/net/ip/address.ts";
import { tagKey } from "../../../lib/net/packet/tag.ts";
import { SimulatedNetwork } from "./simulated-network.ts";
import type { SimulatedPath } from "./simulated-path.ts";

export interface SimulatedTrace {
  readonly network: SimulatedNetwork;
  readonly view: TraceView;
  readonly text: string;
  /** One line. */
  readonly json: string;
  readonly csv: string;
}

const sources = { 4: "192.0.2.1", 6: "2001:db8::1" } as const;
const key = tagKey(new TextEncoder().encode("simulated"), "trace", 0);
const stepsMax = 100_000;

/** `args` are those of `vantage trace`, the target being the path's. */
export function simulateTrace(path: SimulatedPath, args: readonly string[] = []): SimulatedTrace {
  const { network, outstanding, tracers, options } = simulateTraces([path], args);
  const [tracer] = tracers;
  if (tracer === undefined) {
    throw new Error("There is no trace");
  }
  const { path: found, target, startedAtMs, endedAtMs } = tracer;
  const destination = target.address;
  const failures = network.failures();
  const state = "complete" as const;
  const view = { target, path: found, options, notes: noNotes, failures, state };
  const leftOut = outstanding.leftOut(destination);
  const staleReplies = network.counters().reply_stale ?? 0;
  const whole = { ...view, leftOut, staleReplies, elapsedMs: endedAtMs - startedAtMs };
  const text = renderText(whole, paletteFor(false, undefined));
  return { network, view: whole, text, json: printed(whole, "ndjson"), csv: printed(whole, "csv") };
}

/** Of all paths at once. */
export function simulateTraces(paths: readonly SimulatedPath[], args: readonly string[]) {
  const names = paths.map(({ target }) => target);
  const options = traceOrder(parseGiven([...args, ...names], traceOptions, targetArguments));
  const { rateProbesPerSec, waitMs } = options;
  const network = new SimulatedNetwork(paths, key, rateProbesPerSec);
  const now = () => network.nowMs;
  const queueProbesMax = Math.ceil((rateProbesPerSec * queueMs) / 1000);
  const outstanding = new Outstanding({ engine: network, keys: [key], queueProbesMax, waitMs, now });
  const tracers = names.map((name) => {
    const target = simulatedTarget(name, options);
    const way = { instance: 0, source: target.source };
    return new Tracer(target, () => way, options, outstanding, now());
  });
  runToEnd(tracers, outstanding, network);
  return { network, outstanding, tracers, options };
}

function simulatedTarget(name: string, options: Options): TraceTarget {
  const destination = address(name);
  const family = familyOf(destination);
  const protocol = options.protocol === "icmp" && family === 6 ? ("icmpv6" as const) : options.protocol;
  const departure = { source: address(sources[family]), interfaceName: "wan0", otherDepartures: [] };
  return { name, address: destination, protocol, ...departure };
}

/** `svg`: as of `vantage trace`. */
export function printed(view: TraceView, format: Format, svg: string | null = null): string {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const output = new TraceOutput({
    program: null,
    measurement: "",
    write: (bytes) => print(new TextDecoder().decode(bytes)),
    svg,
    ...{ format, print, palette: paletteFor(false, undefined), fields: view.notes.fields },
  });
  output.print(view);
  output.finish();
  return lines.join("\n");
}

function runToEnd(tracers: readonly Tracer[], outstanding: Outstanding, network: SimulatedNetwork): void {
  let active = tracers;
  for (let step = 0; step < stepsMax; step++) {
    outstanding.poll();
    active = active.filter((tracer) => !tracer.step(network.nowMs));
    if (active.length === 0) {
      return;
    }
    network.advance(tickMs);
  }
  throw new Error(`Some trace has not ended after ${(stepsMax * tickMs) / 1000} s`);
}
