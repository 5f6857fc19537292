/**
 * Prefixes of both families as a path-compressed binary tree, in arrays of numbers: a prefix takes 34 bytes, and as
 * much again where two others branch.
 *
 * A node is a number from 1, and stays the same until its prefix is removed. A node that only joins two branches has
 * the value 0, as have the two roots while `0.0.0.0/0` and `::/0` are absent.
 */
import { type Address, type Family, familyOf } from "../ip/address.ts";
import type { Prefix } from "../ip/prefix.ts";
import { mappedBits, prefixOfWords, wordAt } from "../ip/words.ts";

const roots: Readonly<Record<Family, number>> = { 4: 1, 6: 2 };
const firstFree = 3;

export class PrefixTrie {
  #capacity = 1024;
  /** Four for each node, the most significant first. */
  #words = new Uint32Array(4 * this.#capacity);
  /** In the mapped form: an IPv4 /8 has 104. */
  #bits = new Uint8Array(this.#capacity);
  #isIpv6 = new Uint8Array(this.#capacity);
  /** Two for each node: where the next bit is 0, and 1. */
  #children = new Uint32Array(2 * this.#capacity);
  #parents = new Uint32Array(this.#capacity);
  #values = new Uint32Array(this.#capacity);
  /** Head of the free list, which is linked through the parents of removed nodes. */
  #free = 0;
  #end = firstFree;
  readonly #key = new Uint32Array(4);

  constructor() {
    this.#words[4 * roots[4] + 2] = 0xffff;
    this.#bits[roots[4]] = 96;
    this.#isIpv6[roots[6]] = 1;
  }

  /** The highest node number ever used. */
  get last(): number {
    return this.#end - 1;
  }

  valueOf(node: number): number {
    return this.#values[node] ?? 0;
  }

  /** 0 removes the prefix: its node may be used for another one from then on. */
  setValue(node: number, value: number): void {
    this.#values[node] = value;
    if (value === 0) {
      this.#prune(node);
    }
  }

  prefixAt(node: number): Prefix {
    const at = 4 * node;
    const words = this.#words;
    const four = [words[at] ?? 0, words[at + 1] ?? 0, words[at + 2] ?? 0, words[at + 3] ?? 0] as const;
    const bits = this.#bits[node] ?? 0;
    return this.#isIpv6[node] === 1
      ? { ...prefixOfWords(four, bits), length: bits, family: 6 }
      : prefixOfWords(four, bits);
  }

  /** The node of this prefix, whatever its value; 0 = none. */
  find(prefix: Prefix): number {
    const bits = this.#takeKey(prefix.base, mappedBits(prefix));
    let node = roots[prefix.family];
    while (node !== 0 && this.#holdsKey(node, bits)) {
      if (this.#bits[node] === bits) {
        return node;
      }
      node = this.#next(node);
    }
    return 0;
  }

  /** The node of this prefix, created with value 0 where there is none: the caller sets a value. */
  insert(prefix: Prefix): number {
    const bits = this.#takeKey(prefix.base, mappedBits(prefix));
    let node = roots[prefix.family];
    while (this.#bits[node] !== bits) {
      const child = this.#next(node);
      if (child === 0) {
        return this.#leaf(node, bits);
      }
      const common = Math.min(bits, this.#bits[child] ?? 0, this.#commonBits(child));
      if (common < (this.#bits[child] ?? 0)) {
        const between = this.#between(node, child, common);
        return common === bits ? between : this.#leaf(between, bits);
      }
      node = child;
    }
    return node;
  }

  /** The node of the longest prefix with a value that holds the address; 0 = none. */
  longest(address: Address): number {
    const bits = this.#takeKey(address, 128);
    let [node, found] = [roots[familyOf(address)], 0];
    while (node !== 0 && this.#holdsKey(node, bits)) {
      found = this.#values[node] === 0 ? found : node;
      node = this.#bits[node] === 128 ? 0 : this.#next(node);
    }
    return found;
  }

  /** Nodes with values whose prefixes hold this one, itself included: the shortest first. */
  around(prefix: Prefix): number[] {
    const bits = this.#takeKey(prefix.base, mappedBits(prefix));
    const found: number[] = [];
    let node = roots[prefix.family];
    while (node !== 0 && (this.#bits[node] ?? 0) <= bits && this.#holdsKey(node, bits)) {
      if (this.#values[node] !== 0) {
        found.push(node);
      }
      node = this.#bits[node] === bits ? 0 : this.#next(node);
    }
    return found;
  }

  /**
   * Nodes with values whose prefixes this one holds, itself included: by address, then shorter ones first.
   */
  *within(prefix: Prefix): Generator<number> {
    const bits = this.#takeKey(prefix.base, mappedBits(prefix));
    let top = roots[prefix.family];
    while (top !== 0 && (this.#bits[top] ?? 0) < bits && this.#holdsKey(top, bits)) {
      top = this.#next(top);
    }
    if (top === 0 || this.#commonBits(top) < bits) {
      return;
    }
    // A node added meanwhile is visited if it lies ahead; removed nodes have no children.
    const open = [top];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      open.push(
        ...[this.#children[2 * node + 1] ?? 0, this.#children[2 * node] ?? 0].filter((one) => one > 0),
      );
      if (this.#values[node] !== 0) {
        yield node;
      }
    }
  }

  #takeKey(base: Address, bits: number): number {
    for (let word = 0; word < 4; word++) {
      this.#key[word] = wordAt(base, 4 * word);
    }
    return bits;
  }

  /** The number of leading bits that the key and the node share. */
  #commonBits(node: number): number {
    for (let word = 0; word < 4; word++) {
      const difference = (this.#key[word] ?? 0) ^ (this.#words[4 * node + word] ?? 0);
      if (difference !== 0) {
        return 32 * word + Math.clz32(difference);
      }
    }
    return 128;
  }

  /** Whether the node's prefix holds the key, which has `bits` bits. */
  #holdsKey(node: number, bits: number): boolean {
    const own = this.#bits[node] ?? 0;
    return own <= bits && this.#commonBits(node) >= own;
  }

  /** The child of the node on the key's side. */
  #next(node: number): number {
    return this.#children[2 * node + bitIn(this.#key, 0, this.#bits[node] ?? 0)] ?? 0;
  }

  #leaf(parent: number, bits: number): number {
    const node = this.#take(bits, parent);
    this.#words.set(this.#key, 4 * node);
    this.#children[2 * parent + bitIn(this.#key, 0, this.#bits[parent] ?? 0)] = node;
    return node;
  }

  /** A node for the bits that the key and a child have in common. */
  #between(parent: number, child: number, bits: number): number {
    const node = this.#take(bits, parent);
    for (let word = 0; word < 4; word++) {
      const ones = Math.min(32, Math.max(0, bits - 32 * word));
      const mask = ones === 0 ? 0 : (0xffffffff << (32 - ones)) >>> 0;
      this.#words[4 * node + word] = (this.#key[word] ?? 0) & mask;
    }
    this.#children[2 * parent + bitIn(this.#words, 4 * child, this.#bits[parent] ?? 0)] = node;
    this.#children[2 * node + bitIn(this.#words, 4 * child, bits)] = child;
    this.#parents[child] = node;
    return node;
  }

  #take(bits: number, parent: number): number {
    const node = this.#free === 0 ? this.#end++ : this.#free;
    if (node === this.#free) {
      this.#free = this.#parents[node] ?? 0;
    } else if (node === this.#capacity) {
      this.#grow();
    }
    this.#bits[node] = bits;
    this.#isIpv6[node] = this.#isIpv6[parent] ?? 0;
    this.#parents[node] = parent;
    return node;
  }

  /** Removes nodes that have no value and do not join two branches. */
  #prune(first: number): void {
    for (let node = first; node >= firstFree && this.#values[node] === 0; ) {
      const [left, right] = [this.#children[2 * node] ?? 0, this.#children[2 * node + 1] ?? 0];
      if (left !== 0 && right !== 0) {
        return;
      }
      const [parent, only] = [this.#parents[node] ?? 0, left + right];
      const side = this.#children[2 * parent] === node ? 0 : 1;
      this.#children[2 * parent + side] = only;
      if (only !== 0) {
        this.#parents[only] = parent;
      }
      this.#children.fill(0, 2 * node, 2 * node + 2);
      this.#parents[node] = this.#free;
      this.#free = node;
      node = parent;
    }
  }

  #grow(): void {
    this.#capacity *= 2;
    this.#words = larger(this.#words, new Uint32Array(4 * this.#capacity));
    this.#bits = larger(this.#bits, new Uint8Array(this.#capacity));
    this.#isIpv6 = larger(this.#isIpv6, new Uint8Array(this.#capacity));
    this.#children = larger(this.#children, new Uint32Array(2 * this.#capacity));
    this.#parents = larger(this.#parents, new Uint32Array(this.#capacity));
    this.#values = larger(this.#values, new Uint32Array(this.#capacity));
  }
}

/** The bit behind the first `bits` of four words. */
function bitIn(words: Uint32Array, at: number, bits: number): 0 | 1 {
  return (((words[at + (bits >> 5)] ?? 0) >>> (31 - (bits & 31))) & 1) === 1 ? 1 : 0;
}

/** Copies a typed array into a larger one. */
export function larger<T extends Uint32Array | Uint8Array | Float64Array>(old: T, room: T): T {
  room.set(old);
  return room;
}
