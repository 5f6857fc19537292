/** What a path carries: in words, and as an object for JSON. Pure. */
import type { HopMtu } from "./mtu-search.ts";

/** A line, then one for each hop at which it falls, or that is not known. */
export function mtuLines(hops: readonly HopMtu[]): string[] {
  const last = hops.findLast(({ mtuBytes }) => mtuBytes !== null);
  if (last === undefined) {
    return ["Path MTU: not known, as no hop answered"];
  }
  const falls = hops.flatMap(({ ttl, mtuBytes, limit }) => {
    if (limit === null) {
      return mtuBytes === null ? [`  hop ${ttl}: stopped to answer`] : [];
    }
    const why =
      limit.kind === "reported" ? `reported by ${limit.by}` : "larger packets are dropped in silence";
    return [`  hop ${ttl}: ${mtuBytes} bytes, ${why}`];
  });
  return [`Path MTU: ${last.mtuBytes} bytes up to hop ${last.ttl}`, ...falls];
}

/** `path_mtu_bytes` is that of the last hop with one; null where none answered. */
export function mtuJson(hops: readonly HopMtu[]) {
  return {
    path_mtu_bytes: hops.findLast(({ mtuBytes }) => mtuBytes !== null)?.mtuBytes ?? null,
    hops: hops.map(({ ttl, mtuBytes, limit }) => ({
      ...{ ttl, mtu_bytes: mtuBytes, limit: limit?.kind ?? null },
      reported_by: limit?.kind === "reported" ? limit.by : null,
    })),
  };
}
