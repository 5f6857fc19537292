/**
 * Arrow streams with the same schema as one stream: of the later ones only the batches of rows.
 *
 * A message is 0xffffffff, the length of its metadata (4 bytes, little endian), the metadata (a Flatbuffer, padded to 8
 * bytes), and a body, whose length the metadata has. A length of 0 ends the stream. Source: Arrow Columnar Format,
 * section IPC streaming format; Message.fbs.
 */

const headBytes = 8;
const continuation = 0xffff_ffff;
/** A value of the union MessageHeader. */
const recordBatch = 3;
const messageFields = { headerType: 1, header: 2, bodyLength: 3 } as const;
const batchFields = { length: 0 } as const;

export class ArrowJoin {
  #isFirst = true;

  /** The bytes that a part adds. Throws a RangeError when it is not an Arrow stream. */
  add(part: Uint8Array): Uint8Array {
    const messages = [...messagesOf(part)];
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    const last = messages.at(-1);
    // The schema comes first, and has no body.
    const begin = isFirst ? 0 : (messages[1]?.begin ?? last?.end ?? 0);
    return part.subarray(begin, last?.end ?? 0);
  }

  end(): Uint8Array {
    return this.#isFirst ? new Uint8Array() : new Uint8Array([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
  }
}

/** Rows of an Arrow stream. Throws a RangeError on other bytes. */
export function arrowRows(bytes: Uint8Array): number {
  return [...messagesOf(bytes)].reduce((sum, { rows }) => sum + rows, 0);
}

interface ArrowMessage {
  readonly begin: number;
  readonly end: number;
  readonly rows: number;
}

function* messagesOf(bytes: Uint8Array): Generator<ArrowMessage, void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; ) {
    if (view.getUint32(at, true) !== continuation) {
      throw new RangeError("The store has not written an Arrow stream");
    }
    const metadataBytes = view.getUint32(at + 4, true);
    if (metadataBytes === 0) {
      return;
    }
    const message = rootOf(view, at + headBytes);
    const bodyAt = message(messageFields.bodyLength);
    const bodyBytes = bodyAt === null ? 0 : Number(view.getBigInt64(bodyAt, true));
    const end = at + headBytes + metadataBytes + bodyBytes;
    if (end > bytes.length) {
      throw new RangeError("An Arrow stream ends too early");
    }
    yield { begin: at, end, rows: rowsOf(view, message) };
    at = end;
  }
}

/** The places of a table's fields in a Flatbuffer; null where it has none. */
type Table = (field: number) => number | null;

function rowsOf(view: DataView, message: Table): number {
  const [typeAt, headerAt] = [message(messageFields.headerType), message(messageFields.header)];
  if (typeAt === null || headerAt === null || view.getUint8(typeAt) !== recordBatch) {
    return 0;
  }
  const lengthAt = tableAt(view, headerAt + view.getUint32(headerAt, true))(batchFields.length);
  return lengthAt === null ? 0 : Number(view.getBigInt64(lengthAt, true));
}

function rootOf(view: DataView, at: number): Table {
  return tableAt(view, at + view.getUint32(at, true));
}

function tableAt(view: DataView, at: number): Table {
  const places = at - view.getInt32(at, true);
  const count = (view.getUint16(places, true) - 4) / 2;
  return (field) => {
    const offset = field < count ? view.getUint16(places + 4 + 2 * field, true) : 0;
    return offset === 0 ? null : at + offset;
  };
}
