/**
 * A blocklist or allowlist on disk, reloaded when it has changed; the last good version stays when it becomes invalid.
 */
import { readFile, stat } from "node:fs/promises";
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import { readPrefixList } from "../../../../lib/measuring/probing/prefix-list.ts";
import type { Prefix } from "../../../../lib/net/ip/prefix.ts";
import { listFileBytesMax } from "../limits.ts";

export class ListFile {
  readonly #path: string;
  #prefixes: readonly Prefix[] = [];
  /** Stamp of the file last read, good or bad. */
  #stamp = "";

  private constructor(path: string) {
    this.#path = path;
  }

  /** Rejects with an Error that names file, line and reason: a gateway does not start without its lists. */
  static async open(path: string): Promise<ListFile> {
    const file = new ListFile(path);
    await file.read();
    return file;
  }

  get prefixes(): readonly Prefix[] {
    return this.#prefixes;
  }

  /** Reads it if it has changed; true = it had. Rejects once for each bad state of the file. */
  async readIfChanged(): Promise<boolean> {
    const stamp = await stampOf(this.#path);
    if (stamp === this.#stamp) {
      return false;
    }
    await this.read();
    return true;
  }

  /** Makes the next `readIfChanged` read it in any case. */
  forget(): void {
    this.#stamp = "";
  }

  /** Rejects, and keeps the current list, when the file is bad. */
  async read(): Promise<void> {
    this.#stamp = await stampOf(this.#path);
    const result = readPrefixList(await textOf(this.#path));
    if (!result.ok) {
      throw new Error(`Cannot use the list ${this.#path}: ${result.problems.join("; ")}`);
    }
    this.#prefixes = result.prefixes;
  }
}

/** Changes with the file's content; also for a missing file. */
async function stampOf(path: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return "missing";
  }
}

async function textOf(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > listFileBytesMax) {
      throw new Error(`it has ${size} bytes, more than ${listFileBytesMax}`);
    }
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new Error(`Cannot read the list ${path}: ${systemReason(cause)}`, { cause });
  }
}
