/**
 * Probes on disk between reading and publishing: nothing is published before all of them have been checked.
 *
 * The file holds what the broker will: messages of 48 bytes, one after another (lib/wire/probe-codec.ts), so a record
 * is a slice of it. A client's spool has no name, so that its space is given back whatever ends the process; a
 * gateway's has one, so that what was accepted outlives the process.
 */

import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../failure/failure.ts";
import { systemReason } from "../failure/system-reason.ts";
import type { Probe } from "../packet/probe.ts";
import { encodeProbeInto, probeMessageBytes } from "../wire/probe-codec.ts";
import { spoolBufferBytesMax, spoolBufferBytesMin } from "./limits.ts";

export class ProbeSpool implements Disposable {
  /** The file's descriptor: the spool owns and closes it. */
  readonly file: number;
  readonly #shownName: string;
  /** Whole messages only. */
  #buffer = new Uint8Array(wholeMessages(spoolBufferBytesMin));
  #buffered = 0;
  #written: number;

  /** `probes` are already in the file; messages call it `shownName`. */
  constructor(file: number, shownName: string, probes = 0) {
    this.file = file;
    this.#shownName = shownName;
    this.#written = probes * probeMessageBytes;
  }

  /** An unlinked file in this folder. Throws Failure `submission` `spool`. */
  static nameless(folder: string): ProbeSpool {
    try {
      const own = mkdtempSync(join(folder, "vantage-spool-"));
      try {
        return new ProbeSpool(openSync(join(own, "probes"), "wx+", 0o600), folder);
      } finally {
        rmSync(own, { recursive: true });
      }
    } catch (error) {
      throw spoolError(`Cannot spool probes in ${folder}`, error);
    }
  }

  get probes(): number {
    return (this.#written + this.#buffered) / probeMessageBytes;
  }

  /** Throws Failure `submission` `spool` when the disk takes no more. */
  append(probe: Probe): void {
    if (this.#buffered === this.#buffer.length) {
      this.#makeRoom();
    }
    const message = this.#buffer.subarray(this.#buffered, this.#buffered + probeMessageBytes);
    message.fill(0);
    encodeProbeInto(probe, message);
    this.#buffered += probeMessageBytes;
  }

  /** Whole messages (lib/wire/probe-codec.ts). Throws Failure `submission` `spool`. */
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

  /** To be called before reading. Throws Failure `submission` `spool`. */
  flush(): void {
    try {
      for (let from = 0; from < this.#buffered; ) {
        from += writeSync(this.file, this.#buffer, from, this.#buffered - from, this.#written + from);
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
    const wanted = Math.min(count * probeMessageBytes, this.#written - first * probeMessageBytes);
    let bytes = 0;
    while (bytes < wanted) {
      const got = readSync(this.file, into, bytes, wanted - bytes, first * probeMessageBytes + bytes);
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
    closeSync(this.file);
  }

  /** The first buffer is small because most measurements are; the next one has the full size. */
  #makeRoom(): void {
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
