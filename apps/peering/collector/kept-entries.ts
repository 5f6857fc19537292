/**
 * Entries of the kept routes (`kept-routes.ts`) as bytes that only grow, and where the updates of a key lie in them:
 * the same bytes go to the file and to the broker. Memory is used again after `clear`.
 */
import type { RouteUpdate } from "../../../lib/net/wire/route-update.ts";
import { UpdateMessages } from "../../../lib/net/wire/update-messages.ts";
import { runBytes } from "./limits.ts";

export const headBytes = 12;
export const kinds = { update: 1, published: 2, position: 3 } as const;

/** How far a file was read; `inode` changes when another is put in its place. */
export interface FilePosition {
  readonly file: string;
  readonly inode: number;
  readonly offset: number;
}

/** Messages of one key, one after another. */
interface Run {
  readonly key: string;
  readonly start: number;
  end: number;
}

const utf8 = new TextEncoder();
const space = 0x20;

export class KeptEntries {
  readonly runs: Run[] = [];
  /** The number of updates. */
  updates = 0;
  readonly #messages = new UpdateMessages();
  /** The last one, while it may continue. */
  #open: Run | null = null;

  get length(): number {
    return this.#messages.length;
  }

  /** Valid until the next entry is added. */
  get bytes(): Uint8Array {
    return this.#messages.bytes.subarray(0, this.#messages.length);
  }

  clear(): void {
    this.runs.length = 0;
    this.updates = 0;
    this.#messages.clear();
    this.#open = null;
  }

  /** Updates without path ids share an entry, up to a limit. */
  addUpdate(key: string, pathId: number | null, update: RouteUpdate): void {
    const run = this.#runFor(key, pathId);
    this.#messages.add(update);
    this.updates++;
    this.#end(run);
  }

  /** Messages that were written before. */
  addMessages(key: string, pathId: number | null, messages: Uint8Array, count: number): void {
    const run = this.#runFor(key, pathId);
    const at = this.#messages.room(messages.length);
    this.#messages.bytes.set(messages, at);
    this.updates += count;
    this.#end(run);
  }

  addPosition({ file, inode, offset }: FilePosition): void {
    const text = utf8.encode(JSON.stringify({ file, inode, offset }));
    const head = this.#head(kinds.position);
    const at = this.#messages.room(text.length);
    // Spaces up to the next whole word mean nothing in JSON.
    this.#messages.bytes.fill(space, at, this.length).set(text, at);
    this.#setU32(head, this.length - at);
  }

  /** Marks that the broker has all entries before. */
  addPublished(): void {
    this.#head(kinds.published);
  }

  #runFor(key: string, pathId: number | null): Run {
    const open = this.#open;
    if (open !== null && open.key === key && pathId === null && open.end - open.start < runBytes) {
      return open;
    }
    const head = this.#head(kinds.update);
    if (pathId !== null) {
      this.#messages.bytes[head + 5] = 1;
      this.#setU32(head + 8, pathId);
    }
    const run = { key, start: this.#messages.length, end: this.#messages.length };
    this.runs.push(run);
    this.#open = pathId === null ? run : null;
    return run;
  }

  #end(run: Run): void {
    run.end = this.#messages.length;
    this.#setU32(run.start - headBytes, run.end - run.start);
  }

  #head(kind: number): number {
    this.#open = null;
    const at = this.#messages.room(headBytes);
    this.#messages.bytes[at + 4] = kind;
    return at;
  }

  #setU32(at: number, value: number): void {
    const { bytes } = this.#messages;
    bytes[at] = value;
    bytes[at + 1] = value >>> 8;
    bytes[at + 2] = value >>> 16;
    bytes[at + 3] = value >>> 24;
  }
}
