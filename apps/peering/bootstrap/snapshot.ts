/** Everything known at one moment, unprocessed: the page and `/status.json` are made from it. */
import type { DevicePrompt } from "../../../lib/engines/gateway-client/issuer.ts";
import type { OwnSession } from "./daemon/routing-daemon.ts";
import type { SessionPlan } from "./daemon/session-plan.ts";
import type { ExchangeSession } from "./exchange-status.ts";
import type { Identity } from "./identity.ts";
import type { LeaseKnowledge } from "./leases.ts";
import type { Orders } from "./orders.ts";
import { type AnnouncementState, type GatewayRequests, noRequests } from "./requests.ts";
import type { ExchangeServer } from "./vpn/discover.ts";

/** The last answer of an exchange server, or why there is none. */
export interface Received {
  /** Null = it knows of no session of this device. */
  readonly session: ExchangeSession | null;
  readonly failure: string | null;
}

export interface Snapshot {
  readonly atMs: number;
  readonly user: Identity;
  /** What the user is to do to log in at the gateway; null = nothing. */
  readonly loginPrompt: Pick<DevicePrompt, "url" | "completeUrl" | "userCode"> | null;
  /** Whether the service logs in by itself, and has done so. */
  readonly login: "none" | "missing" | "there";
  /** `Running` = it works; empty before anything is known. */
  readonly vpnState: string;
  /** Where the user logs in to the VPN; null = nowhere now. */
  readonly vpnLoginUrl: string | null;
  readonly ownAddress: string | null;
  /** Routes that the VPN delivers to this device. */
  readonly servedRoutes: readonly string[];
  readonly exchanges: readonly ExchangeServer[];
  readonly passedOver: readonly string[];
  /** The effective ones: with announcement requests in place of what they override. */
  readonly orders: Orders;
  readonly requests: GatewayRequests;
  /** What came of every prefix at every exchange server. */
  readonly states: readonly AnnouncementState[];
  readonly leases: LeaseKnowledge | null;
  /** What the daemon is to do; null before the VPN has said where we are. */
  readonly plan: SessionPlan | null;
  /** Whether it does that. */
  readonly isInForce: boolean;
  /** By neighbour address; null = the daemon does not answer. */
  readonly sessions: ReadonlyMap<string, OwnSession> | null;
  /** By the exchange's address. */
  readonly received: ReadonlyMap<string, Received>;
  /** What could not be done in the last round, in words for the user: by the part that failed. */
  readonly failures: Readonly<Partial<Record<Part, string>>>;
}

export type Part = "login" | "vpn" | "gateway" | "requests" | "daemon" | "routes";

export const nothingKnown: Snapshot = {
  atMs: 0,
  user: { asn: null, platformAsn: null, prefixes: [] },
  loginPrompt: null,
  login: "none",
  vpnState: "",
  vpnLoginUrl: null,
  ownAddress: null,
  servedRoutes: [],
  exchanges: [],
  passedOver: [],
  orders: [],
  requests: noRequests,
  states: [],
  leases: null,
  plan: null,
  isInForce: false,
  sessions: null,
  received: new Map(),
  failures: {},
};
