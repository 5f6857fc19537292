/** `vantage ping --from`: agents of a gateway ping; a line for each answer, then a summary for each target. */
import type { AddressContext } from "../../../../lib/answers/enrich/address-context.ts";
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { inSession } from "../../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import { remoteDelayMs } from "../limits.ts";
import type { Options } from "../options.ts";
import { PingOutput } from "../ping-output.ts";
import type { RemoteOrigin } from "../remote-origin.ts";
import { nameTarget } from "../target.ts";
import { fetchAgentPackets } from "./agent-packets.ts";
import { Campaign } from "./campaign.ts";
import { planPing } from "./probe-plan.ts";
import type { RemotePath } from "./remote-path.ts";
import { runCampaign } from "./run-campaign.ts";

/** Resolves to the exit code: every target replied to all agents, some did not, or interrupted. */
export function pingFrom(
  name: string,
  options: Options,
  origin: RemoteOrigin,
  addressContext: AddressContext,
): Promise<ExitCode> {
  return inSession(name, origin.common, (session) => ping(session, options, origin, addressContext));
}

async function ping(
  session: GatewaySession,
  options: Options,
  { agents, query }: RemoteOrigin,
  addressContext: AddressContext,
): Promise<ExitCode> {
  const targets = await Promise.all(options.targets.map((name) => nameTarget(name, options)));
  const gateway = await session.open();
  const plan = planPing(targets, options);
  const pace = { intervalMs: options.intervalMs, round: targets.length };
  const recordsPackets = options.pcap !== null;
  const order = { session, gateway, agents, targets, plan, flows: 1, pace, recordsPackets, query };
  const campaign = await Campaign.start(order);
  const output = new PingOutput(options, addressContext, campaign.submitted.id, session.screen);
  const sequences = new Map<RemotePath, number>();
  const patienceMs = options.waitMs + remoteDelayMs;
  await runCampaign(campaign, {
    signal: session.signal,
    next: () => [],
    isDone: () =>
      campaign.paths.every(
        (remote) =>
          remote.path.totals().answered >= options.count ||
          (campaign.hasSentAll(remote.agent) && Date.now() - remote.newsAtMs > patienceMs),
      ),
    isWhole: () => campaign.submitted.agents.every(({ id }) => campaign.progress.sentBy(id) >= plan.length),
    onAnswer: ({ remote, outcome }) => {
      if (outcome !== null) {
        const sequence = (sequences.get(remote) ?? 0) + 1;
        sequences.set(remote, sequence);
        output.ended({ pinged: remote, sequence, outcome });
      }
    },
  });
  for (const remote of campaign.paths) {
    printLost(output, remote, sequences.get(remote) ?? 0);
  }
  await output.finish(campaign.paths);
  if (session.signal.aborted) {
    return exitCodes.interrupted;
  }
  if (options.pcap !== null) {
    await fetchAgentPackets({ session, gateway, campaign, path: options.pcap });
  }
  const isWhole =
    campaign.submitted.rejected.length === 0 && campaign.paths.every(({ path }) => path.reached());
  return isWhole ? exitCodes.ok : exitCodes.partial;
}

/** Rows of the probes that nothing answered, behind those of answers: which of the probes these were is not known. */
function printLost(output: PingOutput, remote: RemotePath, answered: number): void {
  const { lost } = remote.path.totals();
  for (let i = 1; i <= lost; i++) {
    output.ended({ pinged: remote, sequence: answered + i, outcome: "lost" });
  }
}
