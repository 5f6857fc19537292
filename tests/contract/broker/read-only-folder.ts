/**
 * Makes an existing folder read-only, and writable again, while files in it are open: by the immutable flag of the
 * files and of the folder, which the kernel holds even root and open files to. Needs root and a disk that knows it
 * (ext4, xfs, btrfs; not the overlay of a container).
 *
 * SQLite's shared memory (`-shm`) is left out: it is mapped, no disk failure would come from there.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";

export class ReadOnlyFolder implements AsyncDisposable {
  readonly #paths: readonly string[];

  private constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  /** Until it is disposed of. */
  static async make(folder: string): Promise<ReadOnlyFolder> {
    const files = readdirSync(folder).filter((name) => !name.endsWith("-shm"));
    const made = new ReadOnlyFolder([folder, ...files.map((name) => join(folder, name))]);
    await made.#set("+i");
    return made;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#set("-i");
  }

  async #set(flag: "+i" | "-i"): Promise<void> {
    const child = Bun.spawn(["chattr", "-f", flag, ...this.#paths], { stdin: "ignore", stderr: "inherit" });
    if ((await child.exited) !== 0) {
      throw new Error(`Cannot set ${flag} on ${this.#paths[0]}: its disk does not know immutable files`);
    }
  }
}
