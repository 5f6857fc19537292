/**
 * Follows a file of MRT that BIRD writes (`mrtdump`): what is there, then what is added. A replaced file is
 * read to its end first; a truncated one is read from the start, which is a gap.
 */
import { type FSWatcher, watch } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { bgpMessageOf, eventsOfRecord, isMessageRecord } from "../../../lib/net/bgp/mrt-message.ts";
import { MalformedRoutes, type RouteEvent } from "../../../lib/net/bgp/route-event.ts";
import type { MrtSource } from "./config.ts";
import type { DamagedRoutes } from "./damaged-routes.ts";
import type { FilePosition } from "./kept-entries.ts";
import { fileLookMs, mrtRecordBytesMax } from "./limits.ts";

const headBytes = 12;
const pieceBytes = 1024 * 1024;

interface FollowerParts {
  readonly source: MrtSource;
  /** Where an earlier run has stopped; null = from the start. */
  readonly from: FilePosition | null;
  /** `raw`: the BGP message that the event was in; null = it was in none. */
  readonly received: (event: RouteEvent, raw: Uint8Array | null) => void;
  /** Receives malformed UPDATEs, and attributes that are left out. */
  readonly damage: Pick<DamagedRoutes, "malformed" | "discarded">;
  /** After the events of what was read. */
  readonly read: (position: FilePosition) => void;
  /** Called when messages between those read before and the next ones are missing. */
  readonly missed: (reason: string) => void;
  readonly room: () => Promise<void>;
}

export class MrtFollower {
  readonly counts = { records: 0, broken: 0, other: 0, discarded: 0 };
  readonly #parts: FollowerParts;
  #handle: FileHandle | null = null;
  #inode = 0;
  #offset = 0;
  #rest = Buffer.alloc(0);
  /** Damage in the middle of a file: nothing after it can be read. */
  #isStuck = false;
  #wake: () => void = () => {};

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  get file(): string {
    return this.#parts.source.file;
  }

  get isStuck(): boolean {
    return this.#isStuck;
  }

  async run(stop: AbortSignal): Promise<void> {
    const watcher = this.#watch();
    stop.addEventListener("abort", () => this.#wake(), { once: true });
    try {
      while (!stop.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#wake = resolve;
        await this.#look();
        const timer = setTimeout(resolve, fileLookMs);
        await promise;
        clearTimeout(timer);
      }
    } finally {
      watcher?.close();
      await this.#handle?.close();
    }
  }

  /** The folder: the file may not be there yet, or be replaced. Without it polling finds all. */
  #watch(): FSWatcher | null {
    try {
      return watch(dirname(this.file), () => this.#wake()).on("error", () => {});
    } catch {
      return null;
    }
  }

  async #look(): Promise<void> {
    await this.#readOn();
    const there = await stat(this.file).catch(() => null);
    if (there === null) {
      return;
    }
    if (this.#handle === null || there.ino !== this.#inode) {
      await this.#open(there.ino, there.size);
    } else if (there.size < this.#offset) {
      this.#begin(this.#inode, 0);
      this.#parts.missed("the file of MRT was cut");
    } else {
      return;
    }
    await this.#readOn();
  }

  async #open(inode: number, size: number): Promise<void> {
    const { from, missed } = this.#parts;
    const isFirst = this.#handle === null;
    await this.#handle?.close();
    this.#handle = await open(this.file, "r").catch(() => null);
    const isSame = isFirst && from !== null && from.inode === inode && from.offset <= size;
    this.#begin(inode, isSame ? from.offset : 0);
    if (isFirst && from !== null && !isSame) {
      missed("the file of MRT was replaced while the collector was not running");
    }
  }

  #begin(inode: number, offset: number): void {
    this.#inode = inode;
    this.#offset = offset;
    this.#rest = Buffer.alloc(0);
    this.#isStuck = false;
  }

  async #readOn(): Promise<void> {
    while (this.#handle !== null && !this.#isStuck) {
      const piece = Buffer.alloc(pieceBytes);
      const { bytesRead } = await this.#handle.read(piece, 0, pieceBytes, this.#offset + this.#rest.length);
      if (bytesRead === 0) {
        return;
      }
      this.#rest = Buffer.concat([this.#rest, piece.subarray(0, bytesRead)]);
      const taken = this.#takeRecords();
      if (taken > 0) {
        this.#offset += taken;
        this.#rest = this.#rest.subarray(taken);
        this.#parts.read({ file: this.file, inode: this.#inode, offset: this.#offset });
      }
      await this.#parts.room();
    }
  }

  /** Bytes of the whole records that were there. */
  #takeRecords(): number {
    let at = 0;
    while (this.#rest.length - at >= headBytes) {
      const length = this.#rest.readUInt32BE(at + 8);
      if (length > mrtRecordBytesMax) {
        this.#isStuck = true;
        this.#parts.missed(`the file of MRT is damaged at byte ${this.#offset + at}`);
        return at;
      }
      if (at + headBytes + length > this.#rest.length) {
        return at;
      }
      this.#take(this.#rest.subarray(at, at + headBytes + length));
      at += headBytes + length;
    }
    return at;
  }

  #take(bytes: Buffer): void {
    const record = {
      timeSec: bytes.readUInt32BE(0),
      type: bytes.readUInt16BE(4),
      subtype: bytes.readUInt16BE(6),
      body: bytes.subarray(headBytes),
    };
    this.counts.records++;
    if (!isMessageRecord(record)) {
      this.counts.other++;
      return;
    }
    let events: readonly RouteEvent[] = [];
    try {
      events = eventsOfRecord(record, (damage, peer) => {
        this.counts.discarded++;
        this.#parts.damage.discarded(this.#parts.source.router, damage, peer);
      });
    } catch (error) {
      if (!(error instanceof RangeError)) {
        throw error;
      }
      this.counts.broken++;
      if (error instanceof MalformedRoutes) {
        this.#parts.damage.malformed(this.#parts.source.router, error);
      }
    }
    const raw = events.length === 0 ? null : bgpMessageOf(record);
    for (const event of events) {
      this.#parts.received(event, raw);
    }
  }
}
