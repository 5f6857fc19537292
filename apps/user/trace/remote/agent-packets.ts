/** `--pcap FILE` with `--from`: agents record the packets and upload them at the end; then they are downloaded. */
import { extname } from "node:path";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import {
  type PacketFileAnswer,
  PacketFiles,
  packetFileName,
} from "../../../../lib/command/command/gateway/packet-files.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { handOverMs, handOverTickMs } from "../limits.ts";
import type { Campaign } from "./campaign.ts";

interface Wanted {
  readonly session: GatewaySession;
  readonly gateway: Gateway;
  readonly campaign: Campaign;
  /** One file has this name, of several each its agent and interface before the extension. */
  readonly path: string;
}

/** Reports the files, and agents without packets. Rejects with GatewayError, and CommandError. */
export async function fetchAgentPackets({ session, gateway, campaign, path }: Wanted): Promise<void> {
  const { id, agents } = campaign.submitted;
  const packets = new PacketFiles(gateway, id, session.signal);
  session.note("waiting for the packets of the agents");
  const files = await handedOver(packets, agents.length, session.signal);
  for (const file of files) {
    const to = files.length === 1 ? path : pathOf(path, file);
    await packets.fetch(file, to);
    const { sent_packets: sent, heard_packets: heard, left_out_packets: leftOut } = file;
    const end = leftOut === 0 ? "" : `; ${grouped(leftOut)} more were left out, there being too many`;
    session.note(`${to} has ${grouped(sent)} packets sent and ${grouped(heard)} received${end}`);
  }
  const missing = agents
    .map((agent) => agent.id)
    .filter((agent) => !files.some((file) => file.agent_id === agent));
  if (missing.length > 0) {
    session.note(`no packets of ${missing.join(", ")} so far; later: vantage packets ${id}`);
  }
}

/** All files, once each agent has uploaded one and no more arrived for a while; or those that arrived in time. */
async function handedOver(
  packets: PacketFiles,
  agents: number,
  signal: AbortSignal,
): Promise<PacketFileAnswer[]> {
  let before = -1;
  for (const startedAt = performance.now(); ; ) {
    const files = await packets.list();
    const isWhole = files.length === before && new Set(files.map((file) => file.agent_id)).size >= agents;
    if (isWhole || signal.aborted || performance.now() - startedAt > handOverMs) {
      return files;
    }
    before = files.length;
    await Bun.sleep(handOverTickMs);
  }
}

function pathOf(path: string, file: PacketFileAnswer): string {
  const end = extname(path);
  return `${path.slice(0, path.length - end.length)}.${packetFileName(file)}${end}`;
}
