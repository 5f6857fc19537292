/**
 * Health of the generator. Degraded: the policy in force is right for now, but something is wrong. Unhealthy: the
 * policy in force is not the current one, or nobody may announce anything.
 */
import packageJson from "../../../package.json" with { type: "json" };
import type { Generator } from "../generator.ts";
import { type SourceName, sourceNames } from "../source-cache.ts";
import type { HealthBody } from "./bodies.ts";

export function healthView(generator: Generator, alertMs: number): HealthBody {
  const { knowledge, watch, nowMs } = generator.parts;
  const age = (source: SourceName) => knowledge.ageMs(source, nowMs());
  const old = sourceNames
    .filter((source) => (age(source) ?? alertMs) >= alertMs)
    .map((source) => `nothing new from the ${source} for too long`);
  const broken = [
    ...(generator.failure === "" ? [] : [generator.failure]),
    ...(generator.isStale() ? ["what is known is too old: every route of every user is refused"] : []),
  ];
  const amiss = [...old, ...(watch.sessions === null ? ["the routing daemon does not answer"] : [])];
  const seconds = (source: SourceName) => {
    const ageMs = age(source);
    return ageMs === null ? null : Math.round(ageMs / 1000);
  };
  return {
    status: broken.length > 0 ? "unhealthy" : amiss.length > 0 ? "degraded" : "healthy",
    reasons: [...broken, ...amiss],
    version: packageJson.version,
    data_age_seconds: { gateway: seconds("gateway"), vpn: seconds("vpn") },
  };
}
