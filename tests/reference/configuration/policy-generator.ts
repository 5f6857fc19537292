/** docs/reference/policy-generator-configuration.md, made by `npm run generate`. */
import { generatorSchema } from "../../../apps/peering/generator/config-schema.ts";
import type { ConfigPage } from "./keys-page.ts";

const head = `# Configuration of the policy generator

Made from \`apps/peering/generator/config-schema.ts\` by \`npm run generate\`; do not edit.
What it does: policy-generator.md.

\`vantage policy-generator --config=FILE\` reads one YAML file. A key that is not in the table is refused with its
line; so is a value that cannot be used. Each key can be set from the environment: \`VANTAGE_POLICY_\` and the key in
capitals, two underscores between levels: \`VANTAGE_POLICY_GATEWAY__KEY=…\`; with \`_FILE\` behind the
name it is the file that holds the value. The environment wins over the file.

\`\`\`yaml
generator:
  address: 100.64.0.1:8091        # users of the VPN see their own sessions there
  operator_networks: [127.0.0.0/8, "::1", 100.64.0.1]
gateway:
  url: https://peering.example.net
  key_file: /etc/vantage/service-key
vpn:
  headscale_url: https://vpn.example.net
  headscale_key_file: /etc/vantage/headscale-key
  issuer: https://login.example.net/
platform:
  asn: 64500
\`\`\`
`;

export const generatorConfigPage: ConfigPage = {
  name: "policy-generator-configuration",
  schema: generatorSchema,
  head,
};
