/**
 * A relay before a database that cuts the connections which go through it: all at once, or each after a number of
 * bytes of the server's, so that a client loses its connection at any point of any message.
 */
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from "node:net";

/** `end` closes in order (FIN), `reset` as a machine does that has forgotten the connection (RST). */
export type Cut = "end" | "reset";

export class CutConnections implements Disposable {
  readonly port: number;
  readonly #close: () => void;
  /** Bytes that each connection may still bring. */
  readonly #budgets = new Map<Socket, number>();
  #cut: Cut = "end";
  #bytesMax = Number.POSITIVE_INFINITY;

  private constructor(port: number, close: () => void) {
    this.port = port;
    this.#close = close;
  }

  static async before(database: NetConnectOpts): Promise<CutConnections> {
    const server = createServer((near) => relay.#carry(near, connect(database)));
    const listening = Promise.withResolvers<void>();
    server.listen(0, "127.0.0.1", () => listening.resolve());
    await listening.promise;
    const { port } = server.address() as AddressInfo;
    const relay = new CutConnections(port, () => server.close());
    return relay;
  }

  /** From now on each connection ends after so many more bytes of the server's; Infinity = none ends. */
  cutAfter(bytes: number, cut: Cut = "end"): void {
    this.#bytesMax = bytes;
    this.#cut = cut;
    for (const near of this.#budgets.keys()) {
      this.#budgets.set(near, bytes);
    }
  }

  [Symbol.dispose](): void {
    this.#close();
    for (const near of this.#budgets.keys()) {
      near.destroy();
    }
  }

  #carry(near: Socket, far: Socket): void {
    this.#budgets.set(near, this.#bytesMax);
    near.on("data", (bytes) => far.write(bytes));
    far.on("data", (bytes: Buffer) => {
      const budget = (this.#budgets.get(near) ?? 0) - bytes.length;
      this.#budgets.set(near, budget);
      near.write(budget < 0 ? bytes.subarray(0, budget) : bytes);
      if (budget < 0) {
        this.#end(near);
        far.destroy();
      }
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
    near.on("close", () => this.#budgets.delete(near));
  }

  #end(near: Socket): void {
    if (this.#cut === "reset") {
      near.resetAndDestroy();
    } else {
      near.end();
    }
  }
}
