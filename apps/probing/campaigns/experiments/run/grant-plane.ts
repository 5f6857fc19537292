/** An experiment's announcements at the peering gateway, within the grant that its user has given. */
import * as v from "valibot";
import { changedAnswer, requestServersMax } from "../../../../../lib/base/api/announcements.ts";
import { heldGrantAnswer } from "../../../../../lib/base/api/grants.ts";
import { slices } from "../../../../../lib/base/list/slices.ts";
import { Gateway } from "../../../../../lib/engines/gateway-client/gateway.ts";
import { fixedToken } from "../../../../../lib/engines/gateway-client/token-source.ts";
import { clockNow } from "./clock-now.ts";
import type { ControlPlane, SiteChange, SiteState } from "./planes.ts";

const headers = { "content-type": "application/json" } as const;
const leaseAnswer = v.object({ prefix: v.string(), end_time: v.string() });

/** Requests are repeated by the controller, which knows how long they are worth it. */
export function grantGateway(address: string, secret: string): Gateway {
  return new Gateway({
    address,
    tokens: fixedToken(secret),
    userAgent: "vantage-gateway",
    retryDelaysMs: [],
  });
}

/** The grant with its leases and announcements. Rejects with GatewayError. */
export function heldGrant(gateway: Gateway) {
  return gateway.read("/api/grant", heldGrantAnswer);
}

export function grantPlane(gateway: Gateway, prefix: string): ControlPlane {
  const put = async (number: number, announcements: readonly object[]) => {
    const body = JSON.stringify({ number, announcements });
    const ask = { method: "PUT", headers, body } as const;
    return (await gateway.read("/api/grant/announcements", changedAnswer, ask)).outcome;
  };
  return {
    change: (sites, untilMs, number) => {
      const until = new Date(untilMs).toISOString();
      return put(
        number,
        requestsOf(sites).map((request) => ({ prefix, until, ...request })),
      );
    },
    withdrawAll: async (number) => {
      await put(number, [{ prefix, announce: false }]);
    },
    states: async () => {
      const { announcements, report, time_ms: timeMs } = (await heldGrant(gateway)).announced;
      const isNew = announcements.every(({ version }) => report !== null && report.version >= version);
      const states = isNew && report !== null ? report.states : [];
      return states
        .filter((state) => state.prefix === prefix)
        .map(
          (state): SiteState => ({
            site: state.server,
            announce: state.announce,
            daemonNs: state.daemon_ns,
            exchangeNs: state.exchange_ns,
            exchange: state.exchange,
            reason: state.daemon_reason ?? state.exchange_reason,
            clockNs: timeMs === undefined || state.clock === null ? null : clockNow(timeMs, state.clock),
          }),
        );
    },
    lease: async () => {
      const { leases, max_duration_hours: hoursMax, expires_at } = await heldGrant(gateway);
      const lease = leases.find((one) => one.prefix === prefix);
      const grantEndMs = Date.parse(expires_at);
      return lease === undefined ? null : { endMs: Date.parse(lease.end_time), hoursMax, grantEndMs };
    },
    renewLease: async (hours) => {
      const path = `/api/grant/leases/${encodeURIComponent(prefix)}/renew`;
      const body = JSON.stringify({ duration_hours: hours });
      return (await gateway.read(path, leaseAnswer, { method: "POST", headers, body })).end_time;
    },
  };
}

/** One announcement request for sites with the same action. */
function requestsOf(changes: readonly SiteChange[]) {
  const alike = Map.groupBy(changes, ({ as }) => {
    const { sites: _sites, ...how } = as ?? { sites: [] };
    return JSON.stringify({ announce: as !== null, ...how });
  });
  return [...alike].flatMap(([how, own]) =>
    slices(
      own.map(({ site }) => site),
      requestServersMax,
    ).map((servers) => ({ servers, ...(JSON.parse(how) as object) })),
  );
}
