/** The loop of `vantage trace`: some targets at a time, each printed when it is complete. */
import { type AddressContext, dayOf } from "../../../lib/answers/enrich/address-context.ts";
import { paletteFor } from "../../../lib/base/terminal/colour.ts";
import { Screen } from "../../../lib/base/terminal/screen.ts";
import { type ExitCode, exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { hopsOf } from "../../../lib/measuring/paths/hops.ts";
import type { HopMtu } from "../../../lib/measuring/paths/mtu-search.ts";
import { targetsAtATime, tickMs } from "./limits.ts";
import { MtuProber } from "./mtu-prober.ts";
import type { Options } from "./options.ts";
import { renderText, type TraceState, type TraceView } from "./render-text.ts";
import type { EngineSession } from "./session.ts";
import { TraceOutput } from "./trace-output.ts";
import { Tracer } from "./tracer.ts";

/** Resolves to the exit code: all targets reached, some, or interrupted. */
export async function traceAll(
  session: EngineSession,
  options: Options,
  addressContext: AddressContext,
): Promise<ExitCode> {
  const traces = new TraceLoop(session, options, addressContext);
  await traces.run();
  if (session.interrupted.aborted) {
    return exitCodes.interrupted;
  }
  return traces.unreached === 0 ? exitCodes.ok : exitCodes.partial;
}

class TraceLoop {
  unreached = 0;
  readonly #session: EngineSession;
  readonly #options: Options;
  readonly #addressContext: AddressContext;
  readonly #screen: Screen;
  readonly #palette;
  readonly #output: TraceOutput;
  readonly #waiting;
  #active: Tracer[] = [];
  /** Whose path is known, and what it carries is searched for. */
  readonly #sizing = new Map<Tracer, MtuProber>();
  /** What the paths of finished traces carry. */
  readonly #mtus = new Map<Tracer, readonly HopMtu[]>();
  /** Complete except for the names of their routers. */
  #unnamed: Tracer[] = [];
  #drawn = "";

  constructor(session: EngineSession, options: Options, addressContext: AddressContext) {
    this.#session = session;
    this.#addressContext = addressContext;
    this.#options = options;
    const terminal = process.stdout.isTTY === true;
    this.#screen = new Screen(terminal && options.live && options.output === "table");
    this.#palette = paletteFor(terminal, process.env.NO_COLOR);
    this.#output = new TraceOutput({
      format: options.output,
      program: options.program,
      svg: options.svg,
      hasMtu: options.mtu,
      measurement: crypto.randomUUID(),
      write: (bytes) => this.#screen.write(bytes),
      print: (text) => this.#screen.print(text),
      palette: this.#palette,
      fields: addressContext.fields,
    });
    this.#waiting = [...session.targets];
  }

  async run(): Promise<void> {
    while (!this.#session.interrupted.aborted && this.#isBusy()) {
      this.#admit();
      this.#session.outstanding.poll();
      this.#step();
      this.#draw();
      await Bun.sleep(tickMs);
    }
    this.#screen.clear();
    for (const tracer of this.#unnamed) {
      this.#print(tracer, "complete");
    }
    for (const tracer of [...this.#sizing.keys(), ...this.#active]) {
      this.#print(tracer, "interrupted");
    }
    this.#output.finish();
    this.#printStaleReplies();
  }

  #isBusy(): boolean {
    return this.#waiting.length + this.#active.length + this.#sizing.size + this.#unnamed.length > 0;
  }

  #admit(): void {
    const activeMax = this.#screen.live ? targetsAtATime.drawn : targetsAtATime.printed;
    while (this.#active.length < activeMax) {
      const target = this.#waiting.shift();
      if (target === undefined) {
        return;
      }
      const wayOf = (srcPort: number) => this.#session.wayOf(target, srcPort);
      this.#active.push(new Tracer(target, wayOf, this.#options, this.#session.outstanding, Date.now()));
    }
  }

  /** A finished trace is printed once its names are resolved or given up; the others continue meanwhile. */
  #step(): void {
    const ended = this.#active.filter((tracer) => tracer.step(Date.now()));
    this.#active = this.#active.filter((tracer) => !ended.includes(tracer));
    for (const tracer of ended) {
      this.unreached += tracer.path.reached() ? 0 : 1;
      this.#askNames(tracer);
    }
    const done = [...this.#unnamed, ...this.#sized(ended)];
    this.#unnamed = done.filter((tracer) => this.#isBeingNamed(tracer));
    for (const tracer of done.filter((one) => !this.#unnamed.includes(one))) {
      this.#print(tracer, "complete");
    }
  }

  /** Those of which all is known; others follow when they are. */
  #sized(ended: readonly Tracer[]): readonly Tracer[] {
    if (!this.#options.mtu) {
      return ended;
    }
    const { outstanding } = this.#session;
    for (const tracer of ended) {
      const way = this.#session.wayOf(tracer.target, this.#options.srcPort);
      this.#sizing.set(tracer, new MtuProber(tracer.target, tracer.path, way, this.#options, outstanding));
    }
    const sized = [...this.#sizing].filter(([, prober]) => prober.step());
    for (const [tracer, prober] of sized) {
      this.#sizing.delete(tracer);
      this.#mtus.set(tracer, prober.hops());
    }
    return sized.map(([tracer]) => tracer);
  }

  #print(tracer: Tracer, state: TraceState): void {
    this.#output.print(this.#viewOf(tracer, state));
    this.#mtus.delete(tracer);
  }

  #draw(): void {
    const shown = [...this.#unnamed, ...this.#sizing.keys(), ...this.#active];
    const version = `${shown.map((tracer) => tracer.version).join()} ${this.#addressContext.version}`;
    if (!this.#screen.live || version === this.#drawn) {
      return;
    }
    this.#drawn = version;
    for (const tracer of this.#active) {
      this.#askNames(tracer);
    }
    const views = shown.map((tracer) => this.#viewOf(tracer, "tracing"));
    this.#screen.draw(views.map((view) => renderText(view, this.#palette)).join("\n"));
  }

  #askNames(tracer: Tracer): void {
    for (const { from } of tracer.path.answers()) {
      this.#addressContext.ask(from);
    }
  }

  #isBeingNamed(tracer: Tracer): boolean {
    return tracer.path.answers().some(({ from }) => this.#addressContext.isPending(from));
  }

  /** They belong to no path, but they are reported. */
  #printStaleReplies(): void {
    const stale = this.#staleReplies();
    if (this.#output.isDrawn && stale > 0) {
      this.#screen.print(`  Left out: ${stale} stale replies, more than 6.5 s late`);
    }
  }

  #staleReplies(): number {
    return this.#session.engine.counters().reply_stale ?? 0;
  }

  #viewOf(tracer: Tracer, state: TraceState): TraceView {
    const mtu = this.#mtus.get(tracer);
    return {
      ...(mtu === undefined ? {} : { mtu }),
      target: tracer.target,
      path: tracer.path,
      options: this.#options,
      notes: this.#addressContext.onPath(dayOf(tracer.startedAtMs), () => ({
        destination: tracer.target.address,
        flows: this.#options.flows,
        hops: hopsOf(tracer.path, this.#options.firstTtl),
      })),
      elapsedMs: (state === "complete" ? tracer.endedAtMs : Date.now()) - tracer.startedAtMs,
      state,
      leftOut: this.#session.outstanding.leftOut(tracer.target.address),
      staleReplies: this.#staleReplies(),
      failures: this.#session.engine.failures(),
    };
  }
}
