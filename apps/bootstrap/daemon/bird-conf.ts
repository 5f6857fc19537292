/** BIRD's complete configuration for a user, from a plan. Same plan, same bytes. */
import type { VersionedText } from "../../../lib/routing-daemon/daemon-file.ts";
import { compileTemplate } from "../../../lib/templates/template.ts";
import template from "../../../templates/bird/client.conf.eta" with { type: "text" };
import { holdTimeSec, keepaliveSec, routesMax } from "../limits.ts";
import { type Announcement, digestOf, type SessionPlan } from "./session-plan.ts";

const render = compileTemplate(template);

/** Name of the constant that holds the version in force. */
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
    ownNets: plan.prefixes.map((prefix) => `${prefix}+`),
    filters: filters.map(({ name, announced }) => ({ name, groups: groupsOf(announced) })),
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
    announced: main[0]?.announced ?? prefixes.map((prefix) => ({ prefix, prepend: 0 })),
    sessions: new Set(main.map(({ session }) => session)),
  };
  const own = others.flat().map(({ session, announced }) => ({
    name: `${mainFilter}_${session}`,
    announced,
    sessions: new Set([session]),
  }));
  return [common, ...own];
}

/** Groups prefixes with the same number of prepends. */
function groupsOf(announced: readonly Announcement[]) {
  const groups = Map.groupBy(announced, ({ prepend }) => prepend);
  return [...groups].map(([prepend, members]) => ({
    prepends: Array.from({ length: prepend }, () => "bgp_path.prepend(USER_ASN);"),
    nets: members.map(({ prefix }) => prefix),
  }));
}
