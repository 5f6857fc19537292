/** The contract of ResultSource on a gateway, over HTTP. */
import { gatewaySource } from "../../lib/answers/results/gateway-source.ts";
import { type ViewName, viewNames } from "../../lib/answers/results/views.ts";
import { Gateway } from "../../lib/engines/gateway-client/gateway.ts";
import { fixedToken } from "../../lib/engines/gateway-client/token-source.ts";
import { startEngine } from "../postgres/engines.ts";
import { inTier, isLongRun } from "../run/tier.ts";
import { addCampaign } from "./probing-gateway/campaign-time.ts";
import { ResultsHome } from "./probing-gateway-reads/results-home.ts";
import { fillStore, runsOf } from "./results/raw-rows.ts";
import { resultsContract } from "./results/suite.ts";

resultsContract(
  "a gateway",
  async (setsPath) => {
    const owned = new AsyncDisposableStack();
    const database = owned.use(await startEngine());
    const home = owned.use(await ResultsHome.start(database, `context: { dir: "${setsPath}" }`));
    const measurement = await home.submit("anna", 1);
    const runs = runsOf([measurement, await home.submit("anna", 1), await home.submit("anna", 1)]);
    const campaignId = await addCampaign(home.gateway, "anna", runs);
    const server = home.listen();
    owned.use(server);
    const address = server.url;
    const gateway = new Gateway({ address, tokens: fixedToken("anna"), userAgent: "test" });
    return {
      source: gatewaySource(gateway, new AbortController().signal),
      measurement,
      campaign: { filter: { campaignId }, runs },
      fill: (rows) => fillStore(home.store.store, rows),
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  },
  {
    runs: inTier({ usual: 1, long: 5 }),
    // What a gateway adds is the same for each.
    views: inTier<readonly ViewName[]>({ usual: ["replies", "paths", "traces"], long: viewNames }),
    hasForms: isLongRun,
  },
);
