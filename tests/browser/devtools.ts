/**
 * Chromium's DevTools protocol over its own standard input and output: JSON messages, each ended by a zero byte. No
 * port is opened, so a browser in a network namespace is reached like any other (tested with Chromium 156).
 */
import type { Subprocess } from "bun";

interface DevtoolsEvent {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Session of the tab; undefined for the browser's own. */
  readonly sessionId?: string;
}

interface DevtoolsReply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

type Child = Subprocess<"pipe", "pipe", "ignore" | number>;

export class Devtools {
  readonly #child: Child;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #listeners: ((event: DevtoolsEvent) => void)[] = [];
  #asked = 0;

  constructor(child: Child) {
    this.#child = child;
    void this.#listen();
  }

  onEvent(listener: (event: DevtoolsEvent) => void): void {
    this.#listeners.push(listener);
  }

  /** Rejects when the browser refuses, or has ended. `Result` is what the protocol says of the method. */
  async ask<Result>(method: string, params: object = {}, sessionId?: string): Promise<Result> {
    const id = ++this.#asked;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#child.stdin.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    this.#child.stdin.flush();
    return (await waiting.promise) as Result;
  }

  async #listen(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of this.#child.stdout) {
      const parts = `${rest}${decoder.decode(chunk, { stream: true })}`.split("\0");
      rest = parts.pop() ?? "";
      for (const part of parts) {
        this.#take(JSON.parse(part) as DevtoolsReply | DevtoolsEvent);
      }
    }
    for (const { reject } of this.#waiting.values()) {
      reject(new Error("The browser has ended"));
    }
  }

  #take(message: DevtoolsReply | DevtoolsEvent): void {
    if ("method" in message) {
      for (const listener of this.#listeners) {
        listener(message);
      }
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error === undefined) {
      waiting?.resolve(message.result);
    } else {
      waiting?.reject(new Error(`The browser refuses: ${message.error.message}`));
    }
  }
}
