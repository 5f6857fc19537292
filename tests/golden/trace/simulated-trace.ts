/** A whole trace over the simulated network, as `vantage trace` makes it, but for the terminal and the clock. */
import { targetArguments } from "../../../apps/user/trace/arguments.ts";
import { queueMs, tickMs } from "../../../apps/user/trace/limits.ts";
import { traceOptions } from "../../../apps/user/trace/option-tables.ts";
import { traceOrder } from "../../../apps/user/trace/options.ts";
import { Outstanding } from "../../../apps/user/trace/outstanding.ts";
import { renderText, type TraceView } from "../../../apps/user/trace/render-text.ts";
import { TraceOutput } from "../../../apps/user/trace/trace-output.ts";
import { Tracer } from "../../../apps/user/trace/tracer.ts";
import { noNotes } from "../../../lib/answers/enrich/address-book.ts";
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
  const options = traceOrder(parseGiven([...args, path.target], traceOptions, targetArguments));
  const destination = address(path.target);
  const family = familyOf(destination);
  const protocol = options.protocol === "icmp" && family === 6 ? ("icmpv6" as const) : options.protocol;
  const source = address(sources[family]);
  const departure = { source, interfaceName: "wan0", otherDepartures: [] };
  const target = { name: path.target, address: destination, protocol, ...departure };
  const network = new SimulatedNetwork([path], key, options.rateProbesPerSec);
  const now = () => network.nowMs;
  const queueProbesMax = Math.ceil((options.rateProbesPerSec * queueMs) / 1000);
  const { waitMs } = options;
  const outstanding = new Outstanding({ engine: network, keys: [key], queueProbesMax, waitMs, now });
  const tracer = new Tracer(target, () => ({ instance: 0, source }), options, outstanding, now());
  runToEnd(tracer, outstanding, network);
  const { path: found, startedAtMs, endedAtMs } = tracer;
  const failures = network.failures();
  const state = "complete" as const;
  const view = { target, path: found, options, notes: noNotes, failures, state };
  const leftOut = outstanding.leftOut(destination);
  const staleReplies = network.counters().reply_stale ?? 0;
  const whole = { ...view, leftOut, staleReplies, elapsedMs: endedAtMs - startedAtMs };
  const text = renderText(whole, paletteFor(false, undefined));
  return { network, view: whole, text, json: printed(whole, "ndjson"), csv: printed(whole, "csv") };
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

function runToEnd(tracer: Tracer, outstanding: Outstanding, network: SimulatedNetwork): void {
  for (let step = 0; step < stepsMax; step++) {
    outstanding.poll();
    if (tracer.step(network.nowMs)) {
      return;
    }
    network.advance(tickMs);
  }
  throw new Error(`The trace has not ended after ${(stepsMax * tickMs) / 1000} s`);
}
