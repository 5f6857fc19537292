/**
 * FRR's complete configuration for a user, from the same plan as BIRD's (read by FRR 8.4.4). Same plan, same bytes.
 */
import { compileTemplate } from "../../../../lib/base/templates/template.ts";
import { actionCommunities } from "../../../../lib/peering/policy/route-actions.ts";
import type { VersionedText } from "../../../../lib/peering/routing-daemon/daemon-file.ts";
import template from "../../../../templates/frr/client.conf.eta" with { type: "text" };
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

/** Name of the empty prefix list whose description identifies FRR's active configuration. */
export const versionName = "bootstrap-version";

interface FrrFiles {
  readonly log: "syslog" | "stderr";
  /** The user's own text, at the end. */
  readonly snippets: string;
}

export function frrConf(plan: SessionPlan, { log, snippets }: FrrFiles): VersionedText {
  const routes = routesOf(plan);
  const values = {
    ...plan,
    ...{ holdTimeSec, keepaliveSec, routesMax, snippets, versionName },
    log: log === "syslog" ? "syslog" : "stdout",
    lists: routes.map((prefix) => ({ name: listOf(prefix), prefix })),
    routes,
    sessions: plan.sessions.map((session) => ({
      ...session,
      entries: session.announced.flatMap((announced) => [
        { list: listOf(announced.prefix), sets: setsOf(plan, announced) },
        ...blackholesOf(announced).map((prefix) => ({ list: listOf(prefix), sets: ["community blackhole"] })),
      ]),
    })),
  };
  const version = digestOf(render({ ...values, version: "" }));
  return { text: render({ ...values, version }), version };
}

/** Names as FRR writes them in its running configuration: else each reload would change the lines. */
const communityNames = new Map([
  ["65535:0", "graceful-shutdown"],
  ["65535:65281", "no-export"],
]);

/** FRR puts the own AS before the path, which is its first hop. */
function setsOf({ asn, platformAsn }: SessionPlan, announced: Announcement): string[] {
  const hops = addedHops(asn, announced);
  const { standard, large } = actionCommunities(platformAsn, announced.attributes);
  const names = standard.map((parts) => communityNames.get(parts.join(":")) ?? parts.join(":"));
  return [
    ...(names.length === 0 ? [] : [`community ${names.join(" ")}`]),
    ...(large.length === 0 ? [] : [`large-community ${large.map((parts) => parts.join(":")).join(" ")}`]),
    ...(hops.length === 0 ? [] : [`as-path prepend ${hops.join(" ")}`]),
  ];
}

/** Named by the prefix, not by its position: a list must never hold another prefix, even during a reload. */
function listOf(prefix: string): string {
  return `own-${prefix.replaceAll(/[:/]/g, "-")}`;
}
