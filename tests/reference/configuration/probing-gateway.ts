/** docs/reference/probing-gateway-configuration.md, made by `npm run generate`. */
import { gatewayConfigSchema } from "../../../apps/probing/gateway/config-schema.ts";
import type { ConfigPage } from "./keys-page.ts";

const head = `# Configuration of the probing gateway

Made from \`apps/probing/gateway/config-schema.ts\` by \`npm run generate\`; do not edit.

\`vantage probing-gateway --config FILE\` reads one YAML file; every key may be left out, and without a file everything
is embedded in one folder. A key that is not in the table is refused with its line; so is a value that cannot be used.
\`--check\` says what a configuration means, and does not start.

Each key can be set from the environment: \`VANTAGE_\` and the key in capitals, two underscores between levels, lists
with commas: \`VANTAGE_OIDC__AUDIENCES=a,b\`. With \`_FILE\` behind the name it is the file that holds the value:
\`VANTAGE_DATABASE__ADDRESS_FILE=/run/secrets/database\`. The environment wins over the file. Names under \`kafka\` are
those of an agent's file (agent-configuration.md).

\`\`\`yaml
gateway:
  address: 0.0.0.0:8093
  contact: noc@example.net
database:
  address: postgres://vantage@db.example/probing
kafka:
  brokers: broker.example:9092
store:
  address: http://store.example:8123
oidc:
  issuer: https://login.example.net/
  audiences: [https://vantage.example.net]
\`\`\`

Several gateways share one database when each has a \`state_dir\` of its own. A permanently removed gateway should
be stopped when its metric \`vantage_gateway_spool_bytes\` is 0; what is lost with it expires, and its probes go back
to the users' quota.
`;

export const gatewayConfigPage: ConfigPage = {
  name: "probing-gateway-configuration",
  schema: gatewayConfigSchema,
  head,
};
