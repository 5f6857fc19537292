/** docs/reference/agent-configuration.md, made by `npm run generate`. */
import { agentConfigSchema } from "../../../apps/probing/agent/config/config-schema.ts";
import type { ConfigPage } from "./keys-page.ts";

const head = `# Configuration of an agent

Made from \`apps/probing/agent/config/config-schema.ts\` by \`npm run generate\`; do not edit.

\`vantage agent --config FILE\` reads one YAML file. A key that is not in the table is refused with its line; so is
a value that cannot be used. \`caracat\` is another name of \`prober\`.

Each key can be set from the environment: \`VANTAGE_\` and the key in capitals, two underscores between levels, the
place in a list as a number: \`VANTAGE_AGENT__ID=west\`, \`VANTAGE_PROBER__0__PROBING_RATE=1000\`, lists with commas.
\`SAIMIRIS__AGENT__ID\` means the same. With \`_FILE\` behind the name it is the file that holds the value:
\`VANTAGE_KAFKA__AUTH_SASL_PASSWORD_FILE=/run/secrets/kafka\`. The environment wins over the file. For keys of
\`prober\`, \`0\` and \`""\` mean the default.

\`\`\`yaml
agent:
  id: west
  anycast_peers: [east:1]
prober:
  - name: anycast
    instance_id: 1
    interface: eth0
    src_ipv6_prefix: 2001:db8:a::/48
    probing_rate: 1000
  - name: unicast
    instance_id: 2
    interface: eth0
    src_ipv4_prefix: 192.0.2.64/26
    src_ipv6_prefix: 2001:db8:f000::/48
gateway:
  url: https://gateway.example
  enrolment_key: given-by-the-operator
kafka:
  brokers: broker.example:9092
\`\`\`
`;

export const agentConfigPage: ConfigPage = { name: "agent-configuration", schema: agentConfigSchema, head };
