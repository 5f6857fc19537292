/**
 * Which of a dump's peers occur in its routes. BIRD writes an index for each of its tables, with the same peers, and
 * lists sessions that have no route too: so peers are counted by address and AS, once they occur.
 *
 * Body of the record (RFC 6396 s.4.3.1): u32 collector, u16 length of the view's name, the name, u16 peers; for each
 * u8 type (1 = IPv6, 2 = AS number of four bytes), u32 id, address, AS number.
 */
const [isIpv6, isWideAsn] = [1, 2];

export class PeerIndex {
  /** By index in the last record: number of the peer. */
  #numbers: readonly number[] = [];
  readonly #known = new Map<string, number>();
  readonly #occurring = new Set<number>();
  /** By number of the peer: the last prefix that it was counted for. */
  readonly #counted: number[] = [];
  #prefix = 0;
  hasAny = false;

  /** Throws RangeError when it is cut short; the peers before are then known. */
  read(body: Uint8Array): void {
    const view = new DataView(body.buffer, body.byteOffset, body.length);
    const countAt = 6 + view.getUint16(4);
    const numbers: number[] = [];
    this.#numbers = numbers;
    this.hasAny = true;
    let at = countAt + 2;
    for (let left = view.getUint16(countAt); left > 0; left--) {
      const type = view.getUint8(at);
      const end = at + 5 + ((type & isIpv6) === 0 ? 4 : 16) + ((type & isWideAsn) === 0 ? 2 : 4);
      if (end > body.length) {
        throw new RangeError(`the peer index ends within peer ${numbers.length}`);
      }
      numbers.push(this.#numberOf(`${type & isIpv6} ${body.subarray(at + 5, end).toHex()}`));
      at = end;
    }
  }

  /** Whether the last index of peers has an entry of this number. */
  has(index: number): boolean {
    return index < this.#numbers.length;
  }

  /** Distinct peers that occur with a path. */
  get occurring(): number {
    return this.#occurring.size;
  }

  /** Starts counting the peers of another prefix. */
  nextPrefix(): void {
    this.#prefix++;
  }

  /** Whether the peer with this index has not been counted for the prefix; it is from then on. */
  isFirst(index: number): boolean {
    const number = this.#numbers[index] ?? this.#numberOf(`index ${index}`);
    if (this.#counted[number] === this.#prefix) {
      return false;
    }
    this.#counted[number] = this.#prefix;
    this.#occurring.add(number);
    return true;
  }

  #numberOf(key: string): number {
    const known = this.#known.get(key);
    if (known !== undefined) {
      return known;
    }
    this.#known.set(key, this.#known.size);
    return this.#known.size - 1;
  }
}
