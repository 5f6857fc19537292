/** Route events in a file: MRT updates of route collectors and BIRD, or a stream of BMP as routers send it. */
import { eventsOfRecord, isMessageRecord } from "../../lib/bgp/mrt-message.ts";
import type { RouteEvent } from "../../lib/bgp/route-event.ts";
import { bmpMessages } from "../../lib/bmp/messages.ts";
import { BmpSession } from "../../lib/bmp/session.ts";
import { DataFileError } from "../../lib/context/data-file-error.ts";
import { mrtRecords } from "../../lib/context/mrt/mrt-records.ts";
import { behind, unpacked } from "../context/unpacked.ts";

interface FileCounts {
  events: number;
  /** MRT records of other kinds: tables, other protocols. */
  otherRecords: number;
}

const bmpVersion = 3;

/**
 * Packed by gzip or bzip2, or as it is; which kind a file is shows in its first byte.
 *
 * @param counts counts what was read, and what was passed over
 * @throws DataFileError with the place and the reason
 */
export async function* routeEvents(path: string, counts: FileCounts): AsyncGenerator<RouteEvent> {
  const chunks = unpacked(path, () => {});
  const first = await chunks.next();
  const all = behind(first.value ?? new Uint8Array(0), chunks);
  const events = first.value?.[0] === bmpVersion ? bmpEvents(all) : mrtEvents(all, counts);
  for await (const event of events) {
    counts.events++;
    yield event;
  }
}

async function* mrtEvents(chunks: AsyncIterable<Uint8Array>, counts: FileCounts): AsyncGenerator<RouteEvent> {
  for await (const record of mrtRecords(chunks)) {
    if (isMessageRecord(record)) {
      yield* placed(record.byteOffset, () => eventsOfRecord(record));
    } else {
      counts.otherRecords++;
    }
  }
}

async function* bmpEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<RouteEvent> {
  const session = new BmpSession();
  let byteOffset = 0;
  try {
    for await (const messages of bmpMessages(chunks)) {
      for (const message of messages) {
        yield* session.take(message);
        byteOffset += message.length;
      }
    }
  } catch (cause) {
    throw damaged(byteOffset, cause);
  }
}

function placed(byteOffset: number, read: () => RouteEvent[]): RouteEvent[] {
  try {
    return read();
  } catch (cause) {
    throw damaged(byteOffset, cause);
  }
}

function damaged(byteOffset: number, cause: unknown): unknown {
  return cause instanceof RangeError
    ? new DataFileError(`byte ${byteOffset}`, cause.message, { cause })
    : cause;
}
