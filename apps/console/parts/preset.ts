/** What a form begins with: the parameters of its address, or what the measurement was that `again=ID` names. */
import * as v from "valibot";
import { measurementAnswer } from "../../../lib/base/api/measurements.ts";
import type { Visit } from "../page.ts";

export interface Preset {
  readonly to: string | null;
  readonly from: string | null;
  readonly protocol: string | null;
  readonly kind: string | null;
  /** Why targets are missing; null = they are whole. */
  readonly lacks: string | null;
}

/** As many targets as the forms take. */
const targetsMax = 100;
const rows = v.array(v.object({ agent: v.string(), destination: v.string() }));
const probes = v.array(v.object({ probe_protocol: v.string() }));

/** Rejects with ApiProblem: another user's id, an unreachable store. */
export async function presetOf({ query, api }: Pick<Visit, "query" | "api">): Promise<Preset> {
  const again = query.get("again") ?? "";
  if (again === "") {
    const [to, from] = [query.get("to"), query.get("from")];
    return { to, from, protocol: query.get("protocol"), kind: query.get("kind"), lacks: null };
  }
  const at = `/api/measurements/${encodeURIComponent(again)}`;
  const [{ kind, destinations }, lost, [probe]] = await Promise.all([
    api.get(`${at}/status`, v.pick(measurementAnswer, ["kind", "destinations"])),
    api.get(`${at}/loss?format=json`, rows),
    api.get(`${at}/probes?format=json&limit=1`, probes),
  ]);
  const targets = [...new Set(lost.map(({ destination }) => destination))];
  const agents = [...new Set(lost.map(({ agent }) => agent))];
  return {
    to: targets.slice(0, targetsMax).join(" "),
    from: query.get("from") ?? agents.join(","),
    protocol: probe === undefined ? null : probe.probe_protocol.toLowerCase().replace("icmpv6", "icmp"),
    kind,
    lacks:
      targets.length > targetsMax
        ? `The first ${targetsMax} of ${destinations ?? targets.length} targets are here.`
        : null,
  };
}
