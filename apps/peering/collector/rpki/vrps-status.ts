/** What `/status` says of the VRPs: how many, from when, and of whom. */
import type { RtrCache } from "./rtr-cache.ts";
import type { VrpSource } from "./vrp-source.ts";

export function vrpsStatus({ table, readAtMs, counts, passedOver, caches, used }: VrpSource) {
  return {
    count: table?.count ?? null,
    ...{ passed_over: passedOver, read_at: timeOf(readAtMs), failures: counts.failures },
    caches: caches.map((cache) => ({ ...cacheStatus(cache), is_used: cache === used })),
  };
}

/** `read_at`: when its last answer was whole; from then on `expire_sec` count. */
function cacheStatus({
  name,
  state,
  trouble,
  version,
  serial,
  table,
  readAtMs,
  expireSec,
  counts,
}: RtrCache) {
  return {
    ...{ address: name, state, trouble, version, serial, count: table?.count ?? null },
    ...{ read_at: timeOf(readAtMs), expire_sec: expireSec, failures: counts.failures },
    ...{ router_keys_skipped: counts.routerKeys, aspas_skipped: counts.aspas },
  };
}

function timeOf(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}
