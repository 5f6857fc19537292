/** Runs tests of a gateway beside a Krill, which is the same for all of them and empty before each. */
import { afterAll, beforeAll, beforeEach, describe } from "bun:test";
import { until } from "../../exchange/until.ts";
import { KrillHome, krillKind } from "./krill-home.ts";
import { onBothEngines, type StartHome } from "./on-both-engines.ts";
import type { PeeringHome } from "./peering-home.ts";

export const originAsn = 64_500;

/** `krill` is there once a test runs. */
export function onKrill(tests: (krill: () => KrillHome, startHome: StartHome) => void): void {
  describe(krillKind, () => {
    let krill: KrillHome | null = null;
    const started = (): KrillHome => {
      if (krill === null) {
        throw new Error("Krill has not been started");
      }
      return krill;
    };
    beforeAll(async () => {
      krill = await KrillHome.start();
    });
    beforeEach(() => started().clear());
    afterAll(async () => {
      await krill?.[Symbol.asyncDispose]();
    });

    onBothEngines((startHome) => tests(started, startHome));
  });
}

/** The section `rpki` of the gateway's configuration. */
export function rpkiYaml(krill: KrillHome, more: string): string {
  return `rpki: { mode: lease, adapter: krill, origin_asn: ${originAsn}, krill: { ${krill.yaml}${more} } }`;
}

/** Until the gateway has logged it; the line. */
export function says(home: PeeringHome, text: string): Promise<string> {
  return until(text, () => home.logged.find((line) => line.includes(text)));
}

/** What follows in the first line of the metrics that fits. */
export async function metric(home: PeeringHome, line: RegExp): Promise<string | undefined> {
  return line.exec(await home.services.metrics.registry.metrics())?.[1];
}

/** When Krill had all of it last. */
export async function completeSec(home: PeeringHome): Promise<number> {
  return Number(await metric(home, /^vantage_gateway_roas_complete_timestamp_seconds (\S+)$/m));
}
