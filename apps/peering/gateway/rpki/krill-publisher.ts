/**
 * Keeps ROAs and ASPA objects at Krill as leases and ASNs say, until it is disposed: docs/operate/peering-gateway.md.
 */
import { repeatWork } from "../../../../lib/engines/service/repeat-work.ts";
import { krillLookMs, krillPauseMs, krillPauseMsMax } from "../limits.ts";
import { addRoaGauge } from "../metrics.ts";
import type { Services } from "../services.ts";
import { KrillApi } from "./krill-api.ts";
import { AspasAtKrill } from "./krill-aspas.ts";
import { KrillHttp } from "./krill-http.ts";
import { KrillKeeper } from "./krill-keeper.ts";
import { RoasAtKrill } from "./krill-roas.ts";
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
  const api = new KrillApi(new KrillHttp(krill, metrics.krillAsked), krill.ca);
  const roas = new RoasAtKrill({
    ...{ api, log },
    authorised: () => publisher.authorised(),
    onChanged: metrics.roasChanged,
  });
  const aspas = new AspasAtKrill({
    ...{ api, log },
    authorised: () => publisher.aspas(),
    pool: config.asnRanges,
    onChanged: metrics.aspasChanged,
  });
  const keeper = new KrillKeeper({
    publication,
    kinds: krill.hasAspas ? [roas, aspas] : [roas],
    checkToken: () => api.checkToken(),
    reconcileMs: krill.reconcileMs,
  });
  const what = krill.hasAspas ? "ROAs and ASPA objects" : "ROAs";
  const work = repeatWork({
    look: async () => {
      await keeper.pass();
      return krillLookMs;
    },
    complain: (error) => log.warn(`Cannot keep the ${what} at Krill; trying again`, { error }),
    rejoice: () => log.info(`${what} at Krill are kept again`),
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
