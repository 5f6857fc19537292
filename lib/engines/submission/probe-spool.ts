/**
 * Probes on disk between reading and publishing: nothing is published before all of them have been checked.
 *
 * The file holds what the broker will: messages of 48 bytes, one after another (lib/net/wire/probe-codec.ts), so a
 * record is a slice of it. A client's spool has no name, so that its space is freed however the process ends; a
 * gateway's has one, so that accepted probes outlive the process.
 */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../base/failure/failure.ts";
import { systemReason } from "../../base/failure/system-reason.ts";
import type { Probe } from "../../net/packet/probe.ts";
import { encodeProbeInto, probeMessageBytes } from "../../net/wire/probe-codec.ts";
import { spoolBufferBytesMax, spoolBufferBytesMin, spoolHeldBytesMax } from "./limits.ts";

/** Where the probes of a spool lie. */
export interface SpoolPlace {
  readonly file: number;
  /** Offset of the first probe. */
  readonly at: number;
  /** Offset of the count of probes that the broker has; null = behind the probes. */
  readonly progressAt: number | null;
  /** Called once, when the spool no longer needs it. */
  close(): void;
}

/** A file of its own, which the spool closes. */
export function ownPlace(file: number): SpoolPlace {
  return { file, at: 0, progressAt: null, close: () => closeSync(file) };
}

export class ProbeSpool implements Disposable {
  readonly #find: () => SpoolPlace;
  #place: SpoolPlace | null = null;
  readonly #shownName: string;
  /** Whole messages only. */
  #buffer = new Uint8Array(wholeMessages(spoolBufferBytesMin));
  #buffered = 0;
  #written: number;

  /**
   * `find` is called when a place is needed; `probes` = probes already there; `shownName` is for messages.
   */
  constructor(find: () => SpoolPlace, shownName: string, probes = 0) {
    this.#find = find;
    this.#shownName = shownName;
    this.#written = probes * probeMessageBytes;
  }

  /** An unlinked file in this folder. Throws Failure `submission` `spool`. */
  static nameless(folder: string): ProbeSpool {
    try {
      const own = mkdtempSync(join(folder, "vantage-spool-"));
      try {
        const place = ownPlace(openSync(join(own, "probes"), "wx+", 0o600));
        const spool = new ProbeSpool(() => place, folder);
        spool.putIn(place);
        return spool;
      } finally {
        rmSync(own, { recursive: true });
      }
    } catch (error) {
      throw spoolError(`Cannot spool probes in ${folder}`, error);
    }
  }

  get place(): SpoolPlace {
    this.#place ??= this.#find();
    return this.#place;
  }

  /** Whether it has a place; until then it holds all probes in memory, `spoolHeldBytesMax` at most. */
  get isPlaced(): boolean {
    return this.#place !== null;
  }

  /** Call it only while there is no place yet. */
  putIn(place: SpoolPlace): void {
    this.#place = place;
  }

  get probes(): number {
    return (this.#written + this.#buffered) / probeMessageBytes;
  }

  /** Throws Failure `submission` `spool` when the disk is full. */
  append(probe: Probe): void {
    if (this.#buffered === this.#buffer.length) {
      this.#makeRoom();
    }
    const message = this.#buffer.subarray(this.#buffered, this.#buffered + probeMessageBytes);
    message.fill(0);
    encodeProbeInto(probe, message);
    this.#buffered += probeMessageBytes;
  }

  /** Whole messages (lib/net/wire/probe-codec.ts). Throws Failure `submission` `spool`. */
  appendMessages(messages: Uint8Array): void {
    for (let from = 0; from < messages.length; ) {
      if (this.#buffered === this.#buffer.length) {
        this.#makeRoom();
      }
      const part = messages.subarray(from, from + this.#buffer.length - this.#buffered);
      this.#buffer.set(part, this.#buffered);
      this.#buffered += part.length;
      from += part.length;
    }
  }

  /** Call it before reading. Throws Failure `submission` `spool`. */
  flush(): void {
    try {
      const { file, at } = this.place;
      for (let from = 0; from < this.#buffered; ) {
        from += writeSync(file, this.#buffer, from, this.#buffered - from, at + this.#written + from);
      }
    } catch (error) {
      const after = `after ${this.probes} probes of ${probeMessageBytes} bytes`;
      throw spoolError(`Cannot spool probes in ${this.#shownName}`, error, after);
    }
    this.#written += this.#buffered;
    this.#buffered = 0;
  }

  /** The messages of `count` probes from `first` on, fewer at the end, in `into`, which must have room for them. */
  read(first: number, count: number, into: Uint8Array): Uint8Array {
    const { file, at } = this.place;
    const wanted = Math.min(count * probeMessageBytes, this.#written - first * probeMessageBytes);
    let bytes = 0;
    while (bytes < wanted) {
      const got = readSync(file, into, bytes, wanted - bytes, at + first * probeMessageBytes + bytes);
      if (got === 0) {
        throw new Failure(
          "submission",
          "spool",
          `Cannot read back the spool in ${this.#shownName}: it ends early`,
        );
      }
      bytes += got;
    }
    return into.subarray(0, Math.max(0, wanted));
  }

  [Symbol.dispose](): void {
    this.#place?.close();
  }

  /** The first buffer is small because most measurements are; the next holds those that need no place yet. */
  #makeRoom(): void {
    if (this.#written === 0 && this.#buffer.length < spoolHeldBytesMax) {
      const larger = new Uint8Array(wholeMessages(spoolHeldBytesMax));
      larger.set(this.#buffer);
      this.#buffer = larger;
      return;
    }
    this.flush();
    const bytes = wholeMessages(spoolBufferBytesMax);
    if (this.#buffer.length < bytes) {
      this.#buffer = new Uint8Array(bytes);
    }
  }
}

function wholeMessages(bytes: number): number {
  return Math.floor(bytes / probeMessageBytes) * probeMessageBytes;
}

function spoolError(what: string, cause: unknown, after?: string): Failure<"submission"> {
  const where = after === undefined ? "" : `, ${after}`;
  return new Failure("submission", "spool", `${what}: ${systemReason(cause)}${where}`, { cause });
}
