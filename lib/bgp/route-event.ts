/** One event of one peer, as a monitor sees it; the same for MRT files and BMP. */
import type { Address, Family } from "../ip/address.ts";
import type { RoutePrefix } from "./nlri.ts";
import { noAttributes, type PathAttributes } from "./path-attributes.ts";
import type { Update } from "./update.ts";

export interface RoutePeer {
  /** The router's: what the peer has sent, before or after the policy; what it was sent; the router's own. */
  readonly table: "in" | "in-post-policy" | "out" | "out-post-policy" | "local";
  /** All zero for the router's own table. */
  readonly address: Address;
  readonly asn: number;
  /** Null = not given by the source. */
  readonly routerId: string | null;
}

type RouteEventKind = "announce" | "withdraw" | "table-end" | "peer-up" | "peer-down";

export interface RouteEvent {
  /** Microseconds since 1970; null = not given by the source. */
  readonly timeUs: bigint | null;
  readonly peer: RoutePeer;
  readonly kind: RouteEventKind;
  /** The family of an end-of-table event; null for all other events. */
  readonly family: Family | null;
  /** Null for an event of the whole session. */
  readonly route: RoutePrefix | null;
  /** Empty except for an announcement. */
  readonly attributes: PathAttributes;
}

type From = Pick<RouteEvent, "timeUs" | "peer">;

/** Withdrawals first: a prefix that is in both lists is announced (RFC 4271 s.4.3). */
export function eventsOfUpdate(update: Update, { timeUs, peer }: From): RouteEvent[] {
  const events: RouteEvent[] = [];
  if (update.withdrawn.length > 0) {
    const attributes = noAttributes();
    for (const route of update.withdrawn) {
      events.push({ timeUs, peer, kind: "withdraw", family: null, route, attributes });
    }
  }
  for (const route of update.announced) {
    events.push({ timeUs, peer, kind: "announce", family: null, route, attributes: update.attributes });
  }
  if (update.endOfTable !== null) {
    events.push({ ...sessionEvent("table-end", { timeUs, peer }), family: update.endOfTable });
  }
  return events;
}

export function sessionEvent(kind: "table-end" | "peer-up" | "peer-down", from: From): RouteEvent {
  return { ...from, kind, family: null, route: null, attributes: noAttributes() };
}
