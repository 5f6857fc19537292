/** BIRD's complete configuration for a user, from a plan. Same plan, same bytes. */
import { plainAttributes } from "../../../../lib/base/api/announcements.ts";
import { compileTemplate } from "../../../../lib/base/templates/template.ts";
import { actionCommunities, blackholeCommunity } from "../../../../lib/peering/policy/route-actions.ts";
import type { VersionedText } from "../../../../lib/peering/routing-daemon/daemon-file.ts";
import template from "../../../../templates/bird/client.conf.eta" with { type: "text" };
import { holdTimeSec, keepaliveSec, routesMax } from "../limits.ts";
import {
  type Announcement,
  addedHops,
  blackholesOf,
  digestOf,
  routesOf,
  type SessionPlan,
} from "./session-plan.ts";

const render = compileTemplate(template);

/** Name of the constant that holds the active version. */
export const versionName = "bootstrap_version";

interface BirdFiles {
  readonly snippetsFolder: string;
  readonly log: "syslog" | "stderr";
}

export function birdConf(plan: SessionPlan, files: BirdFiles): VersionedText {
  const filters = filtersOf(plan);
  const values = {
    ...plan,
    ...files,
    ...{ holdTimeSec, keepaliveSec, routesMax },
    routes: routesOf(plan),
    ownNets: plan.prefixes.map((prefix) => `${prefix}+`),
    filters: filters.map(({ name, announced }) => ({ name, groups: groupsOf(plan, announced) })),
    sessions: plan.sessions.map((session) => ({
      ...session,
      filter: filters.find(({ sessions }) => sessions.has(session.session))?.name ?? mainFilter,
    })),
  };
  const version = digestOf(render({ ...values, version: "" }));
  return { text: render({ ...values, version }), version };
}

const mainFilter = "ExportToIXP";

interface Filter {
  readonly name: string;
  readonly announced: readonly Announcement[];
  readonly sessions: ReadonlySet<string>;
}

/** `ExportToIXP` is the filter of most exchanges; one with other announcements has its own filter. */
function filtersOf({ sessions, prefixes }: SessionPlan): Filter[] {
  const byContent = Map.groupBy(sessions, ({ announced }) => JSON.stringify(announced));
  const [main = [], ...others] = [...byContent.values()].sort((a, b) => b.length - a.length);
  const common = {
    name: mainFilter,
    announced:
      main[0]?.announced ?? prefixes.map((prefix) => ({ prefix, prepend: 0, attributes: plainAttributes })),
    sessions: new Set(main.map(({ session }) => session)),
  };
  const own = others.flat().map(({ session, announced }) => ({
    name: `${mainFilter}_${session}`,
    announced,
    sessions: new Set([session]),
  }));
  return [common, ...own];
}

/** Groups prefixes that are announced in the same way. */
function groupsOf(plan: SessionPlan, announced: readonly Announcement[]) {
  const groups = Map.groupBy(announced, (one) => statementsOf(plan, one).join("\n"));
  const blackholes = announced.flatMap(blackholesOf);
  const discarded = {
    statements: [`bgp_community.add((${blackholeCommunity.join(", ")}));`],
    nets: blackholes,
  };
  return [
    ...[...groups.values()].map((members) => ({
      statements: members[0] === undefined ? [] : statementsOf(plan, members[0]),
      nets: members.map(({ prefix }) => prefix),
    })),
    ...(blackholes.length === 0 ? [] : [discarded]),
  ];
}

/** BIRD puts the own AS before it, which is the first hop. */
function statementsOf({ asn, platformAsn }: SessionPlan, announcement: Announcement): string[] {
  const { standard, large } = actionCommunities(platformAsn, announcement.attributes);
  const hops = addedHops(asn, announcement).map((hop) => (hop === asn ? "USER_ASN" : String(hop)));
  return [
    ...hops.reverse().map((hop) => `bgp_path.prepend(${hop});`),
    ...standard.map((parts) => `bgp_community.add((${parts.join(", ")}));`),
    ...large.map(([, field, value]) => `bgp_large_community.add((PLATFORM_ASN, ${field}, ${value}));`),
  ];
}
