/** The complete configuration of BIRD on an exchange server, from its settings. Same settings, same bytes. */
import { neighborsMax, poisonMax, prependMax } from "../../../lib/base/api/announcements.ts";
import { compileTemplate } from "../../../lib/base/templates/template.ts";
import { parsePrefix } from "../../../lib/net/ip/prefix.ts";
import {
  type BirdVersion,
  birdVersionOf,
  namesPmsiTunnel,
  unknownAttributesOf,
  unknownTypesOf,
} from "../../../lib/peering/bird/version.ts";
import { feedPorts } from "../../../lib/peering/policy/feed-ports.ts";
import { neverPoisoned } from "../../../lib/peering/policy/never-poisoned.ts";
import { outsideRefusals } from "../../../lib/peering/policy/outside-refusal.ts";
import { filterRefusals } from "../../../lib/peering/policy/refusal.ts";
import { actionFields } from "../../../lib/peering/policy/route-actions.ts";
import template from "../../../templates/bird/exchange.conf.eta" with { type: "text" };
import { asnRangeOf } from "./asn-range.ts";
import { outsideLengthMax, outsideLengthMin } from "./limits.ts";
import type { ExchangeSettings } from "./settings.ts";

const render = compileTemplate(template);
const leaseLength = 48;

export function exchangeConf(settings: ExchangeSettings): string {
  const { exchange, platform, rpki, kernel, neighbors, users } = settings;
  return render({
    log: exchange.log,
    routerId: exchange.router_id,
    asn: exchange.asn,
    localAddress: exchange.tunnel_address,
    device: exchange.tunnel_device,
    policyFile: exchange.policy_file,
    reasons: filterRefusals,
    outsideReasons: outsideRefusals,
    // The user's AS itself, and what is added.
    pathLengthMax: prependMax + 1,
    poisonMax,
    neverPoisoned: [
      ...new Set([...neverPoisoned, ...(neighbors ?? []).map((neighbor) => neighbor.asn)]),
    ].sort((a, b) => a - b),
    ...actionsOf(),
    birdVersion: exchange.bird_version,
    ...attributesOf(birdVersionOf(exchange.bird_version) ?? [0, 0, 0]),
    infrastructurePrefix: platform.infrastructure_prefix,
    originated: platform.originate ? platform.prefixes : [],
    hasAggregate: platform.prefixes.some(isAggregate),
    platformNets: platform.prefixes.flatMap((prefix) =>
      isAggregate(prefix) ? [prefix, `${prefix}{${leaseLength},${leaseLength}}`] : [prefix],
    ),
    passesBlackholes: (neighbors ?? []).some(({ blackhole }) => blackhole),
    platformSpace: platform.prefixes.map((prefix) => `${prefix}{128,128}`),
    ownNets: [platform.infrastructure_prefix, ...platform.prefixes].map((prefix) => `${prefix}+`),
    ...outsideOf(settings),
    userAsns: [
      `${platform.asn_pool_start}..${platform.asn_pool_end}`,
      "64512..65534",
      "4200000000..4294967294",
    ],
    feeds: (["partial", "default"] as const).map((name) => ({ name, port: feedPorts[name] })),
    caches: [
      cacheOf(rpki, "cache", 200),
      ...(rpki.second === undefined ? [] : [cacheOf(rpki.second, "cache_second", 100)]),
    ],
    aspa: rpki.aspa,
    kernel: { routes: kernel.routes ?? "all", table: kernel.table ?? null },
    users: {
      routesMax: users.routes_max,
      holdTimeSec: users.hold_time_sec,
      errorWaitSec: users.error_wait_sec,
    },
    neighbors: (neighbors ?? []).map(neighborOf),
  });
}

/** What either cache has counts; of an entry that both have, BIRD shows that of the greater preference. */
function cacheOf({ host, port }: { host: string; port: number }, name: string, preference: number) {
  const isName = /[a-z]/i.test(host) && !host.includes(":");
  return { name, preference, port, host: isName ? `"${host}"` : host };
}

function actionsOf() {
  const { notTo, onlyTo, prependTo } = actionFields;
  const prependActions = Object.entries(prependTo).map(([times, field]) => ({ times: Number(times), field }));
  return {
    actions: { notTo, onlyTo },
    prependActions,
    actionSet: [notTo, onlyTo, ...prependActions.map(({ field }) => field)],
    // A list of each kind.
    actionsMax: 3 * neighborsMax,
  };
}

function attributesOf(version: BirdVersion) {
  return {
    unknown: unknownAttributesOf(version),
    unknownTypes: unknownTypesOf(version),
    namesPmsiTunnel: namesPmsiTunnel(version),
  };
}

function isAggregate(prefix: string): boolean {
  return (parsePrefix(prefix)?.length ?? leaseLength) < leaseLength;
}

function outsideOf({ outside }: ExchangeSettings) {
  const lengths = [`::/0{0,${outsideLengthMin - 1}}`, `::/0{${outsideLengthMax + 1},128}`];
  const ranges = (outside.bogon_asns ?? []).map(asnRangeOf).filter((range) => range !== null);
  return {
    bogonNets: [...lengths, ...(outside.bogon_prefixes ?? []).map((prefix) => `${prefix}+`)],
    bogonAsns: ranges.map(({ first, last }) => (first === last ? String(first) : `${first}..${last}`)),
  };
}

/** What we are to a neighbour, in BIRD's words (RFC 9234 s.4). */
const localRoles = { upstream: "customer", peer: "peer", route_server: "rs_client" } as const;

function neighborOf(neighbor: NonNullable<ExchangeSettings["neighbors"]>[number]) {
  return {
    name: neighbor.name,
    role: neighbor.role,
    asn: neighbor.asn,
    address: neighbor.address,
    localAddress: neighbor.local_address,
    password: neighbor.password ?? null,
    ttlSecurity: neighbor.ttl_security,
    localRole: neighbor.roles === "off" ? null : localRoles[neighbor.role],
    takesBlackholes: neighbor.blackhole,
    isStrict: neighbor.roles === "strict",
    routesMax: neighbor.routes_max,
  };
}
