/** What campaigns' alerts need from the gateway: the replies of runs, and the AS of addresses. */

import { AddressContext, dayOf } from "../../../lib/answers/enrich/address-context.ts";
import { runCells } from "../../../lib/answers/results/run-cells.ts";
import { embeddedFolder } from "../../../lib/base/api/embedded-folder.ts";
import { ContextSets } from "../../../lib/measuring/context/disk/context-sets.ts";
import type { RunResults } from "../campaigns/campaign-services.ts";
import { storedRoutes } from "../campaigns/stored-routes.ts";
import type { ProbingGatewayConfig } from "./config.ts";
import { settleEmbeddedMs, settleServerMs } from "./reads/limits.ts";
import type { StoreLink } from "./store-link.ts";

interface ResultParts {
  readonly store: Pick<StoreLink, "ask">;
  readonly config: Pick<ProbingGatewayConfig, "context" | "storeAddress">;
}

export function campaignResults({ store, config }: ResultParts): RunResults {
  const { dir } = config.context;
  const sets = dir === null ? null : new ContextSets(dir);
  return {
    // By import path: the store may be unavailable.
    hasStore: config.storeAddress !== null,
    settleMs: embeddedFolder("store", config.storeAddress ?? "") === null ? settleServerMs : settleEmbeddedMs,
    cells: (measurementIds, cellsMax) => store.ask((open) => runCells(open, measurementIds, cellsMax)),
    routes: (order) => store.ask((open) => storedRoutes(open, order)),
    asnOf: (at) => {
      sets?.refresh();
      const addressContext = new AddressContext({ fields: ["asn"], sets, names: null });
      const day = dayOf(at.getTime());
      return (address) => addressContext.of(address, day).context?.asn ?? null;
    },
  };
}
