/** Commands that maintain installed services. Each is loaded when it is called. */
import type { CommandEntry } from "../lib/command/command/table.ts";

export const upkeepCommands: readonly CommandEntry[] = [
  {
    name: "backup",
    purpose: "copy all that this machine keeps, while it is in use",
    load: () => import("./operator/backup/main.ts"),
  },
  {
    name: "restore",
    purpose: "restore a backup into empty places",
    load: () => import("./operator/backup/restore-main.ts"),
  },
  {
    name: "upgrade",
    purpose: "show what an upgrade would change, before it is done",
    load: () => import("./operator/upgrade/main.ts"),
  },
  {
    name: "health",
    purpose: "check the health of a service, for container engines and monitoring",
    load: () => import("./operator/health/main.ts"),
  },
  {
    name: "install-service",
    purpose: "install a service as a unit of systemd",
    load: () => import("./operator/install-service/main.ts"),
  },
];
