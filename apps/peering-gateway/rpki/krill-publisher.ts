/** Keeps ROAs at Krill as the leases say, until it is disposed: docs/peering-gateway.md. */
import { setTimeout as pause } from "node:timers/promises";
import { krillLookMs, krillPauseMs, krillPauseMsMax } from "../limits.ts";
import { addRoaGauge } from "../metrics.ts";
import type { Services } from "../services.ts";
import { KrillApi } from "./krill-api.ts";
import { KrillList } from "./krill-list.ts";
import { Publication } from "./publication.ts";
import type { Rpki } from "./rpki.ts";

interface KrillServices extends Pick<Services, "config" | "database" | "log" | "metrics"> {
  readonly rpki: Rpki;
}

/** Null with another adapter. */
export function startKrill(services: KrillServices): AsyncDisposable | null {
  const { config, database, log, metrics, rpki } = services;
  const { publisher } = rpki;
  const { krill } = config.rpki;
  if (krill === null || publisher === null) {
    return null;
  }
  const publication = new Publication(database);
  addRoaGauge(metrics.sight, publication);
  const list = new KrillList({
    api: new KrillApi(krill, metrics.krillAsked),
    publication,
    authorised: () => publisher.authorised(),
    reconcileMs: krill.reconcileMs,
    onChanged: metrics.roasChanged,
    log,
  });
  const stop = new AbortController();
  const running = run(list, log, stop.signal);
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await running;
      await publication.release().catch(() => undefined);
    },
  };
}

async function run(list: KrillList, log: Services["log"], signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await list.pass();
      if (failures > 0) {
        log.info("ROAs at Krill are kept again");
      }
      failures = 0;
    } catch (error) {
      if (failures === 0 && !signal.aborted) {
        log.warn("Cannot keep the ROAs at Krill; trying again", { error });
      }
      failures += 1;
    }
    const waitMs =
      failures === 0 ? krillLookMs : Math.min(krillPauseMs * 2 ** (failures - 1), krillPauseMsMax);
    await pause(waitMs, null, { signal }).catch(() => undefined);
  }
}
