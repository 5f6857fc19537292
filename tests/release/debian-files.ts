/** Files of the Debian package besides the program: units, users, configuration, and what dpkg runs. Pure. */
import { type Service, services } from "../../apps/operator/install-service/services.ts";
import { ownerName, unitName, unitText, userText } from "../../apps/operator/install-service/unit.ts";
import { configurationPages } from "../reference/configuration.ts";

interface PackageFile {
  /** Absolute, where it is installed. */
  readonly path: string;
  readonly text: string;
}

const executable = "/usr/bin/vantage";

function configOf(service: Service): string | null {
  return service.config === null ? null : `/etc/vantage/${ownerName(service)}.${service.config}`;
}

/** Units, none of which is enabled, and the users that they run as. */
export function serviceFiles(): PackageFile[] {
  return services.flatMap((service) => {
    const place = { executable, config: configOf(service) ?? "/etc/vantage/none" };
    const unit = {
      path: `/usr/lib/systemd/system/${unitName(service)}.service`,
      text: unitText(service, place),
    };
    const user = { path: `/usr/lib/sysusers.d/${unitName(service)}.conf`, text: userText(service) };
    return service.as === null ? [unit, user] : [unit];
  });
}

const examplesFolder = "/usr/share/doc/vantage/examples";

/**
 * An example for each service. They are not conffiles: dpkg would ask about every change to them once a configuration
 * has taken their place.
 */
export function exampleFiles(): PackageFile[] {
  return services
    .filter(({ as, config }) => as === null && config !== null)
    .map((service) => ({
      path: `${examplesFolder}/${ownerName(service)}.${service.config}`,
      text: service.config === "env" ? ingesterExample : example(service),
    }));
}

const ingesterExample = `# For systemd (EnvironmentFile): docs/operate/many-machines.md
BROKER=kafka:kafka.example:9093
STORE=@/etc/vantage/store-address
OPTIONS=--listen=127.0.0.1:8090
`;

/** The example of the page about the service's keys. */
function example(service: Service): string {
  const page = configurationPages.find(({ name }) => name === `${service.name}-configuration`);
  const [, yaml] = /```yaml\n([\s\S]*?)```/.exec(page?.head ?? "") ?? [];
  if (yaml === undefined) {
    throw new Error(`Cannot make a package: no page of docs has an example for the ${service.name}`);
  }
  return `# All keys: docs/reference/${service.name}-configuration.md\n${yaml.trimEnd()}\n`;
}

/** In the form of deb-changelog(5); what has changed is in the file that it names. */
export function changelogText(version: string, madeAtSec: number): string {
  const date = new Date(madeAtSec * 1000).toUTCString().replace("GMT", "+0000");
  return `vantage (${version}) stable; urgency=medium

  * Release ${version}: see /usr/share/doc/vantage/CHANGELOG.md.gz.

 -- ${maintainer}  ${date}
`;
}

/** In the form of copyright-format 1.0. */
export const copyrightText = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: vantage
Comment: What is built in, with the licence of each part: /usr/share/doc/vantage/vantage.cdx.json (CycloneDX).

Files: *
Copyright: 2026 The Vantage authors
License: Apache-2.0
 On Debian systems, the text of the Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0.
`;

/** What lintian takes for a mistake, each with its reason. */
export const lintianOverrides = `# Bun keeps our program behind its own code, in one file: strip would remove it.
vantage: unstripped-binary-or-object *usr/lib/vantage/vantage*
# Parts of Bun and of ClickHouse, which both bring their own; vantage.cdx.json names them.
vantage: embedded-library *
# The library is as its maker built it, with the hash that bun.lock has. Its folder is on no other machine.
vantage: custom-library-search-path *usr/lib/vantage/libchdb.so*
`;

const maintainer = "The Vantage authors <authors@vantage.invalid>";

interface ControlFacts {
  readonly version: string;
  readonly architecture: string;
  readonly installedKb: number;
}

export function controlText({ version, architecture, installedKb }: ControlFacts): string {
  return `Package: vantage
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${installedKb}
Depends: libc6 (>= 2.31)
Recommends: libpcap0.8, iproute2, openssl
Suggests: bird2, systemd
Section: net
Priority: optional
Description: platform for Internet measurement and BGP experiments
 One executable: agents that send traceroute- and ping-style probes, gateways
 for measurements and for leases of prefixes, a broker, a column store, and the
 policy of an exchange server. Services have units and users of their own; none
 is started until it is enabled. "vantage setup" configures a machine.
`;
}

/** A running service continues until it is restarted. */
export function afterInstall(): string {
  const users = services.filter(({ as }) => as === null);
  return `#!/bin/sh
set -e
if [ "$1" = configure ]; then
  if command -v systemd-sysusers >/dev/null; then
    systemd-sysusers ${users.map((service) => `${unitName(service)}.conf`).join(" ")}
  else
    echo "vantage: there is no systemd-sysusers here: make the users of services yourself" >&2
  fi
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
  fi
fi
`;
}

export function beforeRemoval(): string {
  const units = services.map((service) => `${unitName(service)}.service`).join(" ");
  return `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl disable --now ${units} || true
fi
`;
}

/** State stays, also after a purge: results, accounts and keys are in no package. */
export function afterRemoval(): string {
  return `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
if [ "$1" = purge ] && [ -d /var/lib/vantage ]; then
  echo "vantage: /var/lib/vantage stays, with all that services have kept, and what you have in /etc/vantage"
fi
`;
}
