/** All ClickHouse threads of the store's process: one that writes, and some that answer queries, each in turn. */
import type { ChdbStatement } from "../../ffi/chdb.ts";
import type { GuestRequest, PullRequest, Settings, ThreadRequest } from "./chdb-messages.ts";
import { ChdbThread, StatementError } from "./chdb-thread.ts";
import { guests, readers, waitingMax } from "./limits.ts";

/** ClickHouse's number for "too many simultaneous queries". */
const tooMany = 202;

/** Threads of one kind; callers wait in line when all are busy. */
class Pool<Request extends { readonly kind: string }> {
  readonly #idle: ChdbThread<Request>[];
  readonly #all: readonly ChdbThread<Request>[];
  readonly #line: PromiseWithResolvers<ChdbThread<Request>>[] = [];
  #isClosed = false;

  constructor(threads: readonly ChdbThread<Request>[]) {
    this.#all = threads;
    this.#idle = [...threads];
  }

  async take(): Promise<ChdbThread<Request>> {
    const thread = this.#isClosed ? undefined : this.#idle.pop();
    if (thread !== undefined) {
      return thread;
    }
    if (this.#isClosed || this.#line.length >= waitingMax) {
      const reason = this.#isClosed ? "The store is closing" : `More than ${waitingMax} statements wait`;
      throw new StatementError(
        `Code: ${tooMany}. DB::Exception: ${reason}. (TOO_MANY_SIMULTANEOUS_QUERIES)`,
        tooMany,
      );
    }
    const place = Promise.withResolvers<ChdbThread<Request>>();
    this.#line.push(place);
    return place.promise;
  }

  give(thread: ChdbThread<Request>): void {
    const next = this.#line.shift();
    if (next === undefined) {
      this.#idle.push(thread);
    } else {
      next.resolve(thread);
    }
  }

  /** Accepts no more statements, and waits for the running and queued ones. */
  async close(): Promise<void> {
    const threads: ChdbThread<Request>[] = [];
    while (threads.length < this.#all.length) {
      threads.push(await this.take());
    }
    this.#isClosed = true;
    await Promise.all(threads.map((thread) => thread.close()));
  }
}

export class ChdbThreads {
  readonly #writer: Pool<ThreadRequest>;
  readonly #readers: Pool<ThreadRequest>;
  readonly #guests: Pool<GuestRequest>;

  private constructor(
    writer: ChdbThread,
    reading: readonly ChdbThread[],
    visiting: readonly ChdbThread<GuestRequest>[],
  ) {
    this.#writer = new Pool([writer]);
    this.#readers = new Pool(reading);
    this.#guests = new Pool(visiting);
  }

  /** Rejects with the reason when ClickHouse cannot open the directory. */
  static async open(directory: string): Promise<ChdbThreads> {
    // The first one creates the directory; the others join.
    const writer = await ChdbThread.open(directory);
    const reading: ChdbThread[] = [];
    while (reading.length < readers) {
      reading.push(await ChdbThread.open(directory));
    }
    const visiting: ChdbThread<GuestRequest>[] = [];
    while (visiting.length < guests) {
      visiting.push(await ChdbThread.openForGuests(directory));
    }
    return new ChdbThreads(writer, reading, visiting);
  }

  /** Rows that were written, those of views included. */
  async insert(
    { sql, format, data }: { readonly sql: string; readonly format: string; readonly data: ArrayBuffer },
    settings: Settings,
  ): Promise<number> {
    const thread = await this.#writer.take();
    try {
      const answer = await thread.ask({ kind: "insert", sql, format, data, settings }, [data]);
      return answer.kind === "done" ? answer.rows : 0;
    } finally {
      this.#writer.give(thread);
    }
  }

  /** A statement with its whole result; `isWrite` ones go one after another. */
  async run(statement: ChdbStatement, settings: Settings, isWrite: boolean): Promise<Uint8Array> {
    const pool = isWrite ? this.#writer : this.#readers;
    const thread = await pool.take();
    try {
      const answer = await thread.ask({ kind: "run", statement, settings });
      return answer.kind === "done" ? answer.bytes : new Uint8Array(0);
    } finally {
      pool.give(thread);
    }
  }

  /** A query block by block; a block is made on demand. Ending early cancels the query. */
  stream(statement: ChdbStatement, settings: Settings): AsyncGenerator<Uint8Array, void, undefined> {
    return blocksOf(this.#readers, { kind: "stream", statement, settings });
  }

  /**
   * A reader's statement, block by block or as a whole; `database` is a plain name. Ending early cancels it where it
   * comes block by block.
   */
  guest(
    statement: ChdbStatement,
    database: string,
    settings: Settings,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    return blocksOf(this.#guests, { kind: "guest", statement, database, settings });
  }

  async close(): Promise<void> {
    await this.#guests.close();
    await this.#readers.close();
    await this.#writer.close();
  }
}

/** Both kinds of threads hand out the next block on `pull`, and end a query on `cancel`. */
async function* blocksOf<Request extends { readonly kind: string }>(
  pool: Pool<Request | PullRequest>,
  request: Request,
): AsyncGenerator<Uint8Array, void, undefined> {
  const thread = await pool.take();
  let isOver = true;
  try {
    let answer = await thread.ask(request);
    if (answer.kind === "done") {
      yield answer.bytes;
      return;
    }
    while (answer.kind === "block") {
      isOver = false;
      yield answer.bytes;
      isOver = true;
      answer = await thread.ask({ kind: "pull" });
    }
  } finally {
    if (!isOver) {
      await thread.ask({ kind: "cancel" });
    }
    pool.give(thread);
  }
}
