/** The loop of `vantage trace --watch` and `--report`: traces one target again and again, a second apart at least. */
import {
  type AddressContext,
  type AddressNotes,
  dayOf,
} from "../../../../lib/answers/enrich/address-context.ts";
import { type Palette, paletteFor } from "../../../../lib/base/terminal/colour.ts";
import { FullScreen } from "../../../../lib/base/terminal/full-screen.ts";
import { writeText } from "../../../../lib/base/terminal/output.ts";
import { RowsOutput } from "../../../../lib/base/terminal/rows-output.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { formatAddress } from "../../../../lib/net/ip/address.ts";
import { tickMs, watchDrawMs, watchEveryMs } from "../limits.ts";
import type { Options } from "../options.ts";
import type { EngineSession } from "../session.ts";
import type { TraceTarget } from "../target.ts";
import { Tracer } from "../tracer.ts";
import type { WatchOrder } from "../watch-order.ts";
import { hopColumns } from "./hop-columns.ts";
import { type HopFigures, WatchedPath } from "./hop-figures.ts";
import { afterKey, firstState, type WatchState, watchLines } from "./watch-view.ts";

/** Resolves to the exit code: the target was reached in the last trace, or not, or interrupted. */
export async function watchAll(
  session: EngineSession,
  options: Options,
  order: WatchOrder,
  addressContext: AddressContext,
): Promise<ExitCode> {
  const [target] = session.targets;
  if (target === undefined) {
    throw cannot("Cannot watch: there is not a target");
  }
  const watch = new Watch(session, { options, order, target, addressContext });
  await watch.run();
  if (order.isReported) {
    watch.report();
  }
  return watch.exitCode();
}

interface WatchParts {
  readonly options: Options;
  readonly order: WatchOrder;
  readonly target: TraceTarget;
  readonly addressContext: AddressContext;
}

class Watch {
  readonly #session: EngineSession;
  readonly #options: Options;
  readonly #order: WatchOrder;
  readonly #target: TraceTarget;
  readonly #watched = new WatchedPath();
  readonly #addressContext: AddressContext;
  readonly #palette: Palette;
  #state: WatchState = firstState;
  #isQuit = false;
  #isInterrupted = false;
  #isReached = false;
  #isStale = true;

  constructor(session: EngineSession, { options, order, target, addressContext }: WatchParts) {
    this.#session = session;
    this.#addressContext = addressContext;
    // One probe a flow and hop each time: the figures are made of many times.
    this.#options = { ...options, queries: 1 };
    this.#order = order;
    this.#target = target;
    this.#palette = paletteFor(order.isDrawn, process.env.NO_COLOR);
  }

  async run(): Promise<void> {
    using screen = this.#order.isDrawn
      ? new FullScreen(
          (key) => this.#take(key),
          () => this.#changed(),
        )
      : null;
    let tracer: Tracer | null = null;
    let nextAtMs = 0;
    let drawnAtMs = 0;
    while (!this.#hasEnded()) {
      const nowMs = Date.now();
      if (tracer === null && !this.#state.isPaused && nowMs >= nextAtMs) {
        tracer = this.#begin(nowMs);
        nextAtMs = nowMs + watchEveryMs;
      }
      this.#session.outstanding.poll();
      if (tracer?.step(nowMs) === true) {
        this.#end(tracer);
        tracer = null;
      }
      if (screen !== null && this.#isStale && nowMs >= drawnAtMs + watchDrawMs) {
        this.#isStale = false;
        drawnAtMs = nowMs;
        this.#draw(screen);
      }
      await Bun.sleep(tickMs);
    }
  }

  report(): void {
    const { output: format } = this.#options;
    const print = (text: string) => writeText(1, `${text}\n`);
    const rows = new RowsOutput<HopFigures>({
      ...{ format, print, columns: hopColumns(this.#notes(), format), dim: (text: string) => text },
    });
    for (const hop of this.#watched.hops(null)) {
      rows.add(hop);
    }
    rows.finish();
  }

  exitCode(): ExitCode {
    if (this.#isInterrupted || this.#session.interrupted.aborted) {
      return exitCodes.interrupted;
    }
    return this.#isReached ? exitCodes.ok : exitCodes.partial;
  }

  #hasEnded(): boolean {
    const { cycles } = this.#order;
    const isEnough = cycles !== null && this.#watched.cycles >= cycles;
    return isEnough || this.#isQuit || this.#isInterrupted || this.#session.interrupted.aborted;
  }

  #begin(nowMs: number): Tracer {
    const { outstanding } = this.#session;
    const wayOf = (srcPort: number) => this.#session.wayOf(this.#target, srcPort);
    return new Tracer(this.#target, wayOf, this.#options, outstanding, nowMs);
  }

  #end({ path }: Tracer): void {
    this.#watched.add(path, this.#options.firstTtl);
    this.#isReached = path.reached();
    for (const { from } of path.answers()) {
      this.#addressContext.ask(from);
    }
    this.#changed();
  }

  #take(key: string): void {
    this.#isInterrupted ||= key === "\x03";
    const { flows } = this.#options;
    const next = afterKey(key, this.#state, { watched: this.#watched, flows });
    this.#isQuit ||= next === null;
    this.#state = next ?? this.#state;
    this.#changed();
  }

  #notes(): AddressNotes {
    return this.#addressContext.on(dayOf(Date.now()));
  }

  #changed(): void {
    this.#isStale = true;
  }

  #draw(screen: FullScreen): void {
    const address = formatAddress(this.#target.address);
    const { name } = this.#target;
    const title = name === address ? address : `${name} (${address})`;
    const { rows, columns } = screen;
    const shown = {
      ...{ title, watched: this.#watched, flows: this.#options.flows, notes: this.#notes() },
      ...{ rows, columns },
    };
    screen.draw(watchLines(shown, this.#state, this.#palette));
  }
}
