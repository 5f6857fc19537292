/** Keeps ROAs at Krill as the leases say, until it is disposed: docs/peering-gateway.md. */
import { repeatWork } from "../../../lib/service/repeat-work.ts";
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
  const work = repeatWork({
    look: async () => {
      await list.pass();
      return krillLookMs;
    },
    complain: (error) => log.warn("Cannot keep the ROAs at Krill; trying again", { error }),
    rejoice: () => log.info("ROAs at Krill are kept again"),
    waitMs: krillPauseMs,
    waitMsMax: krillPauseMsMax,
  });
  return {
    [Symbol.asyncDispose]: async () => {
      await work[Symbol.asyncDispose]();
      await publication.release().catch(() => undefined);
    },
  };
}
