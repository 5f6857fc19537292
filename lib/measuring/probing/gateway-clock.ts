/** The gateway clock's offset from ours, by the times in its responses to reports. */
import { type ClockSample, clockOffset } from "./clocks.ts";

const nanosPerMs = 1_000_000n;
/** Clocks drift, so only recent samples count: with a report each second, those of the last two minutes. */
const samplesMax = 120;

interface Answered {
  /** When we sent the request, and received the response. */
  readonly askedMs: number;
  readonly answeredMs: number;
  /** The gateway's clock at its response; undefined = not included. */
  readonly timeMs: number | undefined;
  /** Steps of our clock so far: samples from before a step are worthless. */
  readonly steps: number;
}

export class GatewayClock {
  readonly #samples: ClockSample[] = [];
  #steps = 0;

  take({ askedMs, answeredMs, timeMs, steps }: Answered): void {
    if (steps !== this.#steps || this.#samples.length === samplesMax) {
      this.#samples.splice(0, steps === this.#steps ? 1 : samplesMax);
      this.#steps = steps;
    }
    if (timeMs === undefined) {
      return;
    }
    // All times are truncated to whole milliseconds, so upper bounds get one more.
    const [askedNs, answeredNs] = [BigInt(askedMs) * nanosPerMs, BigInt(answeredMs + 1) * nanosPerMs];
    const [receivedNs, sentNs] = [BigInt(timeMs + 1) * nanosPerMs, BigInt(timeMs) * nanosPerMs];
    this.#samples.push({ askedNs, receivedNs, sentNs, answeredNs });
  }

  /** The gateway's clock minus ours, at the last response or later; null before the first comparison. */
  offset(nowMs = 0): { readonly offset_ms: number; readonly within_ms: number } | null {
    const lastNs = this.#samples.at(-1)?.sentNs ?? 0n;
    const theirsNs =
      BigInt(Math.floor(nowMs)) * nanosPerMs - (clockOffset(this.#samples, lastNs)?.addNs ?? 0n);
    const found = clockOffset(this.#samples, theirsNs > lastNs ? theirsNs : lastNs);
    return found && { offset_ms: -Number(found.addNs) / 1e6, within_ms: Number(found.withinNs) / 1e6 };
  }
}
