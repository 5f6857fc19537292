/**
 * The part files of a backup: content compressed by Zstandard, encrypted if the backup has a key, each with its
 * checksum and that of its content. Memory holds a few chunks, however large a part is.
 */
import { createHash, type Hash } from "node:crypto";
import { copyFileSync, createReadStream, existsSync, linkSync, mkdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress, createZstdDecompress } from "node:zlib";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";
import type { Part } from "./manifest.ts";
import { sealed, unsealed } from "./part-cipher.ts";

type BackupKey = Uint8Array<ArrayBuffer>;

const newline = 10;

export class PartFiles {
  readonly folder: string;
  readonly #key: BackupKey | null;

  /** `key`: null = not encrypted. */
  constructor(folder: string, key: BackupKey | null) {
    this.folder = folder;
    this.#key = key;
  }

  /** Writes a part, on disk when this resolves, then reads it back. `name` is a path below the folder. */
  async write(name: string, content: AsyncIterable<Uint8Array>): Promise<Part> {
    const file = `${name}.zst${this.#key === null ? "" : ".enc"}`;
    const path = join(this.folder, file);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const inside = new Tally();
    const packed = through(inside.of(content), createZstdCompress());
    const outside = new Tally();
    const handle = await open(path, "wx", 0o600);
    try {
      for await (const chunk of outside.of(this.#key === null ? packed : sealed(packed, this.#key))) {
        await handle.writeFile(chunk);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    const part = { file, ...outside.sum(), content: { ...inside.sum(), lines: inside.lines } };
    await this.check(part);
    return part;
  }

  /** Takes a part of another backup with the same key: a second name of the same file where the disk allows it. */
  async link(from: PartFiles, part: Part): Promise<Part> {
    await from.check(part);
    const path = join(this.folder, part.file);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    try {
      linkSync(join(from.folder, part.file), path);
    } catch {
      copyFileSync(join(from.folder, part.file), path);
      await this.check(part);
    }
    return part;
  }

  /** Reads all of a part; rejects with CommandError unless it is what was written. */
  async check(part: Part): Promise<void> {
    for await (const _ of this.read(part)) {
      // Only the end matters: `read` compares there.
    }
  }

  /** The content. Rejects with CommandError, at the end too: what came before is not to be trusted then. */
  async *read(part: Part): AsyncGenerator<Uint8Array, void, undefined> {
    const path = join(this.folder, part.file);
    try {
      if (!existsSync(path)) {
        throw new Error("it is missing");
      }
      const outside = new Tally();
      const stored = outside.of(createReadStream(path) as AsyncIterable<Uint8Array>);
      const packed = this.#key === null ? stored : unsealed(stored, this.#key);
      const inside = new Tally(part.content.bytes);
      yield* inside.of(through(packed, createZstdDecompress()));
      mustEqual(outside.sum().sha256, part.sha256);
      mustEqual(inside.sum().sha256, part.content.sha256);
    } catch (cause) {
      throw cannot(`Cannot use ${path}: ${systemReason(cause)}`, { cause });
    }
  }
}

function mustEqual(found: string, written: string): void {
  if (found !== written) {
    throw new Error(`its SHA-256 is ${found}, the manifest has ${written}: it was changed or damaged`);
  }
}

/** Counts and hashes what passes. */
class Tally {
  lines = 0;
  readonly #hash: Hash = createHash("sha256");
  readonly #bytesMax: number;
  #bytes = 0;

  /** Rejects beyond `bytesMax`: a damaged file must not fill a disk. */
  constructor(bytesMax = Number.POSITIVE_INFINITY) {
    this.#bytesMax = bytesMax;
  }

  async *of(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of content) {
      this.#bytes += chunk.length;
      if (this.#bytes > this.#bytesMax) {
        throw new Error(`it unpacks to more than the ${this.#bytesMax} bytes of the manifest`);
      }
      this.#hash.update(chunk);
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) {
        this.lines++;
      }
      yield chunk;
    }
  }

  /** After the end. */
  sum(): { readonly bytes: number; readonly sha256: string } {
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest("hex") };
  }
}

async function* through(
  content: AsyncIterable<Uint8Array>,
  transform: Transform,
): AsyncGenerator<Uint8Array, void, undefined> {
  // A failure of the source destroys the transform with its error, which the reader gets.
  pipeline(Readable.from(content, { objectMode: false }), transform).catch(() => undefined);
  yield* transform as AsyncIterable<Uint8Array>;
}
