/** docs/reference/peering-gateway-configuration.md, made by `npm run generate`. */
import { gatewayConfigSchema } from "../../../apps/peering/gateway/config-schema.ts";
import type { ConfigPage } from "./keys-page.ts";

const head = `# Configuration of the peering gateway

Made from \`apps/peering/gateway/config-schema.ts\` by \`npm run generate\`; do not edit.

\`vantage peering-gateway --config FILE\` reads one YAML file. A pool of prefixes and a key for subjects must be given;
every other key may be left out. A key that is not in the table is refused with its line; so is a value that cannot be
used. \`--check\` says what a configuration means, and does not start.

Each key can be set from the environment: \`VANTAGE_\` and the key in capitals, two underscores between levels, lists
with commas: \`VANTAGE_SUBJECTS__KEYS=2026-01-31-c0de:…\`. With \`_FILE\` behind the name it is the file that holds the
value: \`VANTAGE_DATABASE__ADDRESS_FILE=/run/secrets/database\`. The environment wins over the file.

\`\`\`yaml
gateway:
  address: 0.0.0.0:8094
database:
  address: postgres://vantage@db.example/peering
oidc:
  issuer: https://login.example.net/
  audiences: [https://vantage.example.net]
leases:
  pool: [2001:db8:1000::/40, 2001:db8:1::/48]     # or pool_file
subjects:
  keys_file: /etc/vantage/subject-keys            # made by: vantage peering-gateway --make-key
email:
  provider: auth0
  url: https://login.example.net
  client_id: management
  client_secret_file: /etc/vantage/auth0-secret
service:
  keys:
    - name: exchange-1
      key_sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
rpki:
  mode: lease
  adapter: local
  origin_asn: 64500
\`\`\`
`;

export const gatewayConfigPage: ConfigPage = {
  name: "peering-gateway-configuration",
  schema: gatewayConfigSchema,
  head,
};
