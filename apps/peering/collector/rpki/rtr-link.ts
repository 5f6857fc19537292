/** The connection with a cache of RTR, and the one thing that is to be done on it when a time has passed. */
import { connect, type Socket } from "node:net";
import { streamMessages } from "../../../../lib/base/list/stream-messages.ts";
import type { ListenAddress } from "../../../../lib/engines/config/addresses.ts";
import { pduLength } from "../../../../lib/net/rpki/rtr/pdu.ts";
import { keepAliveMs, rtrConnectMs, rtrFarewellMs } from "../limits.ts";

export class RtrLink {
  readonly #socket: Socket;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(address: ListenAddress) {
    this.#socket = connect(address);
    // What goes wrong shows where it is waited for.
    this.#socket.on("error", () => {});
    this.#socket.setKeepAlive(true, keepAliveMs);
  }

  /** Rejects with why it cannot be reached. */
  async connected(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.after(rtrConnectMs, () => this.end("it cannot be reached in time"));
    this.#socket.once("connect", resolve).once("error", reject);
    this.#socket.once("close", () => reject(new Error("it has closed the connection")));
    await promise;
  }

  /** As they come, those of each piece together. Throws why nothing more comes; a last word can be said then. */
  pdus(): AsyncGenerator<Uint8Array[]> {
    return streamMessages(this.#socket.iterator({ destroyOnReturn: false }), pduLength);
  }

  send(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** In place of what was to be done before. */
  after(waitMs: number, act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, waitMs);
  }

  end(reason: string): void {
    this.#socket.destroy(new Error(reason));
  }

  /** At once; with a last word, when the cache has it or does not take it. */
  async close(lastWord: Uint8Array | null): Promise<void> {
    clearTimeout(this.#timer);
    if (lastWord !== null && !this.#socket.destroyed) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.after(rtrFarewellMs, resolve);
      this.#socket.end(lastWord, resolve);
      await promise;
      clearTimeout(this.#timer);
    }
    this.#socket.destroy();
  }
}
