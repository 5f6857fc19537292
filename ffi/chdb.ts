/**
 * One connection to ClickHouse in this process (libchdb). Calls block, so connections live in workers; one
 * connection does one thing at a time, several on one directory run in parallel.
 *
 * Data is inserted by the streaming insert only: an INSERT with its data in the same text ends early at some
 * bytes of binary formats (seen with 26.7.2).
 */
import { CString, type Pointer, ptr, read, toArrayBuffer } from "bun:ffi";
import { cString, type Handle } from "./libc.ts";
import { libchdb } from "./libchdb.ts";

/** Chunk size of an insert: the native side copies each chunk into a queue of its own. */
const appendBytes = 1 << 20;
const utf8 = new TextEncoder();

/**
 * A statement that ClickHouse refused; `number` is ClickHouse's error number ("Code: 60. DB::Exception: …"), 0 when it
 * returned none.
 */
export class ChdbError extends Error {
  override readonly name = "ChdbError";
  readonly number: number;

  constructor(message: string) {
    super(message);
    this.number = Number(/Code: (\d+)/.exec(message)?.[1] ?? 0);
  }
}

export interface ChdbStatement {
  readonly sql: string;
  /** Used where the statement has no FORMAT; for example `JSONEachRow`. */
  readonly format: string;
  /** Values of `{name:Type}`, each in the text form of its type. */
  readonly params: Readonly<Record<string, string>>;
}

export interface ChdbResult {
  readonly bytes: Uint8Array;
  readonly rowsRead: number;
}

export class ChdbConnection {
  readonly #slot: Handle;
  readonly #connection: Handle;

  /**
   * Opens a directory with `--setting=value` arguments. All connections of a process must use one directory.
   */
  constructor(directory: string, settings: Readonly<Record<string, string | number>>) {
    const given = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
    const args = ["clickhouse", `--path=${directory}`, ...given].map(cString);
    const slot = libchdb().chdb_connect(args.length, pointers(args));
    const connection = slot === null ? null : read.ptr(pointer(slot), 0);
    if (slot === null || connection === null || connection === 0) {
      throw new ChdbError(`Cannot open the ClickHouse directory ${directory}`);
    }
    this.#slot = slot;
    this.#connection = connection as Pointer;
  }

  /** Runs a statement to its end and returns the whole result. Throws ChdbError. */
  query(statement: ChdbStatement): ChdbResult {
    const result = this.#call(libchdb().chdb_query_with_params_n, statement);
    try {
      return taken(result);
    } finally {
      libchdb().chdb_destroy_query_result(result);
    }
  }

  /** Runs a query block by block, each as the bytes of its format. Throws ChdbError, also between blocks. */
  *stream(statement: ChdbStatement): Generator<ChdbResult, void, undefined> {
    const chdb = libchdb();
    const stream = this.#call(chdb.chdb_stream_query_with_params_n, statement);
    let isOver = false;
    try {
      throwError(stream);
      for (;;) {
        const chunk = chdb.chdb_stream_fetch_result(this.#connection, stream);
        const block = chunk === null ? null : takenAndDestroyed(chunk);
        if (block === null || block.rowsRead === 0) {
          isOver = true;
          return;
        }
        yield block;
      }
    } finally {
      if (!isOver) {
        chdb.chdb_stream_cancel_query(this.#connection, stream);
      }
      chdb.chdb_destroy_query_result(stream);
    }
  }

  /**
   * Inserts data of one format; `sql` ends before FORMAT. Resolves to rows written, those of views included.
   *
   * Throws ChdbError; then no row of the last block is stored, but rows of earlier blocks may be.
   */
  insert(sql: string, format: string, data: Uint8Array): number {
    const chdb = libchdb();
    const [text, formatText] = [utf8.encode(sql), utf8.encode(format)];
    const stream = chdb.chdb_stream_insert_n(
      this.#connection,
      text,
      text.length,
      formatText,
      formatText.length,
    );
    if (stream === null) {
      throw new ChdbError("Cannot start an insert");
    }
    try {
      throwText(chdb.chdb_stream_insert_error(stream));
      for (let at = 0; at < data.length; at += appendBytes) {
        const piece = data.subarray(at, at + appendBytes);
        // Finishing the stream reports this refusal, with its reason.
        if (chdb.chdb_stream_append(stream, piece, piece.length) !== 0) {
          break;
        }
      }
      return rowsWritten(chdb.chdb_stream_done(stream));
    } finally {
      chdb.chdb_destroy_insert_stream(stream);
    }
  }

  /** Closing the last connection stops the engine: it finishes running work and closes its files. */
  close(): void {
    libchdb().chdb_close_conn(this.#slot);
  }

  #call(
    run: ReturnType<typeof libchdb>["chdb_query_with_params_n"],
    { sql, format, params }: ChdbStatement,
  ): Handle {
    const [text, formatText] = [utf8.encode(sql), utf8.encode(format)];
    const names = Object.keys(params).map(cString);
    const values = Object.values(params).map(cString);
    const result = run(
      this.#connection,
      text,
      text.length,
      formatText,
      formatText.length,
      pointers(names),
      lengths(names),
      pointers(values),
      lengths(values),
      names.length,
    );
    if (result === null) {
      throw new ChdbError("ClickHouse returned no result");
    }
    return result;
  }
}

/** An array of pointers to texts; the caller holds the texts until the call has returned. */
function pointers(texts: readonly Uint8Array[]): BigUint64Array {
  // One more than needed, because an empty typed array has no address.
  return BigUint64Array.from([...texts.map((text) => BigInt(ptr(text))), 0n]);
}

/** Bytes of each text, without its NUL. */
function lengths(texts: readonly Uint8Array[]): BigUint64Array {
  return BigUint64Array.from([...texts.map((text) => BigInt(text.length - 1)), 0n]);
}

/** Addresses of a process are below 2^48, so a number holds each exactly. */
function pointer(handle: Handle): Pointer {
  return Number(handle) as Pointer;
}

function takenAndDestroyed(result: Handle): ChdbResult {
  try {
    return taken(result);
  } finally {
    libchdb().chdb_destroy_query_result(result);
  }
}

/** A copy, because the bytes are freed with the result. */
function taken(result: Handle): ChdbResult {
  throwError(result);
  const chdb = libchdb();
  const length = Number(chdb.chdb_result_length(result));
  const buffer = chdb.chdb_result_buffer(result);
  const bytes =
    length === 0 || buffer === null
      ? new Uint8Array(0)
      : new Uint8Array(toArrayBuffer(pointer(buffer), 0, length)).slice();
  return { bytes, rowsRead: Number(chdb.chdb_result_rows_read(result)) };
}

function rowsWritten(result: Handle | null): number {
  if (result === null) {
    throw new ChdbError("ClickHouse returned no result");
  }
  try {
    throwError(result);
    return Number(libchdb().chdb_result_rows_written(result));
  } finally {
    libchdb().chdb_destroy_query_result(result);
  }
}

function throwError(result: Handle): void {
  throwText(libchdb().chdb_result_error(result));
}

function throwText(text: Handle | null): void {
  if (text !== null) {
    throw new ChdbError(new CString(pointer(text)).toString());
  }
}
