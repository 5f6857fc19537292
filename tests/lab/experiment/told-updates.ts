/** Changes of the prefix that upstreams have got: as the daemons noted them in their own files, and as we stored. */
import { run } from "../namespaces.ts";
import { prefix } from "./plan.ts";
import type { World } from "./world.ts";

/** The number of a session's state in MRT (RFC 6396 s.4.4.1). */
const established = "6";

/** A message about the prefix, as a router got it. */
export interface Update {
  readonly timeUs: number;
  /** `A` or `W`, the neighbour, its path: what both sides must agree on. */
  readonly text: string;
}

/** What bgpdump reads of the daemon's own file. BIRD and GoBGP write whole seconds, FRR microseconds. */
export async function notedUpdates(file: string): Promise<Update[]> {
  return (await notedMessages(file)).filter(({ text }) => !text.startsWith("L"));
}

/** Also `L`: a session was lost, with all that the neighbour had told by it. BIRD notes that. */
export async function notedMessages(file: string): Promise<Update[]> {
  const lines = (await run(["bgpdump", "-m", "-q", file])).trim().split("\n");
  return lines.flatMap((line) => {
    const [, time, kind = "", peer, asn, about, path = ""] = line.split("|");
    const isLoss = kind === "STATE" && about === established;
    const isUpdate = (kind === "A" || kind === "W") && about === prefix;
    const text = [isLoss ? "L" : kind, peer, asn, kind === "A" ? path : ""].join(" ").trim();
    return isLoss || isUpdate ? [{ timeUs: Math.round(1e6 * Number(time)), text }] : [];
  });
}

/** What a user reads from the column store: synthetic rows are ours, not the router's. */
export async function storedUpdates(world: World, router: string): Promise<Update[]> {
  const rows = await world.parts.platform.query<StoredRow>(`
    SELECT toUnixTimestamp64Nano(time_bmp_header_ns) AS time, announced, peer_addr, peer_asn, as_path
    FROM bmp.updates
    WHERE router_addr = toIPv6('${router}') AND prefix_addr = toIPv6('${prefix.split("/")[0]}')
      AND prefix_len = 48 AND NOT synthetic AND NOT is_post_policy AND NOT is_adj_rib_out
    ORDER BY time_received_ns, time_bmp_header_ns`);
  return rows.map(({ time, announced, peer_addr: peer, peer_asn: asn, as_path: path }) => ({
    timeUs: Math.round(Number(time) / 1e3),
    text: [announced ? "A" : "W", peer, asn, announced ? path.join(" ") : ""].join(" ").trim(),
  }));
}

/** When the collector had each of them: `A` or `W`, and the neighbour. */
export async function collectedUpdates(world: World, router: string): Promise<Update[]> {
  const rows = await world.parts.platform.query<{ time: string; announced: boolean; peer_addr: string }>(`
    SELECT toUnixTimestamp64Micro(time_received_ns) AS time, announced, peer_addr
    FROM bmp.updates
    WHERE router_addr = toIPv6('${router}') AND prefix_addr = toIPv6('${prefix.split("/")[0]}')
      AND prefix_len = 48 AND NOT synthetic AND NOT is_post_policy AND NOT is_adj_rib_out
    ORDER BY time_received_ns, time_bmp_header_ns`);
  return rows.map(({ time, announced, peer_addr: peer }) => ({
    timeUs: Number(time),
    text: `${announced ? "A" : "W"} ${peer}`,
  }));
}

/** Router, its peer, and the microsecond at which the collector had each change of the prefix. */
export async function receivedAt(world: World): Promise<string[]> {
  const rows = await world.parts.platform.query<{ text: string }>(`
    SELECT concat(replaceOne(toString(router_addr), '::ffff:', ''), ' ', toString(peer_addr), ' ',
      toString(toUnixTimestamp64Micro(time_received_ns))) AS text
    FROM bmp.updates
    WHERE prefix_addr = toIPv6('${prefix.split("/")[0]}') AND prefix_len = 48`);
  return rows.map(({ text }) => text);
}

interface StoredRow {
  readonly time: string;
  readonly announced: boolean;
  readonly peer_addr: string;
  readonly peer_asn: number;
  readonly as_path: readonly number[];
}
