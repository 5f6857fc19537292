/** The coordination server's configuration and access rules, from the exchange's settings. */
import { compileTemplate } from "../../lib/templates/template.ts";
import config from "../../templates/headscale/config.yaml.eta" with { type: "text" };
import policy from "../../templates/headscale/policy.hujson.eta" with { type: "text" };
import type { ExchangeSettings } from "./settings.ts";

const renderConfig = compileTemplate(config);
const renderPolicy = compileTemplate(policy);

/** Path of the rules at the coordination server. */
const policyFile = "/etc/headscale/policy.hujson";

interface HeadscaleConf {
  readonly config: string;
  readonly policy: string;
}

/** Null when the settings have no VPN. Any JSON string is a YAML string too. */
export function headscaleConf({ vpn }: ExchangeSettings): HeadscaleConf | null {
  if (vpn === undefined) {
    return null;
  }
  const values = {
    serverUrl: JSON.stringify(vpn.server_url),
    issuer: JSON.stringify(vpn.issuer),
    clientId: JSON.stringify(vpn.client_id),
    clientSecretFile: JSON.stringify(vpn.client_secret_file),
    baseDomain: JSON.stringify(vpn.base_domain),
    policyFile,
  };
  return {
    config: renderConfig(values),
    policy: renderPolicy({
      tag: vpn.exchange_tag,
      internetRange: vpn.internet_range,
      statusPort: vpn.status_port,
    }),
  };
}
