/** docs/reference/collector-configuration.md, made by `npm run generate`. */
import { collectorSchema } from "../../../apps/peering/collector/config.ts";
import type { ConfigPage } from "./keys-page.ts";

const head = `# Configuration of the collector

Made from \`apps/peering/collector/config.ts\` by \`npm run generate\`; do not edit. What it does: collector.md.

\`vantage collector --config=FILE\` reads one YAML file. A key that is not in the table is refused with its line; so is
a value that cannot be used. Each key can be set from the environment: \`VANTAGE_COLLECTOR_\` and the key in capitals,
two underscores between levels. The environment wins over the file.

\`\`\`yaml
bmp:
  address: "[::]:11019"
  routers: [192.0.2.0/24, "2001:db8:1::/48"]
mrt:
  - {file: /var/log/bird/updates.mrt, router: 192.0.2.1}
reject_reasons:
  - {community: "64500:65520:1", reason: RPKI invalid}
rpki:
  rtr: [{address: "127.0.0.1:323"}, {address: "[2001:db8::1]:323"}]
kafka:
  brokers: embedded:/var/lib/vantage/stack/broker
\`\`\`
`;

export const collectorConfigPage: ConfigPage = {
  name: "collector-configuration",
  schema: collectorSchema,
  head,
};
