/** `vantage trace --from`: agents of a gateway trace; drawn live like a local trace. */

import { type ExitCode, exitCodes } from "../../../lib/command/exit-codes.ts";
import { inSession } from "../../../lib/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../lib/command/gateway/session.ts";
import { type AddressBook, dayOf } from "../../../lib/enrich/address-book.ts";
import { hopsOf } from "../../../lib/paths/hops.ts";
import type { Wish } from "../../../lib/submission/targets.ts";
import { Screen } from "../../../lib/terminal/screen.ts";
import { remoteDrawMs } from "../limits.ts";
import type { Options } from "../options.ts";
import type { RemoteOrigin } from "../remote-origin.ts";
import { renderText, type TraceState, type TraceView } from "../render-text.ts";
import { nameTarget } from "../target.ts";
import { TraceOutput } from "../trace-output.ts";
import { fetchAgentPackets } from "./agent-packets.ts";
import { Campaign } from "./campaign.ts";
import type { RemotePath } from "./remote-path.ts";
import { runCampaign } from "./run-campaign.ts";
import { WavePlanner } from "./wave-planner.ts";

/** Resolves to the exit code: all targets reached from everywhere, some, or interrupted. */
export function traceFrom(
  name: string,
  options: Options,
  { agents, common }: RemoteOrigin,
  book: AddressBook,
): Promise<ExitCode> {
  return inSession(name, common, (session) => trace(session, options, agents, book));
}

async function trace(
  session: GatewaySession,
  options: Options,
  agents: readonly Wish[],
  book: AddressBook,
): Promise<ExitCode> {
  const targets = await Promise.all(options.targets.map((name) => nameTarget(name, options)));
  const gateway = await session.open();
  const screen = new Screen(session.isTerminal && options.live && options.output === "table");
  screen.draw(session.palette.dim("submitting …"));
  const planner = new WavePlanner({ targets, shape: options });
  const plan = planner.begin(Date.now());
  const { flows, pcap } = options;
  const order = { session, gateway, agents, targets, plan, flows, pace: "open" } as const;
  const campaign = await Campaign.start({ ...order, recordsPackets: pcap !== null });
  const loop = new RemoteTrace({ session, options, campaign, planner, screen, book });
  await loop.run();
  if (pcap !== null && !session.signal.aborted) {
    await fetchAgentPackets({ session, gateway, campaign, path: pcap });
  }
  return loop.exitCode();
}

interface TraceParts {
  readonly session: GatewaySession;
  readonly options: Options;
  readonly campaign: Campaign;
  readonly planner: WavePlanner;
  readonly screen: Screen;
  readonly book: AddressBook;
}

class RemoteTrace {
  readonly #session: GatewaySession;
  readonly #options: Options;
  readonly #campaign: Campaign;
  readonly #planner: WavePlanner;
  readonly #screen: Screen;
  readonly #book: AddressBook;
  readonly #startedAtMs = Date.now();
  #drawn = "";

  constructor({ session, options, campaign, planner, screen, book }: TraceParts) {
    this.#book = book;
    this.#session = session;
    this.#options = options;
    this.#campaign = campaign;
    this.#planner = planner;
    this.#screen = screen;
  }

  async run(): Promise<void> {
    const drawing = setInterval(() => this.#draw(), remoteDrawMs);
    const failure = await this.#follow().catch((error: unknown) => ({ error }));
    clearInterval(drawing);
    this.#screen.clear();
    await this.#nameAll();
    const isWhole = failure === undefined && !this.#session.signal.aborted;
    const state = isWhole ? "complete" : "interrupted";
    const output = new TraceOutput({
      format: this.#options.output,
      program: this.#options.program,
      svg: this.#options.svg,
      measurement: this.#campaign.submitted.id,
      write: (bytes) => this.#screen.write(bytes),
      print: (text) => this.#screen.print(text),
      palette: this.#session.palette,
      fields: this.#book.fields,
    });
    for (const remote of this.#campaign.paths) {
      output.print(this.#viewOf(remote, state));
    }
    output.finish();
    if (failure !== undefined) {
      throw failure.error;
    }
  }

  async #follow(): Promise<undefined> {
    await runCampaign(this.#campaign, {
      signal: this.#session.signal,
      next: () => this.#planner.next(this.#campaign.running, Date.now(), this.#isSent()),
      isDone: () => this.#planner.isDone(this.#campaign.running, Date.now(), this.#isSent()),
      onAnswer: () => this.#planner.answered(Date.now()),
    });
  }

  #isSent(): boolean {
    return this.#campaign.running.every(({ agent }) => this.#campaign.hasSentAll(agent));
  }

  exitCode(): ExitCode {
    if (this.#session.signal.aborted) {
      return exitCodes.interrupted;
    }
    const { paths, submitted } = this.#campaign;
    const isWhole = submitted.rejected.length === 0 && paths.every(({ path }) => path.reached());
    return isWhole ? exitCodes.ok : exitCodes.partial;
  }

  #draw(): void {
    const version = `${this.#campaign.paths.map(({ version }) => version).join()} ${this.#book.version}`;
    if (!this.#screen.live || version === this.#drawn) {
      return;
    }
    this.#drawn = version;
    this.#askNames();
    const views = this.#campaign.paths.map((remote) => this.#viewOf(remote, "tracing"));
    this.#screen.draw(views.map((view) => renderText(view, this.#session.palette)).join("\n"));
  }

  #askNames(): void {
    for (const { from } of this.#campaign.paths.flatMap(({ path }) => path.answers())) {
      this.#book.ask(from);
    }
  }

  /** Look-ups are bounded in time, so this is too. */
  async #nameAll(): Promise<void> {
    this.#askNames();
    const addresses = this.#campaign.paths.flatMap(({ path }) => path.answers().map(({ from }) => from));
    while (addresses.some((address) => this.#book.isPending(address))) {
      await Bun.sleep(remoteDrawMs);
    }
  }

  #viewOf({ agent, target, path, source, repeated }: RemotePath, state: TraceState): TraceView {
    return {
      target: { ...target, source, interfaceName: null },
      agent,
      path,
      options: this.#options,
      notes: this.#book.onPath(dayOf(this.#startedAtMs), () => ({
        destination: target.address,
        flows: this.#options.flows,
        hops: hopsOf(path, this.#options.firstTtl),
      })),
      elapsedMs: Date.now() - this.#startedAtMs,
      state,
      leftOut: { forged: 0, late: repeated },
      staleReplies: 0,
      failures: failuresOf(this.#campaign, agent),
    };
  }
}

function failuresOf({ status }: Campaign, agent: string): string[] {
  const error = status?.agents.find(({ agent_id }) => agent_id === agent)?.error ?? null;
  return error === null ? [] : [error];
}
