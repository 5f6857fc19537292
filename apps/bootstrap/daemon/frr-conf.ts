/**
 * FRR's complete configuration for a user, from the same plan as BIRD's (read by FRR 8.4.4). Same plan, same bytes.
 */
import type { VersionedText } from "../../../lib/routing-daemon/daemon-file.ts";
import { compileTemplate } from "../../../lib/templates/template.ts";
import template from "../../../templates/frr/client.conf.eta" with { type: "text" };
import { holdTimeSec, keepaliveSec, routesMax } from "../limits.ts";
import { digestOf, type SessionPlan } from "./session-plan.ts";

const render = compileTemplate(template);

/** Name of the empty prefix list whose description says which configuration FRR has in force. */
export const versionName = "bootstrap-version";

interface FrrFiles {
  readonly log: "syslog" | "stderr";
  /** The user's own text, at the end. */
  readonly snippets: string;
}

export function frrConf(plan: SessionPlan, { log, snippets }: FrrFiles): VersionedText {
  const { asn, prefixes } = plan;
  const values = {
    ...plan,
    ...{ holdTimeSec, keepaliveSec, routesMax, snippets, versionName },
    log: log === "syslog" ? "syslog" : "stdout",
    lists: prefixes.map((prefix) => ({ name: listOf(prefix), prefix })),
    sessions: plan.sessions.map((session) => ({
      ...session,
      entries: session.announced.map(({ prefix, prepend }) => ({
        list: listOf(prefix),
        prepends: Array.from({ length: prepend }, () => asn),
      })),
    })),
  };
  const version = digestOf(render({ ...values, version: "" }));
  return { text: render({ ...values, version }), version };
}

/** Named by the prefix, not by its position: a list must never hold another prefix, even during a reload. */
function listOf(prefix: string): string {
  return `own-${prefix.replaceAll(/[:/]/g, "-")}`;
}
