/** What a user's page may have to show, as snapshots of a client: for tests of the page, and for its pictures. */
import type { OwnSession } from "../../apps/peering/bootstrap/daemon/routing-daemon.ts";
import { nothingKnown, type Snapshot } from "../../apps/peering/bootstrap/snapshot.ts";
import { refusalWords } from "../../lib/peering/policy/refusal.ts";

const asn = 65_011;
export const prefixes = ["2001:db8:1000::/48", "2001:db8:2001::/48"] as const;
const [one, two] = prefixes;
const [frankfurt, paris] = ["100.64.0.1", "100.64.0.2"] as const;
const atMs = Date.UTC(2026, 0, 15, 12);
const hourMs = 3_600_000;

const up: OwnSession = {
  ...{ isUp: true, state: "Established", forSec: 93_784, lastError: null },
  ...{ receivedRoutes: 231_408, acceptedRoutes: 231_406 },
};
const down: OwnSession = {
  ...{ isUp: false, state: "Active", forSec: 312, lastError: "Socket: Connection refused" },
  ...{ receivedRoutes: 0, acceptedRoutes: 0 },
};

const outside = [
  { name: "upstream_transit", asn: 64_496 },
  { name: "route_server_rs1", asn: 64_497 },
];

function received(accepted: readonly string[], refused: Readonly<Record<string, keyof typeof refusalWords>>) {
  const path = String(asn);
  const session = {
    ...{ address: "100.64.0.11", asn, is_up: true, remark: null, suspended_until: null, leases: [] },
    accepted: accepted.map((prefix) => ({ prefix, as_path: path, actions: [], heard_by: outside })),
    refused: Object.entries(refused).map(([prefix, reason]) => ({
      ...{ prefix, as_path: path, reason, explanation: refusalWords[reason] },
    })),
  };
  return { session, failure: null };
}

const leases = (hours: readonly number[]): Snapshot["leases"] => ({
  ...{ source: "gateway", asn, platformAsn: 64_500 },
  leases: hours.map((left, index) => ({ prefix: prefixes[index] ?? one, endsAtMs: atMs + left * hourMs })),
});

const good: Snapshot = {
  ...nothingKnown,
  ...{ atMs, vpnState: "Running", ownAddress: "100.64.0.11", isInForce: true },
  exchanges: [
    { name: "ixp-fra", address: frankfurt, isOnline: true },
    { name: "ixp-par", address: paris, isOnline: true },
  ],
  sessions: new Map([
    [frankfurt, up],
    [paris, { ...up, forSec: 5400 }],
  ]),
  leases: leases([22, 5]),
  orders: [{ prefix: two, exchange: "ixp-par", announce: false, prepend: 0 }],
  received: new Map([
    [frankfurt, received(prefixes, {})],
    [paris, received([one], {})],
  ]),
};

const mixed: Snapshot = {
  ...good,
  sessions: new Map([
    [frankfurt, up],
    [paris, down],
  ]),
  leases: leases([0.6]),
  received: new Map([[frankfurt, received([one], { [two]: "notLeased" })]]),
};

const reasons = Object.keys(refusalWords) as (keyof typeof refusalWords)[];
const allRefused = Object.fromEntries(
  reasons.map((reason, index) => [`2001:db8:${3000 + index}::/48`, reason]),
);

export const scenes: Readonly<Record<string, Snapshot>> = {
  "nothing known yet": nothingKnown,
  "all is well": good,
  "one session down, one prefix refused": mixed,
  "every reason of a refusal": { ...good, received: new Map([[frankfurt, received([], allRefused)]]) },
  "leases at their end": { ...good, leases: leases([0, -1]), orders: [] },
  "nothing works": {
    ...nothingKnown,
    vpnState: "NeedsLogin",
    failures: { daemon: "Cannot query BIRD at /run/bird/bird.ctl: is it running?", gateway: "No answer" },
    passedOver: ["ixp-ams: it has no address in 100.64.0.0/10"],
    leases: { source: "gateway", asn: 65_002, platformAsn: 64_500, leases: [] },
  },
};
