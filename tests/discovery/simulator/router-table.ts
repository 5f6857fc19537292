/**
 * What a simulation remembers of each router that was asked: packets, and the tokens of its limit of answers. Columns
 * of numbers in an open hash table, so that a probe makes no object.
 */

const slotsFirst = 1024;
const fullShare = 0.6;
const noNode = 0;

export class RouterTable {
  #nodes = new Uint32Array(slotsFirst);
  #packets = new Uint32Array(slotsFirst);
  #tokens = new Float32Array(slotsFirst);
  #atSec = new Float64Array(slotsFirst);
  #used = 0;

  /** Counts a packet that expired at a router, and gives the number of its row until the next call. */
  count(node: number): number {
    if (this.#used > this.#nodes.length * fullShare) {
      this.#grow();
    }
    const row = rowOf(this.#nodes, node);
    if (this.#nodes[row] === noNode) {
      this.#nodes[row] = node;
      this.#atSec[row] = Number.NEGATIVE_INFINITY;
      this.#used++;
    }
    this.#packets[row] = (this.#packets[row] ?? 0) + 1;
    return row;
  }

  /** Takes a token of a router's bucket, which fills by `perSec` up to `burst`; false = there was none. */
  take(row: number, nowSec: number, perSec: number, burst: number): boolean {
    const before = this.#atSec[row] ?? 0;
    const tokens = Math.min(burst, (this.#tokens[row] ?? 0) + (nowSec - before) * perSec);
    const isTaken = tokens >= 1;
    this.#atSec[row] = nowSec;
    this.#tokens[row] = isTaken ? tokens - 1 : tokens;
    return isTaken;
  }

  /** Packets of the router that had most of them. */
  get busiest(): number {
    return this.#packets.reduce((most, packets) => Math.max(most, packets), 0);
  }

  #grow(): void {
    const [nodes, packets, tokens, atSec] = [this.#nodes, this.#packets, this.#tokens, this.#atSec];
    const slots = nodes.length * 2;
    this.#nodes = new Uint32Array(slots);
    this.#packets = new Uint32Array(slots);
    this.#tokens = new Float32Array(slots);
    this.#atSec = new Float64Array(slots);
    for (const [i, node] of nodes.entries()) {
      if (node !== noNode) {
        const row = rowOf(this.#nodes, node);
        this.#nodes[row] = node;
        this.#packets[row] = packets[i] ?? 0;
        this.#tokens[row] = tokens[i] ?? 0;
        this.#atSec[row] = atSec[i] ?? 0;
      }
    }
  }
}

/** The row that has the node, or the free one for it. */
function rowOf(nodes: Uint32Array, node: number): number {
  const mask = nodes.length - 1;
  let row = (Math.imul(node, 0x9e3779b1) >>> 7) & mask;
  while (nodes[row] !== noNode && nodes[row] !== node) {
    row = (row + 1) & mask;
  }
  return row;
}
