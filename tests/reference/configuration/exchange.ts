/** docs/reference/exchange-settings.md, made by `npm run generate`. */
import { exchangeSchema } from "../../../apps/peering/exchange/settings.ts";
import type { ConfigPage } from "./keys-page.ts";

const head = `# Settings of an exchange server

Made from \`apps/peering/exchange/settings.ts\` by \`npm run generate\`; do not edit. What they make: exchange.md.

\`vantage exchange render\` and \`check\` read one YAML file. A key that is not in the table is refused with its
line; so is a value that cannot be used. Each key can be set from the environment: \`VANTAGE_EXCHANGE_\` and the key in
capitals, two underscores between levels.

\`\`\`yaml
exchange:
  asn: 64500
  router_id: 192.0.2.1
  tunnel_address: 100.64.0.1
platform:
  prefixes: ["2001:db8:1::/48", "2001:db8:2::/48"]
  infrastructure_prefix: 2001:db8:ffff::/48
rpki: {host: 192.0.2.8}
neighbors:
  - {name: transit, role: upstream, asn: 64496, address: "2001:db8:10::1", local_address: "2001:db8:10::2"}
\`\`\`
`;

export const exchangeSettingsPage: ConfigPage = { name: "exchange-settings", schema: exchangeSchema, head };
