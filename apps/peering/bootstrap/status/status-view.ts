/** The status of everything, from what is known at a moment. Pure. */
import { sessionName } from "../daemon/session-plan.ts";
import { leaseState } from "../leases.ts";
import { orderFor } from "../orders.ts";
import { allPrefixes } from "../requests.ts";
import type { Snapshot } from "../snapshot.ts";
import type { ExchangeServer } from "../vpn/discover.ts";
import type { ExchangeBody, PrefixBody, StatusBody } from "./bodies.ts";
import { stepsOf } from "./steps.ts";
import { adviceOn, partAdvice, vpnProblem } from "./words.ts";

export function statusView(snapshot: Snapshot): StatusBody {
  const { atMs, user, vpnState, ownAddress, sessions, isInForce, exchanges } = snapshot;
  return {
    at: timeOf(atMs),
    user: { asn: user.asn, receive_only: allPrefixes(user.prefixes, snapshot.requests).length === 0 },
    vpn: { state: vpnState, address: ownAddress },
    daemon: { is_up: sessions !== null, in_force: isInForce },
    steps: stepsOf(snapshot),
    problems: problemsOf(snapshot),
    exchanges: exchanges.map((exchange) => exchangeView(exchange, snapshot)),
    prefixes: allPrefixes(user.prefixes, snapshot.requests).map((prefix) => prefixView(prefix, snapshot)),
  };
}

function problemsOf(snapshot: Snapshot): StatusBody["problems"] {
  const { failures, user, vpnState, vpnLoginUrl, exchanges, passedOver, leases } = snapshot;
  const failed = (["login", "vpn", "daemon", "routes", "gateway", "requests"] as const).flatMap((part) => {
    const text = failures[part];
    return text === undefined ? [] : [{ text, advice: partAdvice[part] }];
  });
  const vpn = vpnProblem(vpnState, vpnLoginUrl);
  const asn = leases?.asn ?? user.asn;
  // With a login of its own it is a step.
  const isAsnMissing = snapshot.login === "none" && leases?.source === "gateway" && user.platformAsn === null;
  return [
    ...failed,
    ...(vpn === null ? [] : [vpn]),
    ...(isAsnMissing
      ? [
          {
            text: "The gateway does not state the platform's AS number, so no session can start",
            advice: "Set platform.asn in the configuration",
          },
        ]
      : []),
    ...(asn === user.asn
      ? []
      : [{ text: `USER_ASN is ${user.asn}, but you have been given ${asn}`, advice: `Set USER_ASN=${asn}` }]),
    ...(vpnState === "Running" && exchanges.length === 0
      ? [
          {
            text: "The VPN lists no exchange server",
            advice: "Ask the operator for the tag of exchange servers",
          },
        ]
      : []),
    ...passedOver.map((text) => ({ text, advice: "Report it to the exchange's operator" })),
  ];
}

function exchangeView({ name, address, isOnline }: ExchangeServer, snapshot: Snapshot): ExchangeBody {
  const session = snapshot.sessions?.get(address);
  const received = snapshot.received.get(address);
  const forSec = session?.forSec ?? null;
  return {
    name,
    address,
    is_online: isOnline,
    is_up: session?.isUp ?? false,
    state: session?.state ?? "unknown",
    since: forSec === null ? null : timeOf(snapshot.atMs - 1000 * forSec),
    last_error: session?.lastError ?? null,
    received_routes: session?.receivedRoutes ?? 0,
    accepted_routes: session?.acceptedRoutes ?? 0,
    remark: received?.session?.remark ?? received?.failure ?? null,
    refused: (received?.session?.refused ?? []).map((route) => ({
      ...route,
      advice: adviceOn(route.reason),
    })),
  };
}

function prefixView(prefix: string, snapshot: Snapshot): PrefixBody {
  const { leases, atMs, exchanges } = snapshot;
  const endsAtMs = leases?.leases.find((lease) => lease.prefix === prefix)?.endsAtMs ?? null;
  return {
    prefix,
    lease: leaseState(leases, prefix, atMs),
    end_time: endsAtMs === null ? null : timeOf(endsAtMs),
    seconds_left: endsAtMs === null ? null : Math.max(0, Math.floor((endsAtMs - atMs) / 1000)),
    exchanges: exchanges.map((exchange) => announcementView(prefix, exchange, snapshot)),
  };
}

type AnnouncementBody = PrefixBody["exchanges"][number];

function announcementView(
  prefix: string,
  { name, address }: ExchangeServer,
  snapshot: Snapshot,
): AnnouncementBody {
  const { orders, received, plan, sessions } = snapshot;
  const { announce, prepend } = orderFor(orders, prefix, name);
  const own = received.get(address)?.session ?? null;
  const accepted = own?.accepted.find((route) => route.prefix === prefix);
  const refused = own?.refused.find((route) => route.prefix === prefix);
  const planned = plan?.sessions.find(({ session }) => session === sessionName(address));
  const isPlanned = planned?.announced.some((one) => one.prefix === prefix) ?? true;
  const said = (
    verdict: AnnouncementBody["verdict"],
    explanation: string,
    advice: string,
  ): AnnouncementBody => ({
    ...{ name, verdict, prepend, explanation, advice },
    as_path: accepted?.as_path ?? refused?.as_path ?? null,
    heard_by: accepted?.heard_by ?? [],
  });
  if (!announce) {
    return said("withdrawn", "you have withdrawn it", `To announce it again: vantage announce ${prefix}`);
  }
  if (!isPlanned) {
    return said("notLeased", "there is no lease for it now", adviceOn("notLeased"));
  }
  if (sessions !== null && sessions.get(address)?.isUp !== true) {
    return said("down", "the session is down", "See the state of the session above");
  }
  if (refused !== undefined) {
    return said("refused", refused.explanation, adviceOn(refused.reason));
  }
  return accepted === undefined
    ? // What it drops unseen it cannot show as refused, but may say of the session as a whole.
      said("waiting", own?.remark ?? "the exchange has not said yet whether it accepts it", "")
    : said("announced", "the exchange has taken it", "");
}

function timeOf(instantMs: number): string {
  return new Date(instantMs).toISOString();
}
