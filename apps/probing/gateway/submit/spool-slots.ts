/**
 * Small submissions on disk: one file of reusable slots. So they need no new file, and concurrent ones share an fsync.
 *
 *   at in a slot  bytes  what
 *   0             40     id of the row, zeros behind it; all zeros = the slot is free
 *   40            8      probes that the broker has acknowledged, unsigned, little endian
 *   64            48 n   probe messages (lib/engines/submission/probe-spool.ts)
 */
import { closeSync, constants, fdatasync, openSync, readSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import { Together } from "../../../../lib/engines/service/together.ts";
import { spoolHeldBytesMax } from "../../../../lib/engines/submission/limits.ts";
import type { SpoolPlace } from "../../../../lib/engines/submission/probe-spool.ts";
import { spoolSlotsMax, submissionsAtOnceMax } from "../limits.ts";

const idBytes = 40;
const headBytes = 64;
const slotBytes = headBytes + spoolHeldBytesMax;
const nothing = new Uint8Array(slotBytes);
const syncFile = promisify(fdatasync);

interface Taken {
  readonly slot: number;
  /** Maximum number of slots. */
  readonly bytes: number;
}

export class SpoolSlots implements Disposable {
  readonly #file: number;
  readonly #slots = new Map<string, Taken>();
  readonly #free: number[];
  readonly #synced: Together<null, void>;

  /** Creates a missing file. */
  constructor(path: string) {
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    const taken = new Set<number>();
    for (let slot = 0; slot < spoolSlotsMax; slot++) {
      const id = this.#idIn(slot);
      if (id !== "") {
        this.#slots.set(id, { slot, bytes: spoolHeldBytesMax });
        taken.add(slot);
      }
    }
    // The first ones last: slots are taken from the end, and the file stays short.
    this.#free = Array.from({ length: spoolSlotsMax }, (_, i) => spoolSlotsMax - 1 - i).filter(
      (slot) => !taken.has(slot),
    );
    this.#synced = new Together({
      asksMax: submissionsAtOnceMax,
      underWayMax: 1,
      answer: async () => {
        await syncFile(this.#file);
        return () => {};
      },
    });
  }

  /** Rows that have a slot. */
  get ids(): string[] {
    return [...this.#slots.keys()];
  }

  /** A slot for so many bytes of this row; null when none is free, or the disk is full. */
  take(id: string, bytes: number): SpoolPlace | null {
    const head = new Uint8Array(headBytes);
    const name = new TextEncoder().encode(id);
    const slot = name.length > idBytes ? undefined : this.#free.pop();
    if (slot === undefined) {
      return null;
    }
    head.set(name);
    try {
      writeSync(this.#file, head, 0, headBytes, slot * slotBytes);
    } catch {
      this.#free.push(slot);
      return null;
    }
    this.#slots.set(id, { slot, bytes });
    return this.#placeOf(slot);
  }

  /** Null = the row has none. */
  find(id: string): SpoolPlace | null {
    const taken = this.#slots.get(id);
    return taken === undefined ? null : this.#placeOf(taken.slot);
  }

  /** Resolves when everything written to slots is on disk (fsync). */
  sync(): Promise<void> {
    return this.#synced.ask(null);
  }

  /** Overwrites the probes, so that none of them remain. False when the row has no slot. */
  remove(id: string): boolean {
    const taken = this.#slots.get(id);
    if (taken === undefined) {
      return false;
    }
    const { slot, bytes } = taken;
    this.#slots.delete(id);
    try {
      writeSync(this.#file, nothing, 0, headBytes + bytes, slot * slotBytes);
    } catch {
      // The next start finds it, and repeats this.
    }
    this.#free.push(slot);
    return true;
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }

  #placeOf(slot: number): SpoolPlace {
    const at = slot * slotBytes;
    return { file: this.#file, at: at + headBytes, progressAt: at + idBytes, close: () => {} };
  }

  #idIn(slot: number): string {
    const name = new Uint8Array(idBytes);
    const read = readSync(this.#file, name, 0, idBytes, slot * slotBytes);
    const end = name.indexOf(0);
    return read === idBytes ? new TextDecoder().decode(end < 0 ? name : name.subarray(0, end)) : "";
  }
}
