/** Gauges of every service's state folder: free disk space, and the time of the last backup. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { diskRoom } from "../../base/disk/disk-room.ts";
import type { Sight } from "./sight.ts";

/** Touched in the state folder by the program that makes backups, when one is whole: docs/operate/backup.md. */
const backupMark = "backup.done";

export function addDiskGauges(sight: Sight, folder: string): void {
  sight.add({
    part: "disk",
    name: "vantage_disk_free_bytes",
    help: "Room left on the disk of the state folder",
    read: () => [{ value: diskRoom(folder).freeBytes }],
  });
  sight.add({
    part: "disk",
    name: "vantage_disk_size_bytes",
    help: "Size of that disk",
    read: () => [{ value: diskRoom(folder).sizeBytes }],
  });
}

export function addBackupGauge(sight: Sight, folder: string): void {
  sight.add({
    part: "backup",
    name: "vantage_backup_timestamp_seconds",
    help: "When the last backup was marked as done; 0 = never",
    read: () => [
      { value: (statSync(join(folder, backupMark), { throwIfNoEntry: false })?.mtimeMs ?? 0) / 1000 },
    ],
  });
}
