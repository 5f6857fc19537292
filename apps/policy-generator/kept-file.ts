/** A file that outlasts this process: read whole, replaced whole, for nobody else on this machine. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** It says who has leased what, and from where. */
const fileMode = 0o600;

export class KeptFile {
  readonly #path: string | null;
  readonly #beside: string;
  #writing: Promise<void> = Promise.resolve();

  /** `path`: null = nothing is kept. `writer`: another one who may write it at the same time has another name. */
  constructor(path: string | null, writer: string) {
    this.#path = path;
    this.#beside = `${path}.${writer}`;
  }

  /** Empty when there is none, or none that can be read. */
  async read(): Promise<string> {
    return this.#path === null ? "" : await readFile(this.#path, "utf8").catch(() => "");
  }

  /** One at a time. Throws a system error when there is no room, or no right, to write. */
  write(text: string): Promise<void> {
    const writing = this.#writing.then(() => this.#write(text));
    this.#writing = writing.catch(() => undefined);
    return writing;
  }

  async #write(text: string): Promise<void> {
    if (this.#path === null) {
      return;
    }
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    await writeFile(this.#beside, text, { mode: fileMode, flush: true });
    await rename(this.#beside, this.#path);
  }
}
