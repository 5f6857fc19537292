/** FRR's whole configuration for a user, from the same plan as BIRD's (read by FRR 8.4.4). Same plan, same bytes. */
import { compileTemplate } from "../../../lib/templates/template.ts";
import template from "../../../templates/frr/client.conf.eta" with { type: "text" };
import { holdTimeSec, keepaliveSec, routesMax } from "../limits.ts";
import type { SessionPlan } from "./session-plan.ts";

const render = compileTemplate(template);

export function frrConf(plan: SessionPlan): string {
  const { asn, prefixes } = plan;
  return render({
    ...plan,
    ...{ holdTimeSec, keepaliveSec, routesMax },
    lists: prefixes.map((prefix, index) => ({ name: `own-${index + 1}`, prefix })),
    sessions: plan.sessions.map((session) => ({
      ...session,
      entries: session.announced.map(({ prefix, prepend }) => ({
        list: `own-${prefixes.indexOf(prefix) + 1}`,
        prepends: Array.from({ length: prepend }, () => asn),
      })),
    })),
  });
}
