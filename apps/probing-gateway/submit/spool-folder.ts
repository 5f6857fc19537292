/**
 * Accepted probes on disk until the broker has them: one file for each measurement, in the gateway's own folder.
 *
 *   at            bytes  what
 *   0             48 n   probe messages (lib/submission/probe-spool.ts)
 *   48 n          8      probes that the broker has acknowledged, unsigned, little endian; absent = 0
 *
 * A file without a row in the database belongs to a submission that was never accepted.
 */

import {
  closeSync,
  fdatasync,
  fsync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  unlink as unlinkFile,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkRoom } from "../../../lib/disk/check-room.ts";
import { Failure } from "../../../lib/failure/failure.ts";
import { systemReason } from "../../../lib/failure/system-reason.ts";
import { ProbeSpool } from "../../../lib/submission/probe-spool.ts";
import { probeMessageBytes } from "../../../lib/wire/probe-codec.ts";

const suffix = ".probes";
const syncFile = promisify(fdatasync);
const syncNames = promisify(fsync);
const unlink = promisify(unlinkFile);

export class SpoolFolder implements Disposable {
  readonly #folder: string;
  /** The folder itself, to be synced. */
  readonly #file: number;
  readonly #bytesMax: number;
  /** Bytes of files and of bodies being read. */
  #bytes = 0;

  /** Makes the folder when it is missing. */
  constructor(folder: string, bytesMax: number) {
    this.#folder = folder;
    this.#bytesMax = bytesMax;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#file = openSync(folder, "r");
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Reserves room for more bytes; false when there is not enough. */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.#bytesMax) {
      return false;
    }
    this.#bytes += bytes;
    return true;
  }

  /** Reserves without a limit, for measurements accepted under an earlier limit. */
  takeAnyway(bytes: number): void {
    this.#bytes += bytes;
  }

  give(bytes: number): void {
    this.#bytes -= bytes;
  }

  /** Rejects when its disk is full, or cannot be written. */
  checkRoom(): Promise<void> {
    return checkRoom(this.#folder);
  }

  /** Throws Failure `submission` `spool`. */
  create(measurementId: string): ProbeSpool {
    try {
      return new ProbeSpool(openSync(this.#path(measurementId), "wx+", 0o600), this.#folder);
    } catch (cause) {
      throw new Failure(
        "submission",
        "spool",
        `Cannot spool probes in ${this.#folder}: ${systemReason(cause)}`,
        {
          cause,
        },
      );
    }
  }

  /** Resolves when the probes outlive the machine. */
  async sync(spool: ProbeSpool): Promise<void> {
    spool.flush();
    await syncFile(spool.file);
    // The name has to outlive it too.
    await syncNames(this.#file);
  }

  /** Opens an existing file; null when it is missing, or shorter than it was. */
  reopen(measurementId: string, probes: number): ProbeSpool | null {
    let file: number;
    try {
      file = openSync(this.#path(measurementId), "r+");
    } catch {
      return null;
    }
    const spool = new ProbeSpool(file, this.#folder, probes);
    if (readSync(file, new Uint8Array(1), 0, 1, probes * probeMessageBytes - 1) === 1) {
      return spool;
    }
    spool[Symbol.dispose]();
    return null;
  }

  /** A file that cannot be removed now is removed at the next start. */
  async remove(measurementId: string): Promise<void> {
    await unlink(this.#path(measurementId)).catch(() => {});
  }

  /** Measurements that have a file. */
  list(): string[] {
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith(suffix))
      .map((name) => name.slice(0, -suffix.length));
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }

  #path(measurementId: string): string {
    return join(this.#folder, `${measurementId}${suffix}`);
  }
}

/** Notes how many probes the broker has. Not synced: after a power cut, some records are published again. */
export function writeProgress(spool: ProbeSpool, publishedProbes: number): void {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(publishedProbes), true);
  writeSync(spool.file, bytes, 0, bytes.length, spool.probes * probeMessageBytes);
}

export function readProgress(spool: ProbeSpool): number {
  const bytes = new Uint8Array(8);
  const read = readSync(spool.file, bytes, 0, bytes.length, spool.probes * probeMessageBytes);
  const published = read === bytes.length ? Number(new DataView(bytes.buffer).getBigUint64(0, true)) : 0;
  return Math.min(published, spool.probes);
}
