/**
 * A client of SMTP (RFC 5321) with STARTTLS (RFC 3207) or TLS from the start (RFC 8314), and AUTH PLAIN (RFC 4954):
 * one message to one recipient.
 *
 * An answer is lines of three digits and a hyphen, the last of three digits and a blank. Without encryption no password
 * is sent, and none is needed by a server of the same machine.
 */
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { SmtpConfig } from "../campaign-services.ts";
import { answerBytesMax, emailMsMax } from "../limits.ts";

/** The server said no. */
export class SmtpRefusal extends Error {
  /** Three digits: 4xx may be another time, 5xx is for good. */
  readonly status: number;

  constructor(status: number, text: string) {
    super(`The mail server says ${text}`);
    this.status = status;
  }
}

interface Mail {
  readonly from: string;
  readonly to: string;
  /** With CRLF at the end of each line. */
  readonly text: string;
}

export class SmtpSession implements AsyncDisposable {
  #socket: Socket;
  #heard = "";
  #wake: () => void = () => {};
  #failure: Error | null = null;
  readonly #timer: ReturnType<typeof setTimeout>;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#timer = setTimeout(
      () => this.#fail(new Error("The mail server does not answer in time")),
      emailMsMax,
    );
    this.#listen(socket);
  }

  /** Greeted, encrypted as configured, and logged in. Rejects with SmtpRefusal, or Error. */
  static async open({ host, port, encryption, login }: SmtpConfig, ownName: string): Promise<SmtpSession> {
    const socket =
      encryption === "tls" ? connectTls({ host, port, servername: host }) : connect({ host, port });
    const session = new SmtpSession(socket);
    try {
      await session.#answer(220);
      await session.#ask(`EHLO ${ownName}`, 250);
      if (encryption === "starttls") {
        await session.#ask("STARTTLS", 220);
        session.#encrypt(host);
        await session.#ask(`EHLO ${ownName}`, 250);
      }
      if (login !== null) {
        const plain = Buffer.from(`\0${login.user}\0${login.password}`).toString("base64");
        await session.#ask(`AUTH PLAIN ${plain}`, 235);
      }
      return session;
    } catch (error) {
      await session[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Resolves to what the server says when it has taken the mail. */
  async send({ from, to, text }: Mail): Promise<string> {
    await this.#ask(`MAIL FROM:<${from}>`, 250);
    await this.#ask(`RCPT TO:<${to}>`, 250);
    await this.#ask("DATA", 354);
    // A line that begins with a dot gets another: a dot alone ends the mail (section 4.5.2).
    return await this.#ask(`${text.replaceAll(/^\./gm, "..")}\r\n.`, 250);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    this.#socket.end("QUIT\r\n");
    this.#socket.destroy();
  }

  #encrypt(host: string): void {
    this.#socket.removeAllListeners();
    // What came unencrypted behind the answer is not part of what follows.
    this.#heard = "";
    this.#socket = connectTls({ socket: this.#socket, servername: host });
    this.#listen(this.#socket);
  }

  #listen(socket: Socket): void {
    socket.on("data", (bytes: Uint8Array) => {
      this.#heard += Buffer.from(bytes).toString("latin1");
      this.#wake();
    });
    socket.on("error", (error: Error) => this.#fail(error));
    socket.on("close", () => this.#fail(new Error("The mail server has closed the connection")));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake();
  }

  async #ask(line: string, expected: number): Promise<string> {
    this.#socket.write(`${line}\r\n`);
    return await this.#answer(expected);
  }

  async #answer(expected: number): Promise<string> {
    for (;;) {
      const answer = /^(?:\d{3}-[^\n]*\n)*(\d{3})(?: [^\n]*)?\r?\n/.exec(this.#heard);
      if (answer !== null) {
        const [text, status] = answer;
        this.#heard = this.#heard.slice(text.length);
        if (Number(status) !== expected) {
          throw new SmtpRefusal(Number(status), text.trim());
        }
        return text.trim();
      }
      if (this.#failure !== null) {
        throw this.#failure;
      }
      if (this.#heard.length > answerBytesMax) {
        throw new Error("The mail server says more than an answer");
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }
}
