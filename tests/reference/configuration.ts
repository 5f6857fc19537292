/** Writes the pages of docs about configurations: `npm run generate`. A test compares them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentConfigPage } from "../../apps/agent/config/config-page.ts";
import { bootstrapConfigPage } from "../../apps/bootstrap/config-page.ts";
import { clientConfigPage } from "../../apps/client/config-page.ts";
import { exchangeSettingsPage } from "../../apps/exchange/settings-page.ts";
import { gatewayConfigPage as peeringGatewayPage } from "../../apps/peering-gateway/config-page.ts";
import { generatorConfigPage } from "../../apps/policy-generator/config-page.ts";
import { gatewayConfigPage as probingGatewayPage } from "../../apps/probing-gateway/config-page.ts";
import { type ConfigPage, configPageText } from "../../lib/config/keys-page.ts";

export const configurationPages: readonly ConfigPage[] = [
  agentConfigPage,
  clientConfigPage,
  probingGatewayPage,
  peeringGatewayPage,
  generatorConfigPage,
  exchangeSettingsPage,
  bootstrapConfigPage,
];

export function pagePath({ name }: ConfigPage): string {
  return join(import.meta.dirname, "../../docs", `${name}.md`);
}

if (import.meta.main) {
  for (const page of configurationPages) {
    writeFileSync(pagePath(page), configPageText(page));
  }
}
