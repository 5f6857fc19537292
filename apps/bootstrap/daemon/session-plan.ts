/** What the routing daemon is to do, before it is written in the words of one: sessions, and who hears what. Pure. */
import { createHash } from "node:crypto";
import { type Orders, orderFor } from "../orders.ts";
import type { ExchangeServer } from "../vpn/discover.ts";

export interface Announcement {
  readonly prefix: string;
  readonly prepend: number;
}

export interface PlannedSession {
  /** `ixp_100_64_0_1`: by the address, as names of devices are text of strangers. */
  readonly session: string;
  readonly exchange: string;
  readonly address: string;
  readonly announced: readonly Announcement[];
}

export interface SessionPlan {
  readonly asn: number;
  readonly platformAsn: number;
  /** Of this device in the tunnel. */
  readonly ownAddress: string;
  readonly device: string;
  /** Every prefix of the user, announced or not. */
  readonly prefixes: readonly string[];
  readonly sessions: readonly PlannedSession[];
}

export interface PlanInput extends Omit<SessionPlan, "sessions"> {
  readonly exchanges: readonly ExchangeServer[];
  readonly orders: Orders;
  /** Prefixes whose lease is known to have ended, or not to be: announcing them would only be refused. */
  readonly withheld: ReadonlySet<string>;
}

export function sessionPlan({ exchanges, orders, withheld, ...common }: PlanInput): SessionPlan {
  const sessions = exchanges.map(({ name, address }) => ({
    session: sessionName(address),
    exchange: name,
    address,
    announced: common.prefixes.flatMap((prefix) => {
      const { announce, prepend } = orderFor(orders, prefix, name);
      return announce && !withheld.has(prefix) ? [{ prefix, prepend }] : [];
    }),
  }));
  return { ...common, sessions };
}

export function sessionName(address: string): string {
  return `ixp_${address.replaceAll(".", "_")}`;
}

/** Same plan, same text; another plan, another one: 16 hex digits. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
