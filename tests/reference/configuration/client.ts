/** docs/reference/client-configuration.md, made by `npm run generate`. */
import { clientSchema } from "../../../apps/user/client/config.ts";
import type { ConfigPage } from "./keys-page.ts";

const head = `# Configuration of the client

Made from \`apps/user/client/config.ts\` by \`npm run generate\`; do not edit.

\`vantage client --config=FILE\` and \`vantage replies --config=FILE\` read one YAML file. A key that is not in the
table is refused with its line; so is a value that cannot be used. Names under \`kafka\` are those of an agent's file
(agent-configuration.md), so that both say the same; keys that only an agent has (\`agent\`, \`gateway\`, \`prober\`,
\`caracat\`, \`kafka.in_group_id\`, \`kafka.out_*\`, \`kafka.replies_per_record\`) are ignored, so one file
serves both.

Each key can be set from the environment: \`VANTAGE_\` and the key in capitals, two underscores between levels:
\`VANTAGE_KAFKA__BROKERS=192.0.2.10:9092\`. \`SAIMIRIS__KAFKA__BROKERS\` means the same. With \`_FILE\` behind the
name it is the file that holds the value. The environment wins over the file.

\`\`\`yaml
kafka:
  brokers: broker.example:9092
store:
  address: http://store.example:8123
\`\`\`
`;

export const clientConfigPage: ConfigPage = { name: "client-configuration", schema: clientSchema, head };
