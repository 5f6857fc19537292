/** The text of a service's unit (systemd.service(5), systemd.exec(5); tried with systemd 252) and of its user. Pure. */
import type { Service } from "./services.ts";

export interface UnitPaths {
  /** Absolute. */
  readonly executable: string;
  readonly config: string;
}

export function unitName({ name }: Service): string {
  return `vantage-${name}`;
}

/** The service whose user, state folder and configuration it uses. */
export function ownerName({ name, as }: Service): string {
  return as ?? name;
}

export function stateFolder(service: Service): string {
  return `/var/lib/vantage/${ownerName(service)}`;
}

/** For systemd-sysusers: a user without password, shell or home, of the same name as the unit. */
export function userText(service: Service): string {
  const name = `vantage-${ownerName(service)}`;
  const member = service.group === null ? [] : [`g ${service.group} -`, `m ${name} ${service.group}`];
  return [`u ${name} - "Vantage ${ownerName(service)}"`, ...member, ""].join("\n");
}

export function unitText(service: Service, place: UnitPaths): string {
  const sections = [
    [
      "[Unit]",
      `Description=${service.purpose}`,
      "Wants=network-online.target",
      "After=network-online.target",
    ],
    [
      ...service.unit,
      "# Retries without limit: its dependencies may come back late.",
      "StartLimitIntervalSec=0",
    ],
    ["", "[Service]", "Type=exec", ...identity(service), ...execution(service, place), ...service.service],
    ["", ...privileges(service), ...hardening],
    ["", "[Install]", "WantedBy=multi-user.target", ""],
  ];
  const text = sections.flat().join("\n");
  return text.replaceAll("{state}", stateFolder(service)).replaceAll("{config}", place.config);
}

function identity(service: Service): string[] {
  const { group } = service;
  const name = ownerName(service);
  // Group-readable files where another program reads them, else private.
  const umask = group === null ? "0077" : "0027";
  return [
    `User=vantage-${name}`,
    `Group=${group ?? `vantage-${name}`}`,
    `UMask=${umask}`,
    `StateDirectory=vantage/${name}`,
    "StateDirectoryMode=0700",
  ];
}

function execution({ command, reloads }: Service, { executable }: UnitPaths): string[] {
  return [
    `ExecStart=${executable} ${command}`,
    ...(reloads ? ["ExecReload=/bin/kill -HUP $MAINPID"] : []),
    "Restart=on-failure",
    "RestartSec=5",
    "# Restarting does not repair a bad configuration.",
    "RestartPreventExitStatus=2",
    "TimeoutStopSec=30",
    "LimitNOFILE=65536",
  ];
}

function privileges({ capabilities, addressFamilies }: Service): string[] {
  const names = capabilities.map((name) => `CAP_${name}`).join(" ");
  return [
    `CapabilityBoundingSet=${names}`,
    `AmbientCapabilities=${names}`,
    `RestrictAddressFamilies=${addressFamilies.join(" ")}`,
  ];
}

/** Not MemoryDenyWriteExecute: JavaScript is compiled while it runs. */
const hardening: readonly string[] = [
  "NoNewPrivileges=yes",
  "ProtectSystem=strict",
  "ProtectHome=yes",
  "ProtectClock=yes",
  "ProtectControlGroups=yes",
  "ProtectHostname=yes",
  "ProtectKernelLogs=yes",
  "ProtectKernelModules=yes",
  "ProtectKernelTunables=yes",
  "ProtectProc=invisible",
  "PrivateDevices=yes",
  "PrivateTmp=yes",
  "RemoveIPC=yes",
  "RestrictNamespaces=yes",
  "RestrictRealtime=yes",
  "RestrictSUIDSGID=yes",
  "LockPersonality=yes",
  "SystemCallArchitectures=native",
  "SystemCallFilter=@system-service",
  "SystemCallErrorNumber=EPERM",
];
