/**
 * The folder of a run: in memory where root has plenty of it, as tests make and remove thousands of files, and engines
 * wait for a disk; with a place on disk for what is large. Both go with the run.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** With less, files of tests would take the memory that engines need. */
const availableBytesMin = 10 * 2 ** 30;
const memoryBytesMax = 4 * 2 ** 30;
const prefix = "vantage-test-";

export class RunFolder implements Disposable {
  readonly small = makeFolder();
  /** On disk. */
  readonly large: string;

  constructor() {
    removeOfDeadRuns();
    this.large = isMemoryPlenty() && mount(this.small) ? makeFolder() : this.small;
  }

  [Symbol.dispose](): void {
    if (this.large !== this.small) {
      unmount(this.small);
      rmSync(this.large, { recursive: true, force: true });
    }
    rmSync(this.small, { recursive: true, force: true });
  }
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  // Engines that run as users of their own have folders below it.
  chmodSync(folder, 0o711);
  return folder;
}

function isMemoryPlenty(): boolean {
  const [, kb = "0"] = /^MemAvailable: +(\d+) kB$/m.exec(readFileSync("/proc/meminfo", "utf8")) ?? [];
  return process.getuid?.() === 0 && Number(kb) * 1024 >= availableBytesMin;
}

/** Its source names the process, so that a later run knows what a killed one has left. False where it is forbidden. */
function mount(folder: string): boolean {
  const options = `size=${memoryBytesMax},mode=711`;
  return runs(["mount", "-t", "tmpfs", "-o", options, `${prefix}${process.pid}`, folder]);
}

function unmount(folder: string): void {
  runs(["umount", "--lazy", folder]);
}

function removeOfDeadRuns(): void {
  for (const line of readFileSync("/proc/mounts", "utf8").split("\n")) {
    const [source = "", folder = ""] = line.split(" ");
    const pid = new RegExp(`^${prefix}(\\d+)$`).exec(source)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) {
      unmount(folder);
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

function runs(command: readonly string[]): boolean {
  return Bun.spawnSync([...command], { stdout: "ignore", stderr: "ignore" }).exitCode === 0;
}
