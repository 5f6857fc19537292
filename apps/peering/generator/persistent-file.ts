/** A state file that outlives this process: read and replaced as a whole, readable by its owner only. */
import { readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makePrivateFolder } from "../../../lib/base/disk/private-folder.ts";

/** It holds users' leases and addresses. */
const fileMode = 0o600;

export class PersistentFile {
  readonly #path: string | null;
  readonly #beside: string;
  #writing: Promise<void> = Promise.resolve();
  #written = "";

  /** `path`: null = nothing is stored. `writer`: distinguishes concurrent writers. */
  constructor(path: string | null, writer: string) {
    this.#path = path;
    this.#beside = `${path}.${writer}`;
  }

  /** Empty when it is missing or unreadable. */
  async read(): Promise<string> {
    return this.#path === null ? "" : await readFile(this.#path, "utf8").catch(() => "");
  }

  /** One at a time. Throws a system error when there is no room or no permission to write. */
  write(text: string): Promise<void> {
    const writing = this.#writing.then(() => this.#write(text));
    this.#writing = writing.catch(() => undefined);
    return writing;
  }

  /** As `write`, and only when this process has not written the same last: what is quiet writes nothing. */
  async writeNew(text: string): Promise<void> {
    if (text !== this.#written) {
      await this.write(text);
      this.#written = text;
    }
  }

  async #write(text: string): Promise<void> {
    if (this.#path === null) {
      return;
    }
    makePrivateFolder(dirname(this.#path));
    await writeFile(this.#beside, text, { mode: fileMode, flush: true });
    await rename(this.#beside, this.#path);
  }
}
