/** Writes the pages of docs about configurations: `npm run generate`. A test compares them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentConfigPage } from "./configuration/agent.ts";
import { bootstrapConfigPage } from "./configuration/bootstrap.ts";
import { clientConfigPage } from "./configuration/client.ts";
import { collectorConfigPage } from "./configuration/collector.ts";
import { exchangeSettingsPage } from "./configuration/exchange.ts";
import { type ConfigPage, configPageText } from "./configuration/keys-page.ts";
import { gatewayConfigPage as peeringGatewayPage } from "./configuration/peering-gateway.ts";
import { generatorConfigPage } from "./configuration/policy-generator.ts";
import { gatewayConfigPage as probingGatewayPage } from "./configuration/probing-gateway.ts";

export const configurationPages: readonly ConfigPage[] = [
  agentConfigPage,
  clientConfigPage,
  probingGatewayPage,
  peeringGatewayPage,
  generatorConfigPage,
  exchangeSettingsPage,
  collectorConfigPage,
  bootstrapConfigPage,
];

export function pagePath({ name }: ConfigPage): string {
  return join(import.meta.dirname, "../../docs/reference", `${name}.md`);
}

if (import.meta.main) {
  for (const page of configurationPages) {
    writeFileSync(pagePath(page), configPageText(page));
  }
}
