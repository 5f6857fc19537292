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

/** An example for each service, as comments: nothing is configured until somebody does it. dpkg keeps changes. */
export function configFiles(): PackageFile[] {
  return services
    .filter(({ as }) => as === null)
    .flatMap((service) => {
      const path = configOf(service);
      return path === null
        ? []
        : [{ path, text: service.config === "env" ? ingesterExample : example(service) }];
    });
}

const ingesterExample = `# For systemd (EnvironmentFile): docs/operate/many-machines.md
# BROKER=kafka:kafka.example:9093
# STORE=@/etc/vantage/store-address
# OPTIONS=--listen=127.0.0.1:8090
`;

/** The example of the page about the service's keys. */
function example(service: Service): string {
  const page = configurationPages.find(({ name }) => name === `${service.name}-configuration`);
  const [, yaml] = /```yaml\n([\s\S]*?)```/.exec(page?.head ?? "") ?? [];
  if (yaml === undefined) {
    throw new Error(`Cannot make a package: no page of docs has an example for the ${service.name}`);
  }
  const lines = [
    `An example; all keys: docs/reference/${service.name}-configuration.md`,
    ...yaml.trimEnd().split("\n"),
  ];
  return lines.map((line) => `# ${line}\n`).join("");
}

interface ControlFacts {
  readonly version: string;
  readonly architecture: string;
  readonly installedKb: number;
}

export function controlText({ version, architecture, installedKb }: ControlFacts): string {
  return `Package: vantage
Version: ${version}
Architecture: ${architecture}
Maintainer: The Vantage authors <authors@vantage.invalid>
Installed-Size: ${installedKb}
Depends: libc6 (>= 2.31)
Recommends: libpcap0.8, iproute2
Suggests: bird2, systemd
Section: net
Priority: optional
Description: platform for Internet measurement and BGP experiments
 One executable: agents that send traceroute- and ping-style probes, gateways
 for measurements and for leases of prefixes, a broker, a column store, and the
 policy of an exchange server. Services have units and users of their own; none
 is started until it is enabled.
`;
}

/** Users first; files that may hold secrets are their service's. A running service goes on until it is restarted. */
export function afterInstall(): string {
  const users = services.filter(({ as }) => as === null);
  const lines = users.flatMap((service) => {
    const path = configOf(service);
    const group = service.group ?? unitName(service);
    return path === null ? [] : [`own ${group} ${path}`];
  });
  return `#!/bin/sh
set -e
own() {
  if [ -e "$2" ] && [ "$(stat -c %U:%G "$2")" = root:root ] && getent group "$1" >/dev/null; then
    chgrp "$1" "$2"
    chmod 640 "$2"
  fi
}
if [ "$1" = configure ]; then
  if command -v systemd-sysusers >/dev/null; then
    systemd-sysusers ${users.map((service) => `${unitName(service)}.conf`).join(" ")}
  else
    echo "vantage: there is no systemd-sysusers here: make the users of services yourself" >&2
  fi
  ${lines.join("\n  ")}
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
  echo "vantage: /var/lib/vantage stays, with all that services have kept"
fi
`;
}
