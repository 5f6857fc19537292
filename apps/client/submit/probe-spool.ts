/**
 * Probes on disk between reading and publishing: nothing is published before every line has been checked.
 *
 * The file holds what the broker will: messages of 48 bytes, one after another (lib/wire/probe-codec.ts), so a record
 * is a slice of it. It loses its name at once: whatever ends the process, its space is given back.
 */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Probe } from "../../../lib/packet/probe.ts";
import { encodeProbeInto, probeMessageBytes } from "../../../lib/wire/probe-codec.ts";
import { ClientError, systemReason } from "../failure.ts";
import { readBytes } from "../limits.ts";

export class ProbeSpool implements Disposable {
  readonly #folder: string;
  readonly #file: number;
  /** Whole messages only. */
  readonly #buffer = new Uint8Array(Math.floor(readBytes / probeMessageBytes) * probeMessageBytes);
  #buffered = 0;
  #written = 0;

  /** Makes the file in this folder. Throws ClientError. */
  constructor(folder: string) {
    this.#folder = folder;
    try {
      const own = mkdtempSync(join(folder, "vantage-spool-"));
      try {
        this.#file = openSync(join(own, "probes"), "wx+", 0o600);
      } finally {
        rmSync(own, { recursive: true });
      }
    } catch (error) {
      throw new ClientError(`Cannot spool probes in ${folder}: ${systemReason(error)} (see: --spool-dir)`);
    }
  }

  get probes(): number {
    return (this.#written + this.#buffered) / probeMessageBytes;
  }

  /** Throws ClientError when the disk takes no more. */
  append(probe: Probe): void {
    const message = this.#buffer.subarray(this.#buffered, this.#buffered + probeMessageBytes);
    message.fill(0);
    encodeProbeInto(probe, message);
    this.#buffered += probeMessageBytes;
    if (this.#buffered === this.#buffer.length) {
      this.flush();
    }
  }

  /** To be called before reading. Throws ClientError. */
  flush(): void {
    try {
      for (let from = 0; from < this.#buffered; ) {
        from += writeSync(this.#file, this.#buffer, from, this.#buffered - from, this.#written + from);
      }
    } catch (error) {
      const at = `${this.probes} probes of ${probeMessageBytes} bytes`;
      throw new ClientError(
        `Cannot spool probes in ${this.#folder}: ${systemReason(error)}, after ${at} (see: --spool-dir)`,
      );
    }
    this.#written += this.#buffered;
    this.#buffered = 0;
  }

  /** The messages of `count` probes from `first` on, fewer at the end, in `into`, which must have room for them. */
  read(first: number, count: number, into: Uint8Array): Uint8Array {
    const wanted = Math.min(count * probeMessageBytes, this.#written - first * probeMessageBytes);
    let bytes = 0;
    while (bytes < wanted) {
      const got = readSync(this.#file, into, bytes, wanted - bytes, first * probeMessageBytes + bytes);
      if (got === 0) {
        throw new ClientError(`Cannot read back the spool in ${this.#folder}: it ends early`);
      }
      bytes += got;
    }
    return into.subarray(0, Math.max(0, wanted));
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}
