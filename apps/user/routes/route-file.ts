/** Route events in a file: MRT updates of route collectors and BIRD, or a stream of BMP as routers send it. */

import { upToCut } from "../../../lib/base/list/cut-short.ts";
import { begun } from "../../../lib/base/list/first-bytes.ts";
import { PassedOver } from "../../../lib/base/list/passed-over.ts";
import { fileWords, recordChunks } from "../../../lib/command/command/file-chunks.ts";
import { DataFileError } from "../../../lib/measuring/context/data-file-error.ts";
import { mrtRecords } from "../../../lib/measuring/context/mrt/mrt-records.ts";
import { eventsOfRecord, isMessageRecord } from "../../../lib/net/bgp/mrt-message.ts";
import type { Damage } from "../../../lib/net/bgp/read-attributes.ts";
import { MalformedRoutes, type RouteEvent } from "../../../lib/net/bgp/route-event.ts";
import { messageKind } from "../../../lib/net/bmp/message.ts";
import { bmpMessages } from "../../../lib/net/bmp/messages.ts";
import { BmpSession } from "../../../lib/net/bmp/session.ts";

/** MRT begins with a time, which has none of these as its first byte after 1970. BMP has version 3, 4 is a draft. */
const bmpVersions: ReadonlySet<number | undefined> = new Set([1, 2, 3, 4]);

/** Reads files, and counts what it skips. */
export class RouteFiles {
  /** Messages and changes of state that were read. */
  messages = 0;
  /** MRT records of other kinds: tables, other protocols. */
  otherRecords = 0;
  readonly passedOver = new PassedOver();
  #file = "";
  /** Messages of the files before this one. */
  #messagesBefore = 0;

  /**
   * Packed by gzip or bzip2, or as it is; which kind a file is shows in its first byte.
   *
   * @throws DataFileError with the place and the reason, CommandError when it cannot be opened
   */
  async *events(path: string): AsyncGenerator<RouteEvent> {
    this.#file = fileWords(path);
    this.#messagesBefore = this.messages;
    const { first, all } = await begun(recordChunks(path), () => true);
    if (first.length === 0) {
      throw new DataFileError("the whole file", "it is empty");
    }
    yield* bmpVersions.has(first[0]) ? this.#bmp(all) : this.#mrt(all);
  }

  async *#mrt(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<RouteEvent> {
    for await (const record of mrtRecords(chunks, (odd) => this.#note(odd))) {
      const { byteOffset } = record;
      if (isMessageRecord(record)) {
        yield* this.#read(byteOffset, () =>
          eventsOfRecord(
            record,
            (damage) => this.#leftOut(byteOffset, damage),
            () => this.#noteFamily(byteOffset),
          ),
        );
      } else {
        this.otherRecords++;
      }
    }
  }

  async *#bmp(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<RouteEvent> {
    let byteOffset = 0;
    const session = new BmpSession(
      (damage) => this.#leftOut(byteOffset, damage),
      () => this.#noteFamily(byteOffset),
    );
    try {
      const onCut = (_: number, reason: string) => this.#lose(byteOffset, new RangeError(reason));
      for await (const messages of bmpMessages(upToCut(chunks, onCut))) {
        for (const message of messages) {
          const reason = unreadKind(message);
          if (reason === null) {
            yield* this.#read(byteOffset, () => session.take(message));
          } else {
            this.#note({ reason, place: `byte ${byteOffset}`, isDamage: false });
          }
          byteOffset += message.length;
        }
      }
    } catch (cause) {
      if (!(cause instanceof RangeError)) {
        throw cause;
      }
      this.#lose(byteOffset, cause);
    }
  }

  /** Messages of BMP have no mark from which reading could continue. */
  #lose(byteOffset: number, cause: RangeError): void {
    if (this.messages === this.#messagesBefore) {
      throw new DataFileError(`byte ${byteOffset}`, cause.message, { cause });
    }
    const [reason, place] = ["rest of a file that is cut or damaged", `byte ${byteOffset}`];
    this.#note({ reason, place, detail: cause.message, isDamage: true });
  }

  #noteFamily(byteOffset: number): void {
    const reason = "UPDATE with routes of other families than IPv4 and IPv6 unicast";
    this.#note({ reason, place: `byte ${byteOffset}`, isDamage: false });
  }

  #note(odd: Parameters<PassedOver["note"]>[0]): void {
    this.passedOver.note({ ...odd, place: `${this.#file}, ${odd.place}` });
  }

  /** What cannot be read is counted: the next record has a head of its own. */
  #read(byteOffset: number, read: () => RouteEvent[]): RouteEvent[] {
    try {
      const events = read();
      this.messages++;
      return events;
    } catch (cause) {
      if (!(cause instanceof RangeError)) {
        throw cause;
      }
      const [reason, place] = [reasonOf(cause), `byte ${byteOffset}`];
      this.#note({ reason, place, detail: cause.message, isDamage: true });
      return [];
    }
  }

  #leftOut(byteOffset: number, { attribute, reason: detail }: Damage): void {
    const reason = `attribute ${attribute ?? ""} that is malformed`;
    this.#note({ reason, place: `byte ${byteOffset}`, detail, isDamage: true, fate: "left out" });
  }
}

function reasonOf(cause: RangeError): string {
  if (!(cause instanceof MalformedRoutes)) {
    return "record that cannot be read";
  }
  const { attribute } = cause.damage;
  return attribute === null ? "malformed UPDATE" : `malformed UPDATE (${attribute})`;
}

/** Null = it is read. */
function unreadKind(message: Uint8Array): string | null {
  const kind = messageKind(message);
  if (kind === null) {
    return `BMP message of the unknown type ${message[5] ?? 0}`;
  }
  return kind === "statistics" || kind === "mirror" ? `BMP message of ${kind}` : null;
}
