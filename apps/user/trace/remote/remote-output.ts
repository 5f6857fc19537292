/** Prints the paths of a remote trace, each target when it is done, and shows the progress on a terminal. */
import { type AddressContext, dayOf } from "../../../../lib/answers/enrich/address-context.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import type { Screen } from "../../../../lib/base/terminal/screen.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import { hopsOf } from "../../../../lib/measuring/paths/hops.ts";
import type { HopMtu } from "../../../../lib/measuring/paths/mtu-search.ts";
import { remoteDrawMs, targetsAtATime } from "../limits.ts";
import type { Options } from "../options.ts";
import { renderText, type TraceState, type TraceView } from "../render-text.ts";
import { TraceOutput } from "../trace-output.ts";
import type { Campaign } from "./campaign.ts";
import type { RemotePath } from "./remote-path.ts";
import type { EndedPath } from "./trace-schedule.ts";

interface OutputParts {
  readonly session: GatewaySession;
  readonly options: Options;
  readonly campaign: Campaign;
  readonly screen: Screen;
  readonly addressContext: AddressContext;
}

/** Printed as soon as the names of its routers are known. */
interface UnnamedPath {
  readonly remote: RemotePath;
  readonly state: TraceState;
  readonly elapsedMs: number;
}

export class RemoteOutput {
  /** Paths that are not complete. */
  cutOff = 0;
  readonly #parts: OutputParts;
  readonly #output: TraceOutput;
  readonly #startedAtMs = Date.now();
  /** Neither printed nor about to be. */
  readonly #open: Set<RemotePath>;
  #unnamed: readonly UnnamedPath[] = [];
  /** What paths carry; null = it is not searched for. */
  readonly #mtus: Map<RemotePath, readonly HopMtu[]> | null;
  #isFinishing = false;
  #drawn = "";

  constructor(parts: OutputParts) {
    this.#parts = parts;
    const { options, campaign, screen, addressContext, session } = parts;
    this.#open = new Set(campaign.paths);
    this.#mtus = options.mtu ? new Map() : null;
    this.#output = new TraceOutput({
      format: options.output,
      program: options.program,
      svg: options.svg,
      hasMtu: options.mtu,
      measurement: campaign.submitted.id,
      measurementId: campaign.submitted.id,
      write: (bytes) => screen.write(bytes),
      print: (text) => screen.print(text),
      palette: session.palette,
      fields: addressContext.fields,
    });
  }

  add(ended: readonly EndedPath[]): void {
    const early = this.#parts.session.signal.aborted ? "interrupted" : "cut off";
    const elapsedMs = Date.now() - this.#startedAtMs;
    for (const { remote, isWhole } of ended) {
      remote.finish();
      this.#askNames(remote);
      this.cutOff += isWhole ? 0 : 1;
      this.#open.delete(remote);
    }
    const added = ended.map(
      ({ remote, isWhole }): UnnamedPath => ({ remote, elapsedMs, state: isWhole ? "complete" : early }),
    );
    this.#unnamed = [...this.#unnamed, ...added];
  }

  /** Paths wait for what they carry, if that is searched for. */
  addMtus(found: ReadonlyMap<RemotePath, readonly HopMtu[]>): void {
    for (const [remote, hops] of found) {
      this.#mtus?.set(remote, hops);
    }
  }

  /** Prints what is done, and draws what is not. */
  draw(): void {
    this.#printNamed();
    const { screen, session, campaign, addressContext, options } = this.#parts;
    const { version } = campaign.progress;
    const state = `${version} ${this.#unnamed.length} ${this.#open.size} ${addressContext.version}`;
    if (state === this.#drawn) {
      return;
    }
    this.#drawn = state;
    if (!screen.live) {
      session.progress.draw(this.#progressLine());
      return;
    }
    const shown = [...this.#open].slice(0, targetsAtATime.drawn);
    for (const remote of shown) {
      this.#askNames(remote);
    }
    const views = shown.map((remote) => renderText(this.#viewOf(remote, "tracing"), session.palette));
    const isMany = options.targets.length > 1;
    screen.draw([...(isMany ? [session.palette.dim(this.#progressLine())] : []), ...views].join("\n"));
  }

  /** Prints the rest. Look-ups of names are bounded in time, so this is too. */
  async finish(): Promise<void> {
    this.#isFinishing = true;
    while (this.#unnamed.some((path) => this.#isBeingNamed(path))) {
      await Bun.sleep(remoteDrawMs);
    }
    this.#parts.screen.clear();
    this.#printNamed();
    this.#parts.session.progress.clear();
    this.#output.finish();
  }

  #printNamed(): void {
    const named = this.#unnamed.filter((path) => !this.#isBeingNamed(path) && !this.#isBeingSized(path));
    this.#unnamed = this.#unnamed.filter((path) => !named.includes(path));
    if (named.length > 0) {
      this.#parts.session.progress.clear();
      this.#drawn = "";
    }
    for (const { remote, state, elapsedMs } of named) {
      this.#output.print(this.#viewOf(remote, state, elapsedMs));
    }
  }

  #progressLine(): string {
    const { campaign, options } = this.#parts;
    const targets = options.targets.length;
    const open = new Set([...this.#open].map(({ target }) => target)).size;
    const { sent, read } = campaign.progress.totals;
    const done = `${grouped(targets - open)} of ${grouped(targets)} targets done`;
    return `${done}; ${grouped(sent)} probes sent, ${grouped(read)} answers`;
  }

  #askNames({ path }: RemotePath): void {
    for (const { from } of path.answers()) {
      this.#parts.addressContext.ask(from);
    }
  }

  #isBeingNamed({ remote }: UnnamedPath): boolean {
    return remote.path.answers().some(({ from }) => this.#parts.addressContext.isPending(from));
  }

  #isBeingSized({ remote }: UnnamedPath): boolean {
    return !this.#isFinishing && this.#mtus?.has(remote) === false;
  }

  #viewOf(remote: RemotePath, state: TraceState, elapsedMs = Date.now() - this.#startedAtMs): TraceView {
    const { options, addressContext, campaign } = this.#parts;
    const { agent, target, path, source, repeated } = remote;
    const mtu = this.#mtus?.get(remote);
    return {
      ...(mtu === undefined ? {} : { mtu }),
      ...{ agent, path, options, elapsedMs, state },
      target: { ...target, source, interfaceName: null },
      notes: addressContext.onPath(dayOf(this.#startedAtMs), () => ({
        destination: target.address,
        flows: options.flows,
        hops: hopsOf(path, options.firstTtl),
      })),
      leftOut: { forged: 0, late: repeated },
      staleReplies: 0,
      failures: [...failuresOf(campaign, agent), ...(state === "cut off" ? [cutOffReason] : [])],
    };
  }
}

const cutOffReason = "The measurement ended before this path was complete";

function failuresOf({ progress }: Campaign, agent: string): string[] {
  const error = progress.status?.agents.find(({ agent_id }) => agent_id === agent)?.error ?? null;
  return error === null ? [] : [error];
}
