/**
 * HTTP/1.1 on one connection that stays: requests written by hand, one at a time. So a thousand clients in one process
 * have a connection each, as a thousand agents do, and cost little beside what they measure: fetch shares 256.
 */
import type { Socket } from "bun";

interface Answer {
  readonly status: number;
  readonly text: string;
}

const headEnd = "\r\n\r\n";
const answerBytesMax = 1 << 20;

export class KeptConnection {
  readonly #host: string;
  readonly #socket: Promise<Socket>;
  #received = Buffer.alloc(0);
  /** Who waits for an answer. */
  #waiting: PromiseWithResolvers<Answer> | null = null;

  /** `url` = the server's, http only. */
  constructor(url: string) {
    const { hostname, port, host } = new URL(url);
    this.#host = host;
    const fail = (why: string) => this.#fail(new Error(`The connection to ${host} ${why}`));
    const socket = {
      data: (_: Socket, chunk: Buffer) => this.#take(chunk),
      close: () => fail("was closed"),
      error: (_: Socket, error: Error) => fail(`failed: ${error.message}`),
    };
    this.#socket = Bun.connect({ hostname, port: Number(port), socket });
    // Said by the first request.
    this.#socket.catch(() => undefined);
  }

  /** Rejects when the connection ends before the answer has come, and when the answer has no length. */
  async post(path: string, key: string, body: string): Promise<Answer> {
    const socket = await this.#socket;
    if (this.#waiting !== null) {
      throw new Error("Cannot ask before the last answer has come");
    }
    const waiting = Promise.withResolvers<Answer>();
    this.#waiting = waiting;
    const text = [
      `POST ${path} HTTP/1.1`,
      `host: ${this.#host}`,
      `authorization: Bearer ${key}`,
      "content-type: application/json",
      `content-length: ${Buffer.byteLength(body)}`,
      "",
      body,
    ].join("\r\n");
    // A report is far smaller than a socket's buffer, which is empty: the last one was answered.
    if (socket.write(text) !== Buffer.byteLength(text)) {
      this.#fail(new Error(`The connection to ${this.#host} does not take a whole request`));
    }
    return await waiting.promise;
  }

  async close(): Promise<void> {
    (await this.#socket).end();
  }

  #take(chunk: Buffer): void {
    this.#received =
      this.#received.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#received, chunk]);
    const headBytes = this.#received.indexOf(headEnd);
    if (headBytes < 0) {
      return;
    }
    const head = this.#received.toString("latin1", 0, headBytes);
    const length = Number(/^content-length: *(\d+)$/im.exec(head)?.[1] ?? Number.NaN);
    if (!(length <= answerBytesMax)) {
      this.#fail(new Error(`An answer has no length, or more than ${answerBytesMax} bytes: ${head}`));
      return;
    }
    const from = headBytes + headEnd.length;
    if (this.#received.length < from + length) {
      return;
    }
    const text = this.#received.toString("utf8", from, from + length);
    this.#received = this.#received.subarray(from + length);
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.resolve({ status: Number(head.split(" ", 2)[1]), text });
  }

  #fail(error: Error): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.reject(error);
  }
}
