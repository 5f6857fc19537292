/**
 * Room in the kernel's table of neighbours, which all namespaces share. The tunnel here is not point-to-point, so each
 * peer is a neighbour there, and above 512 the kernel makes room every five seconds only. A real tunnel has one.
 */
import { readFileSync, writeFileSync } from "node:fs";

const room = { gc_thresh1: 65_536, gc_thresh2: 131_072, gc_thresh3: 262_144 };
const pathOf = (name: string) => `/proc/sys/net/ipv4/neigh/default/${name}`;

export class NeighbourTable implements Disposable {
  readonly #before = Object.keys(room).map((name) => [name, readFileSync(pathOf(name), "utf8")] as const);

  readonly #restore = () => {
    for (const [name, entries] of this.#before) {
      writeFileSync(pathOf(name), entries);
    }
  };

  constructor() {
    // A bench that is interrupted ends without disposing of anything.
    process.on("exit", this.#restore);
    // The largest first: none may be above the next.
    for (const [name, entries] of Object.entries(room).reverse()) {
      writeFileSync(pathOf(name), String(entries));
    }
  }

  [Symbol.dispose](): void {
    process.off("exit", this.#restore);
    this.#restore();
  }
}
