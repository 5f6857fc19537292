/**
 * A folder that is created completely or not at all: its files are written into `DIR.partial`, with the SHA-256 of
 * each, and that is renamed at the end.
 */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "../../../../lib/base/failure/outage.ts";
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";

/** The manifest of the other files, in the format of `sha256sum --check`. */
export const manifestName = "SHA256SUMS";

export class FrozenFolder implements Disposable {
  readonly path: string;
  readonly #partial: string;
  readonly #sums = new Map<string, string>();
  #isWhole = false;

  /** Throws CommandError when the name exists, or an unfinished export into it. */
  constructor(path: string) {
    this.path = path;
    this.#partial = `${path}.partial`;
    if (entriesOf(path) > 0) {
      throw cannot(`Cannot export to ${path}: it is there, and not empty; name another folder`);
    }
    this.#try(this.#partial, () => mkdirSync(dirname(path), { recursive: true }));
    try {
      mkdirSync(this.#partial);
    } catch (error) {
      throw cannot(
        codeOf(error) === "EEXIST"
          ? `Cannot export to ${path}: ${this.#partial} is there, of an export that still runs or was killed; remove it`
          : `Cannot export to ${path}: ${systemReason(error)}`,
      );
    }
  }

  /** Streams a file; resolves to its temporary path. Rejects like the pieces. */
  async add(
    name: string,
    pieces: AsyncIterable<Uint8Array>,
    onBytes: (bytes: number) => void,
  ): Promise<string> {
    const path = join(this.#partial, name);
    const hash = new Bun.CryptoHasher("sha256");
    const fd = this.#try(name, () => {
      mkdirSync(dirname(path), { recursive: true });
      return openSync(path, "wx");
    });
    try {
      for await (const piece of pieces) {
        hash.update(piece);
        this.#try(name, () => writeAll(fd, piece));
        onBytes(piece.length);
      }
      this.#try(name, () => fsyncSync(fd));
    } finally {
      closeSync(fd);
    }
    this.#sums.set(name, hash.digest("hex"));
    return path;
  }

  addText(name: string, text: string): void {
    this.#try(name, () => writeFileSync(join(this.#partial, name), text, { flag: "wx", flush: true }));
    this.#sums.set(name, new Bun.CryptoHasher("sha256").update(text).digest("hex"));
  }

  /** Writes the manifest, and renames the folder. */
  finish(): void {
    const lines = [...this.#sums]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, sum]) => `${sum}  ${name}\n`);
    this.#try(manifestName, () => {
      writeFileSync(join(this.#partial, manifestName), lines.join(""), { flag: "wx", flush: true });
      renameSync(this.#partial, this.path);
    });
    this.#isWhole = true;
  }

  /** Removes an incomplete folder. */
  [Symbol.dispose](): void {
    if (!this.#isWhole) {
      rmSync(this.#partial, { recursive: true, force: true });
    }
  }

  #try<Result>(name: string, write: () => Result): Result {
    try {
      return write();
    } catch (error) {
      throw cannot(`Cannot export to ${this.path}: ${name}: ${systemReason(error)}`);
    }
  }
}

/** 1 for a file. */
function entriesOf(path: string): number {
  try {
    return readdirSync(path).length;
  } catch (error) {
    return codeOf(error) === "ENOENT" ? 0 : 1;
  }
}

/** A nearly full disk may write a part. */
function writeAll(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(fd, bytes, written);
  }
}
