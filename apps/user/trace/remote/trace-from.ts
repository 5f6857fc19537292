/** `vantage trace --from`: agents of a gateway trace; each target is printed when it is done. */
import type { AddressContext } from "../../../../lib/answers/enrich/address-context.ts";
import { Screen } from "../../../../lib/base/terminal/screen.ts";
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { inSession } from "../../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import type { Submitted } from "../../../../lib/engines/gateway-client/answers.ts";
import { parseAddress } from "../../../../lib/net/ip/address.ts";
import { remoteDrawMs } from "../limits.ts";
import type { Options } from "../options.ts";
import type { RemoteOrigin } from "../remote-origin.ts";
import { nameTarget } from "../target.ts";
import { fetchAgentPackets } from "./agent-packets.ts";
import { Campaign } from "./campaign.ts";
import { RemoteOutput } from "./remote-output.ts";
import { runCampaign } from "./run-campaign.ts";
import { searchSizes } from "./size-search.ts";
import { TraceSchedule } from "./trace-schedule.ts";

/** Resolves to the exit code: all targets reached from everywhere, some, or interrupted. */
export function traceFrom(
  name: string,
  options: Options,
  origin: RemoteOrigin,
  addressContext: AddressContext,
): Promise<ExitCode> {
  return inSession(name, origin.common, (session) => trace(session, options, origin, addressContext));
}

async function trace(
  session: GatewaySession,
  options: Options,
  { agents, query }: RemoteOrigin,
  addressContext: AddressContext,
): Promise<ExitCode> {
  const targets = await Promise.all(options.targets.map((name) => nameTarget(name, options)));
  const gateway = await session.open();
  const screen = new Screen(session.isTerminal && options.live && options.output === "table");
  screen.draw(session.palette.dim("submitting …"));
  const schedule = new TraceSchedule(targets, options, Date.now());
  const plan = schedule.begin();
  const { flows, pcap } = options;
  const order = { session, gateway, agents, targets, plan, flows, query, pace: "open" } as const;
  const campaign = await Campaign.start({ ...order, recordsPackets: pcap !== null });
  const output = new RemoteOutput({ session, options, campaign, screen, addressContext });
  const sizes = options.mtu ? () => findSizes({ session, gateway, options, query }, campaign, output) : null;
  await follow(session, campaign, schedule, output, sizes);
  if (pcap !== null && !session.signal.aborted) {
    await fetchAgentPackets({ session, gateway, campaign, path: pcap });
  }
  if (session.signal.aborted) {
    return exitCodes.interrupted;
  }
  if (output.cutOff > 0) {
    const paths = output.cutOff === 1 ? "1 path is" : `${output.cutOff} paths are`;
    session.note(`${paths} not complete: an agent's part of the measurement ended early`);
  }
  const { paths, submitted } = campaign;
  const isWhole =
    submitted.rejected.length === 0 && output.cutOff === 0 && paths.every(({ path }) => path.reached());
  return isWhole ? exitCodes.ok : exitCodes.partial;
}

/** Everything is printed in the end, also where it is not complete. Rejects with GatewayError. */
async function follow(
  session: GatewaySession,
  campaign: Campaign,
  schedule: TraceSchedule,
  output: RemoteOutput,
  sizes: (() => Promise<void>) | null,
): Promise<void> {
  const drawing = setInterval(() => {
    output.add(schedule.ended(campaign, Date.now()));
    output.draw();
  }, remoteDrawMs);
  try {
    await runCampaign(campaign, {
      signal: session.signal,
      next: () => schedule.next(campaign, Date.now()),
      isDone: () => schedule.remaining === 0,
      isWhole: () => {
        output.add(schedule.rest(campaign));
        return output.cutOff === 0;
      },
      onAnswer: ({ target }) => schedule.answered(target),
    });
    output.add(schedule.rest(campaign));
    await sizes?.();
  } finally {
    clearInterval(drawing);
    output.add(schedule.rest(campaign));
    await output.finish();
  }
}

/**
 * Ports alone distinguish equal probes of two measurements whose answers another agent may receive, as of an anycast
 * source: then each search is a flow of its own. All others are that of the first flow.
 */
async function findSizes(
  order: Pick<Parameters<typeof searchSizes>[0], "session" | "gateway" | "options" | "query">,
  { submitted, paths }: Campaign,
  output: RemoteOutput,
): Promise<void> {
  const { session, options } = order;
  const search = async ({ id, ip_address: given }: Submitted["agents"][number], i: number) => {
    const own = paths.filter(({ agent }) => agent === id);
    const isShared = own.some((path) => path.isShared);
    const srcPort = isShared ? (options.srcPort + options.flows + i) % 65_536 : options.srcPort;
    const source = given === null ? null : parseAddress(given);
    const { hops, failed, measurement } = await searchSizes({ ...order, source, srcPort, paths: own }, id);
    output.addMtus(hops);
    if (failed > 0) {
      session.note(`${id} could not send ${failed} probes: its interface takes only smaller ones`);
    }
    if (measurement !== "" && options.output === "table") {
      session.note(`the sizes of ${id}: vantage replies -v mtu ${measurement}`);
    }
  };
  await Promise.all(submitted.agents.map(search));
}
