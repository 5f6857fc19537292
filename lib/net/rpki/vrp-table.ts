/**
 * VRPs by prefix, in typed arrays: 43 bytes each where prefixes differ. They are added and removed one at a time.
 */
import type { Prefix } from "../ip/prefix.ts";
import { larger, PrefixTrie } from "../rib/prefix-trie.ts";
import type { Vrp } from "./origin-validation.ts";

export class VrpTable {
  /** The value of a prefix's node is its first row. */
  readonly #trie = new PrefixTrie();
  #capacity = 1024;
  #asns = new Uint32Array(this.#capacity);
  #maxLengths = new Uint8Array(this.#capacity);
  /** The next row of the same prefix, or of the free list; 0 = the last. */
  #nexts = new Uint32Array(this.#capacity);
  #free = 0;
  #end = 1;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  has({ prefix, maxLength, asn }: Vrp): boolean {
    return this.#find(this.#trie.valueOf(this.#trie.find(prefix)), maxLength, asn) !== 0;
  }

  /** True when it was new. */
  add({ prefix, maxLength, asn }: Vrp): boolean {
    const node = this.#trie.insert(prefix);
    const first = this.#trie.valueOf(node);
    if (this.#find(first, maxLength, asn) !== 0) {
      return false;
    }
    const row = this.#take();
    this.#asns[row] = asn;
    this.#maxLengths[row] = maxLength;
    this.#nexts[row] = first;
    this.#trie.setValue(node, row);
    this.#count++;
    return true;
  }

  /** True when it was present. */
  remove({ prefix, maxLength, asn }: Vrp): boolean {
    const node = this.#trie.find(prefix);
    const first = this.#trie.valueOf(node);
    const row = this.#find(first, maxLength, asn);
    if (row === 0) {
      return false;
    }
    const rest = this.#nexts[row] ?? 0;
    if (row === first) {
      this.#trie.setValue(node, rest);
    } else {
      let before = first;
      while (this.#nexts[before] !== row) {
        before = this.#nexts[before] ?? 0;
      }
      this.#nexts[before] = rest;
    }
    this.#nexts[row] = this.#free;
    this.#free = row;
    this.#count--;
    return true;
  }

  /** All VRPs whose prefix covers this one, the shortest first. */
  covering(prefix: Prefix): Vrp[] {
    const found: Vrp[] = [];
    for (const node of this.#trie.around(prefix)) {
      const own = this.#trie.prefixAt(node);
      for (let row = this.#trie.valueOf(node); row !== 0; row = this.#nexts[row] ?? 0) {
        found.push({ prefix: own, maxLength: this.#maxLengths[row] ?? 0, asn: this.#asns[row] ?? 0 });
      }
    }
    return found;
  }

  /** The row of a VRP in the chain; 0 = none. */
  #find(first: number, maxLength: number, asn: number): number {
    let row = first;
    while (row !== 0 && (this.#asns[row] !== asn || this.#maxLengths[row] !== maxLength)) {
      row = this.#nexts[row] ?? 0;
    }
    return row;
  }

  #take(): number {
    const row = this.#free === 0 ? this.#end++ : this.#free;
    if (row === this.#free) {
      this.#free = this.#nexts[row] ?? 0;
    } else if (row === this.#capacity) {
      this.#capacity *= 2;
      this.#asns = larger(this.#asns, new Uint32Array(this.#capacity));
      this.#maxLengths = larger(this.#maxLengths, new Uint8Array(this.#capacity));
      this.#nexts = larger(this.#nexts, new Uint32Array(this.#capacity));
    }
    return row;
  }
}
