/** `vantage exchange render`: writes the files of the settings into a folder. */
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileTemplate } from "../../../lib/base/templates/template.ts";
import { feedPorts } from "../../../lib/peering/policy/feed-ports.ts";
import { rejectAll } from "../../../lib/peering/policy/policy.ts";
import { policyText } from "../../../lib/peering/policy/policy-text.ts";
import headscaleTemplate from "../../../templates/headscale/config.yaml.eta" with { type: "text" };
import accessTemplate from "../../../templates/headscale/policy.hujson.eta" with { type: "text" };
import { exchangeConf } from "./exchange-conf.ts";
import type { ExchangeSettings } from "./settings.ts";

const renderConfig = compileTemplate(headscaleTemplate);
const renderAccess = compileTemplate(accessTemplate);

/** Path of the access rules at the coordination server. */
const accessFile = "/etc/headscale/policy.hujson";

export const birdFile = "bird.conf";
export const policyFile = "peering_generated.conf";

/** They may hold passwords. */
const fileMode = 0o640;

/** Gives a line for each file that was written. Throws a system error. */
export function writeFiles(settings: ExchangeSettings, folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  const wanted = renderFiles(settings).filter(
    ({ name, isFirstOnly }) => !(isFirstOnly && existsSync(join(folder, name))),
  );
  return wanted.map(({ name, text }) => {
    const path = join(folder, name);
    writeFileSync(`${path}.new`, text, { mode: fileMode });
    renameSync(`${path}.new`, path);
    return `wrote ${path}`;
  });
}

interface RenderedFile {
  readonly name: string;
  readonly text: string;
  /** Only the first version: later ones come from another program. */
  readonly isFirstOnly: boolean;
}

/** Every file made from the settings, by its name in the folder. */
export function renderFiles(settings: ExchangeSettings): RenderedFile[] {
  const headscale = headscaleConf(settings);
  const ours = (name: string, text: string): RenderedFile => ({ name, text, isFirstOnly: false });
  return [
    ours(birdFile, exchangeConf(settings)),
    // BIRD does not start without it.
    { name: policyFile, text: policyText(rejectAll).text, isFirstOnly: true },
    ...(headscale === null
      ? []
      : [ours("headscale.yaml", headscale.config), ours("headscale-policy.hujson", headscale.policy)]),
  ];
}

interface HeadscaleConf {
  readonly config: string;
  readonly policy: string;
}

/**
 * The coordination server's configuration and access rules; null when the settings have no VPN. Any JSON string is a
 * YAML string too.
 */
function headscaleConf({ vpn }: ExchangeSettings): HeadscaleConf | null {
  if (vpn === undefined) {
    return null;
  }
  const values = {
    serverUrl: JSON.stringify(vpn.server_url),
    issuer: JSON.stringify(vpn.issuer),
    clientId: JSON.stringify(vpn.client_id),
    clientSecretFile: JSON.stringify(vpn.client_secret_file),
    baseDomain: JSON.stringify(vpn.base_domain),
    policyFile: accessFile,
  };
  return {
    config: renderConfig(values),
    policy: renderAccess({
      tag: vpn.exchange_tag,
      internetRange: vpn.internet_range,
      ports: [...Object.values(feedPorts), vpn.status_port].join(","),
    }),
  };
}
