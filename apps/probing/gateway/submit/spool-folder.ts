/**
 * Accepted probes on disk until they are published, in the gateway's own folder: a slot for a small measurement
 * (spool-slots.ts), a file for any other.
 *
 *   at            bytes  what
 *   0             48 n   probe messages (lib/engines/submission/probe-spool.ts)
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
import { checkRoom } from "../../../../lib/base/disk/check-room.ts";
import { ownPlace, ProbeSpool, type SpoolPlace } from "../../../../lib/engines/submission/probe-spool.ts";
import { probeMessageBytes } from "../../../../lib/net/wire/probe-codec.ts";
import { SpoolSlots } from "./spool-slots.ts";

const suffix = ".probes";
const syncFile = promisify(fdatasync);
const syncNames = promisify(fsync);
const unlink = promisify(unlinkFile);

export class SpoolFolder implements Disposable {
  readonly #folder: string;
  /** The folder itself, to be synced. */
  readonly #file: number;
  readonly #slots: SpoolSlots;
  readonly #bytesMax: number;
  /** Bytes of files and of bodies being read. */
  #bytes = 0;

  /** Creates a missing folder. */
  constructor(folder: string, bytesMax: number) {
    this.#folder = folder;
    this.#bytesMax = bytesMax;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#file = openSync(folder, "r");
    this.#slots = new SpoolSlots(join(folder, "slots"));
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

  /** Rejects when the disk is full or cannot be written. */
  checkRoom(): Promise<void> {
    return checkRoom(this.#folder);
  }

  /** Gets a file when it is too large for a slot. */
  create(measurementId: string): ProbeSpool {
    return new ProbeSpool(() => ownPlace(openSync(this.#path(measurementId), "wx+", 0o600)), this.#folder);
  }

  /** Resolves when the probes are on disk (fsync). Rejects with Failure `submission` `spool`. */
  async sync(measurementId: string, spool: ProbeSpool): Promise<void> {
    const slot = spool.isPlaced ? null : this.#slots.take(measurementId, spool.probes * probeMessageBytes);
    if (slot !== null) {
      spool.putIn(slot);
      spool.flush();
      await this.#slots.sync();
      return;
    }
    spool.flush();
    await syncFile(spool.place.file);
    // The directory entry must be on disk, too.
    await syncNames(this.#file);
  }

  /** Opens an existing file; null when it is missing, or shorter than it was. */
  reopen(measurementId: string, probes: number): ProbeSpool | null {
    const place = this.#slots.find(measurementId) ?? this.#fileOf(measurementId);
    if (place === null) {
      return null;
    }
    const spool = new ProbeSpool(() => place, this.#folder, probes);
    spool.putIn(place);
    if (readSync(place.file, new Uint8Array(1), 0, 1, place.at + probes * probeMessageBytes - 1) === 1) {
      return spool;
    }
    spool[Symbol.dispose]();
    return null;
  }

  /** A file that cannot be removed now is removed at the next start. */
  async remove(measurementId: string): Promise<void> {
    if (this.#slots.remove(measurementId)) {
      return;
    }
    await unlink(this.#path(measurementId)).catch(() => {});
  }

  /** Measurements that have a file or a slot. */
  list(): string[] {
    const files = readdirSync(this.#folder).filter((name) => name.endsWith(suffix));
    return [...files.map((name) => name.slice(0, -suffix.length)), ...this.#slots.ids];
  }

  [Symbol.dispose](): void {
    this.#slots[Symbol.dispose]();
    closeSync(this.#file);
  }

  #fileOf(measurementId: string): SpoolPlace | null {
    try {
      return ownPlace(openSync(this.#path(measurementId), "r+"));
    } catch {
      return null;
    }
  }

  #path(measurementId: string): string {
    return join(this.#folder, `${measurementId}${suffix}`);
  }
}

/** Notes how many probes are acknowledged. Not synced: after a power cut, some records are published again. */
export function writeProgress(spool: ProbeSpool, publishedProbes: number): void {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(publishedProbes), true);
  writeSync(spool.place.file, bytes, 0, bytes.length, progressAt(spool));
}

export function readProgress(spool: ProbeSpool): number {
  const bytes = new Uint8Array(8);
  const read = readSync(spool.place.file, bytes, 0, bytes.length, progressAt(spool));
  const published = read === bytes.length ? Number(new DataView(bytes.buffer).getBigUint64(0, true)) : 0;
  return Math.min(published, spool.probes);
}

function progressAt({ place, probes }: ProbeSpool): number {
  return place.progressAt ?? place.at + probes * probeMessageBytes;
}
