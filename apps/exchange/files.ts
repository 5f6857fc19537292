/** Every file made from the settings, by its name in the folder of `vantage exchange render`. */
import { rejectAll } from "../../lib/policy/policy.ts";
import { policyText } from "../../lib/policy/policy-text.ts";
import { exchangeConf } from "./exchange-conf.ts";
import { headscaleConf } from "./headscale-conf.ts";
import type { ExchangeSettings } from "./settings.ts";

interface RenderedFile {
  readonly name: string;
  readonly text: string;
  /** Only the first version: later ones come from another program. */
  readonly isFirstOnly: boolean;
}

export const birdFile = "bird.conf";
export const policyFile = "peering_generated.conf";

export function renderFiles(settings: ExchangeSettings): RenderedFile[] {
  const headscale = headscaleConf(settings);
  const ours = (name: string, text: string): RenderedFile => ({ name, text, isFirstOnly: false });
  return [
    ours(birdFile, exchangeConf(settings)),
    // BIRD does not start without it.
    { name: policyFile, text: policyText(rejectAll).text, isFirstOnly: true },
    ...(headscale === null
      ? []
      : [ours("headscale.yaml", headscale.config), ours("headscale-policy.hujson", headscale.policy)]),
  ];
}
