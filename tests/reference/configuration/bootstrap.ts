/** docs/reference/bootstrap-configuration.md, made by `npm run generate`. */
import { bootstrapSchema } from "../../../apps/peering/bootstrap/config-schema.ts";
import type { ConfigPage } from "./keys-page.ts";

const head = `# Configuration of a user's side

Made from \`apps/peering/bootstrap/config-schema.ts\` by \`npm run generate\`; do not edit.
What it is for: bootstrap.md.

\`vantage bootstrap run -c FILE\` reads one YAML file; without \`-c\`, the environment alone. A key that is not in the
table is refused with its line; so is a value that cannot be used. Each key can be set from the environment:
\`VANTAGE_BOOTSTRAP_\` and the key in capitals, two underscores between levels, as
\`VANTAGE_BOOTSTRAP_PLATFORM__ASN=64500\`. What is yours is of the environment only: \`USER_ASN\`, your ASN, and
\`USER_PREFIXES\`, what you announce (nothing, a /48, or several with commas).

\`\`\`yaml
platform:
  asn: 64500
\`\`\`
`;

export const bootstrapConfigPage: ConfigPage = {
  name: "bootstrap-configuration",
  schema: bootstrapSchema,
  head,
};
