/** BGP sessions, as `show protocols all` of BIRD 2 and 3 lists them. Pure. */
import { protocolBlocks } from "./protocol-blocks.ts";
import type { ReplyLine } from "./reply-reader.ts";

export interface BirdSession {
  /** `peering_00001`: numbered in order of connection, so the name does not identify a peer. */
  readonly name: string;
  readonly isUp: boolean;
  /** `Established`, `Passive`, `Idle`, … */
  readonly state: string;
  /** By BIRD's clock and in its format; compare it with the time in `show status`. */
  readonly since: string;
  readonly neighborAddress: string;
  /** 0 while unknown to BIRD. */
  readonly neighborAsn: number;
  readonly lastError: string | null;
  /** Current route counts: imported into the table, filtered but kept, and exported to the peer. */
  readonly importedRoutes: number;
  readonly filteredRoutes: number;
  readonly exportedRoutes: number;
  /**
   * Updates since the session came up that changed the table; re-evaluated routes that stayed the same do not count.
   */
  readonly acceptedUpdates: number;
  /** Announcements since then of prefixes that cannot be routed; BIRD drops these before any filter. */
  readonly bogusUpdates: number;
  /**
   * Withdrawals since then of routes that did not exist, and announcements that BIRD treats as withdrawals (RFC 7606
   * s.2).
   */
  readonly idleWithdrawals: number;
}

const summary = /^(\S+)\s+BGP\s+\S+\s+(\S+)\s+(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?|\S+)/;

/** One for each BGP session that has or had a peer. */
export function readSessions(lines: readonly ReplyLine[]): BirdSession[] {
  return protocolBlocks(lines).flatMap((block) => sessionOf(block));
}

function sessionOf([head = "", ...details]: readonly string[]): BirdSession[] {
  const [, name, state, since] = summary.exec(head) ?? [];
  const text = details.join("\n");
  const value = (label: string) => new RegExp(`^ *${label}: +(.+)$`, "m").exec(text)?.[1]?.trim();
  const neighborAddress = value("Neighbor address");
  if (name === undefined || neighborAddress === undefined) {
    return [];
  }
  const counts = /Routes: +(\d+) imported(?:, (\d+) filtered)?, (\d+) exported/.exec(text) ?? [];
  const updates = countsIn(text, "Import updates");
  const withdrawals = countsIn(text, "Import withdraws");
  return [
    {
      name,
      isUp: state === "up",
      state: value("BGP state") ?? "Down",
      since: since ?? "",
      neighborAddress,
      neighborAsn: Number(value("Neighbor AS") ?? 0),
      lastError: value("Last error") ?? null,
      importedRoutes: Number(counts[1] ?? 0),
      filteredRoutes: Number(counts[2] ?? 0),
      exportedRoutes: Number(counts[3] ?? 0),
      acceptedUpdates: updates.accepted ?? 0,
      bogusUpdates: updates.rejected ?? 0,
      idleWithdrawals: Math.max(0, (withdrawals.received ?? 0) - (withdrawals.accepted ?? 0)),
    },
  ];
}

/** A row of the table of changes, by its columns' names: BIRD 3 has two more than BIRD 2 before the last. */
function countsIn(text: string, row: string): Partial<Record<string, number>> {
  const cells = (label: string) => {
    const [, line = ""] = new RegExp(`^ *${label}: +(.+)$`, "m").exec(text) ?? [];
    return line.trim().split(/ {2,}/);
  };
  const counts = cells(row);
  const named = cells("Route change stats").map((name, index) => [name, Number(counts[index])] as const);
  return Object.fromEntries(named.filter(([, count]) => Number.isInteger(count)));
}
