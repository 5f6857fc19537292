/**
 * A pool of path attributes that holds each set once, in typed arrays: in a full table, some ten prefixes
 * share a set. A set takes 24 bytes and its words (`packed-attributes.ts`) in blocks of four; a freed place
 * is used by the next set with as many blocks.
 */
import type { PathAttributes } from "../bgp/path-attributes.ts";
import { AttributePacker, unpackAttributes } from "./packed-attributes.ts";
import { larger } from "./prefix-trie.ts";

/** Places are multiples of this. */
const blockWords = 4;
/** Unpacked sets kept for lookups: as many as a page of results needs. */
const unpackedMax = 1024;

export class AttributePool {
  #capacity = 1024;
  /** Where the words of each set are, how many, their hash, how many paths have it, the next of its bucket. */
  #places = new Uint32Array(this.#capacity);
  #lengths = new Uint32Array(this.#capacity);
  #hashes = new Uint32Array(this.#capacity);
  #uses = new Uint32Array(this.#capacity);
  #nexts = new Uint32Array(this.#capacity);
  /** The first set of each bucket, as many as the capacity; 0 = none. */
  #buckets = new Uint32Array(this.#capacity);
  #end = 1;
  readonly #free: number[] = [];
  #words = new Uint32Array(16 * 1024);
  #wordsEnd = 0;
  /** Free places by their number of blocks. */
  readonly #freePlaces = new Map<number, number[]>();
  readonly #packer = new AttributePacker();
  readonly #unpacked = new Map<number, PathAttributes>();
  /** All prefixes of an UPDATE share one object, so this often hits. */
  #last: PathAttributes | null = null;
  #lastId = 0;
  #size = 0;

  /** Number of distinct sets. */
  get size(): number {
    return this.#size;
  }

  /** The id of these attributes, with their use count raised; `release` lowers it. */
  hold(attributes: PathAttributes): number {
    if (this.#last !== attributes) {
      this.#packer.pack(attributes);
      this.#lastId = this.#intern();
      this.#last = attributes;
    }
    const id = this.#lastId;
    this.#uses[id] = (this.#uses[id] ?? 0) + 1;
    return id;
  }

  release(id: number): void {
    const uses = (this.#uses[id] ?? 0) - 1;
    this.#uses[id] = uses;
    if (uses === 0) {
      this.#remove(id);
    }
  }

  /** The attributes of an id; successive lookups of equal attributes return the same object. */
  at(id: number): PathAttributes {
    let attributes = this.#unpacked.get(id);
    if (attributes === undefined) {
      if (this.#unpacked.size === unpackedMax) {
        this.#unpacked.clear();
      }
      attributes = unpackAttributes(this.#words, this.#places[id] ?? 0);
      this.#unpacked.set(id, attributes);
    }
    return attributes;
  }

  /** The id of the set that the packer holds. */
  #intern(): number {
    const { words, length } = this.#packer;
    const hash = hashOf(words, length);
    for (let id = this.#buckets[hash & (this.#capacity - 1)] ?? 0; id !== 0; id = this.#nexts[id] ?? 0) {
      if (this.#hashes[id] === hash && this.#lengths[id] === length && this.#holds(id, words, length)) {
        return id;
      }
    }
    const id = this.#take();
    const place = this.#placeFor(length);
    for (let i = 0; i < length; i++) {
      this.#words[place + i] = words[i] ?? 0;
    }
    this.#places[id] = place;
    this.#lengths[id] = length;
    this.#hashes[id] = hash;
    this.#uses[id] = 0;
    this.#link(id);
    this.#size++;
    return id;
  }

  #holds(id: number, words: Uint32Array, length: number): boolean {
    const place = this.#places[id] ?? 0;
    for (let i = 0; i < length; i++) {
      if (this.#words[place + i] !== words[i]) {
        return false;
      }
    }
    return true;
  }

  #remove(id: number): void {
    const bucket = (this.#hashes[id] ?? 0) & (this.#capacity - 1);
    const next = this.#nexts[id] ?? 0;
    if (this.#buckets[bucket] === id) {
      this.#buckets[bucket] = next;
    } else {
      let before = this.#buckets[bucket] ?? 0;
      while (this.#nexts[before] !== id) {
        before = this.#nexts[before] ?? 0;
      }
      this.#nexts[before] = next;
    }
    const blocks = blocksOf(this.#lengths[id] ?? 0);
    const places = this.#freePlaces.get(blocks) ?? [];
    places.push(this.#places[id] ?? 0);
    this.#freePlaces.set(blocks, places);
    this.#free.push(id);
    this.#unpacked.delete(id);
    this.#last = null;
    this.#size--;
  }

  #placeFor(length: number): number {
    const blocks = blocksOf(length);
    const free = this.#freePlaces.get(blocks)?.pop();
    if (free !== undefined) {
      return free;
    }
    const place = this.#wordsEnd;
    this.#wordsEnd += blocks * blockWords;
    if (this.#wordsEnd > this.#words.length) {
      this.#words = larger(this.#words, new Uint32Array(Math.max(this.#wordsEnd, 2 * this.#words.length)));
    }
    return place;
  }

  #take(): number {
    const free = this.#free.pop();
    if (free !== undefined) {
      return free;
    }
    if (this.#end === this.#capacity) {
      this.#grow();
    }
    return this.#end++;
  }

  #link(id: number): void {
    const bucket = (this.#hashes[id] ?? 0) & (this.#capacity - 1);
    this.#nexts[id] = this.#buckets[bucket] ?? 0;
    this.#buckets[bucket] = id;
  }

  /** Grows when no set is free, and rebuilds the buckets. */
  #grow(): void {
    this.#capacity *= 2;
    this.#places = larger(this.#places, new Uint32Array(this.#capacity));
    this.#lengths = larger(this.#lengths, new Uint32Array(this.#capacity));
    this.#hashes = larger(this.#hashes, new Uint32Array(this.#capacity));
    this.#uses = larger(this.#uses, new Uint32Array(this.#capacity));
    this.#nexts = new Uint32Array(this.#capacity);
    this.#buckets = new Uint32Array(this.#capacity);
    for (let id = 1; id < this.#end; id++) {
      this.#link(id);
    }
  }
}

function blocksOf(words: number): number {
  return Math.ceil(words / blockWords);
}

// Signed 32-bit: a larger number would turn each step into floating point.
const [first, second, more] = [0xcc9e2d51 | 0, 0x1b873593 | 0, 0xe6546b64 | 0];
const [firstMix, secondMix] = [0x85ebca6b | 0, 0xc2b2ae35 | 0];

/** MurmurHash3 of the words, without a seed (github.com/aappleby/smhasher). */
function hashOf(words: Uint32Array, length: number): number {
  let hash = length | 0;
  for (let i = 0; i < length; i++) {
    let word = Math.imul((words[i] ?? 0) | 0, first);
    word = Math.imul((word << 15) | (word >>> 17), second);
    hash ^= word;
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + more) | 0;
  }
  hash = Math.imul(hash ^ (hash >>> 16), firstMix);
  hash = Math.imul(hash ^ (hash >>> 13), secondMix);
  return (hash ^ (hash >>> 16)) >>> 0;
}
