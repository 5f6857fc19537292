/**
 * Warnings that many requests can trigger: one line at once, then one line per interval, so that a flood does not fill
 * the disk.
 */
import type { LogFields, Logger } from "./log.ts";

/** Between two lines of one kind: often enough to see how long it lasts. */
const quietMs = 10_000;

interface Kind {
  /** Since the last line. */
  count: number;
  fields: LogFields;
}

export class SampledWarnings {
  readonly #log: Logger;
  readonly #quietMs: number;
  /** Kinds that were logged within the interval. */
  readonly #kinds = new Map<string, Kind>();

  constructor(log: Logger, quiet = quietMs) {
    this.#log = log;
    this.#quietMs = quiet;
  }

  /**
   * `kind`: a short stable word. The line has the fields of the last warning, and the `count` of all of them.
   *
   * @param of what has lines of its own within the kind, as a peer; few of them
   */
  warn(kind: string, message: string, fields: LogFields, of = ""): void {
    const key = `${kind} ${of}`;
    const known = this.#kinds.get(key);
    if (known !== undefined) {
      known.count++;
      known.fields = fields;
      return;
    }
    this.#log.warn(message, { ...fields, code: kind, count: 1 });
    this.#kinds.set(key, { count: 0, fields });
    this.#wait(kind, key, message);
  }

  #wait(kind: string, key: string, message: string): void {
    setTimeout(() => {
      const found = this.#kinds.get(key);
      if (found === undefined || found.count === 0) {
        this.#kinds.delete(key);
        return;
      }
      this.#log.warn(message, { ...found.fields, code: kind, count: found.count });
      found.count = 0;
      this.#wait(kind, key, message);
    }, this.#quietMs).unref();
  }
}
