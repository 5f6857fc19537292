/** A disk that can be filled up or made read-only: a small tmpfs. Needs root. */
import { mkdtempSync, rmdirSync, unlinkSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class SmallDisk implements AsyncDisposable {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async mount(megabytes: number): Promise<SmallDisk> {
    const folder = mkdtempSync(join(tmpdir(), "vantage-disk-"));
    await run("mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "vantage", folder);
    return new SmallDisk(folder);
  }

  /** Until not one byte is left. */
  async fill(): Promise<void> {
    const path = join(this.folder, "filler");
    for (let bytes = 1024 * 1024; bytes >= 1; bytes >>= 1) {
      try {
        for (;;) {
          await appendFile(path, new Uint8Array(bytes));
        }
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) {
          throw error;
        }
      }
    }
  }

  /** Refused by the kernel while somebody has a file open for writing. */
  async remount(mode: "ro" | "rw"): Promise<void> {
    await run("mount", "-o", `remount,${mode}`, this.folder);
  }

  empty(): void {
    unlinkSync(join(this.folder, "filler"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Lazily: a child that a failed test has left behind must not keep it.
    await run("umount", "--lazy", this.folder);
    rmdirSync(this.folder);
  }
}

async function run(...command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const complaint = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) {
    throw new Error(`Cannot ${command[0]}: ${complaint.trim()}`);
  }
}
