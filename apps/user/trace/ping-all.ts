/** The loop of `vantage ping`: a probe to each target every interval, a line for each answer, a summary. */
import type { AddressContext } from "../../../lib/answers/enrich/address-context.ts";
import { printErrorLine } from "../../../lib/base/terminal/output.ts";
import { Screen } from "../../../lib/base/terminal/screen.ts";
import { type ExitCode, exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { Path } from "../../../lib/measuring/paths/path.ts";
import { tickMs } from "./limits.ts";
import type { Options } from "./options.ts";
import type { Pinged } from "./ping-figures.ts";
import { PingOutput } from "./ping-output.ts";
import type { EngineSession } from "./session.ts";
import type { TraceTarget } from "./target.ts";
import { outcomeOf } from "./tracer.ts";

interface LocalPinged extends Pinged {
  readonly target: TraceTarget;
}

interface Ping {
  readonly pinged: LocalPinged;
  /** From 1. */
  readonly sequence: number;
}

/** Resolves to the exit code: every target answered, some did not, or interrupted. */
export async function pingAll(
  session: EngineSession,
  options: Options,
  addressContext: AddressContext,
): Promise<ExitCode> {
  const pings = new PingLoop(session, options, addressContext);
  await pings.run();
  for (const failure of session.engine.failures()) {
    printErrorLine(`vantage ping: ${failure}`);
  }
  if (session.interrupted.aborted) {
    return exitCodes.interrupted;
  }
  return pings.allReached() ? exitCodes.ok : exitCodes.partial;
}

class PingLoop {
  readonly #session: EngineSession;
  readonly #options: Options;
  readonly #pinged: readonly LocalPinged[];
  readonly #output: PingOutput;
  readonly #due: Ping[] = [];
  #rounds = 0;
  #inFlight = 0;

  constructor(session: EngineSession, options: Options, addressContext: AddressContext) {
    this.#session = session;
    this.#options = options;
    const screen = new Screen(false);
    this.#output = new PingOutput(options, addressContext, crypto.randomUUID(), screen);
    this.#pinged = session.targets.map((target) => ({
      target,
      path: new Path(target.address, 1),
      leftOut: () => session.outstanding.leftOut(target.address),
    }));
  }

  async run(): Promise<void> {
    const startedAtMs = Date.now();
    while (!this.#session.interrupted.aborted && this.#isBusy()) {
      if (Date.now() >= startedAtMs + this.#rounds * this.#options.intervalMs) {
        this.#startRound();
      }
      while (this.#due[0] !== undefined && this.#send(this.#due[0])) {
        this.#due.shift();
      }
      this.#session.outstanding.poll();
      await Bun.sleep(tickMs);
    }
    await this.#output.finish(this.#pinged);
  }

  allReached(): boolean {
    return this.#pinged.every(({ path }) => path.reached());
  }

  #isBusy(): boolean {
    return this.#rounds < this.#options.count || this.#due.length + this.#inFlight > 0;
  }

  /** A round waits for the one before it to leave: where the rate is too low for the interval, the rate wins. */
  #startRound(): void {
    if (this.#rounds < this.#options.count && this.#due.length === 0) {
      this.#rounds++;
      this.#due.push(...this.#pinged.map((pinged) => ({ pinged, sequence: this.#rounds })));
    }
  }

  /**
   * False when there is no room now.
   *
   * TCP takes another source port each time: an open port answers the SYN of a connection once, see Path.cell.
   */
  #send({ pinged, sequence }: Ping): boolean {
    const { address: dst, protocol } = pinged.target;
    const { srcPort: firstPort, dstPort, shape, firstTtl: ttl } = this.#options;
    const srcPort = protocol === "tcp" ? (firstPort + sequence - 1) % 65536 : firstPort;
    const { instance, source } = this.#session.wayOf(pinged.target, srcPort);
    const probe = { dst, protocol, srcPort, dstPort, ttl, shape };
    const sent = this.#session.outstanding.send(instance, probe, source, (ending) => {
      const outcome = outcomeOf(ending);
      this.#inFlight--;
      pinged.path.record(0, ttl, outcome);
      this.#output.ended({ pinged, sequence, outcome });
    });
    if (sent) {
      this.#inFlight++;
      pinged.path.markSent(0, ttl, { atMs: Date.now(), source });
    }
    return sent;
  }
}
