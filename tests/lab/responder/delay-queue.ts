/**
 * Packets that wait for their time: a binary heap over slots of one block of memory, so that 150,000 waiting
 * answers cost no allocation.
 */

/** The largest packet that a slot holds; answers are cut to it. */
export const slotBytes = 512;

export class DelayQueue {
  readonly #bytes: Uint8Array;
  readonly #lengths: Uint16Array;
  readonly #dueUs: Float64Array;
  /** Slot numbers, a min-heap by due time up to `#size`; free slots behind it. */
  readonly #heap: Uint32Array;
  #size = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity * slotBytes);
    this.#lengths = new Uint16Array(capacity);
    this.#dueUs = new Float64Array(capacity);
    this.#heap = Uint32Array.from({ length: capacity }, (_, slot) => slot);
  }

  get size(): number {
    return this.#size;
  }

  /** Copies the packet; false when the queue is full or the packet larger than a slot. */
  push(packet: Uint8Array, dueUs: number): boolean {
    if (this.#size === this.#heap.length || packet.length > slotBytes) {
      return false;
    }
    const slot = this.#at(this.#size);
    this.#bytes.set(packet, slot * slotBytes);
    this.#lengths[slot] = packet.length;
    this.#dueUs[slot] = dueUs;
    this.#siftUp(this.#size++);
    return true;
  }

  /** When the next packet is due; Infinity when none waits. */
  nextDueUs(): number {
    return this.#size === 0 ? Number.POSITIVE_INFINITY : this.#dueAt(0);
  }

  /** Takes the next packet off; the view is valid until the next `push`. Undefined when none waits. */
  pop(): Uint8Array | undefined {
    if (this.#size === 0) {
      return undefined;
    }
    const slot = this.#at(0);
    this.#size--;
    this.#swap(0, this.#size);
    this.#siftDown();
    const start = slot * slotBytes;
    return this.#bytes.subarray(start, start + (this.#lengths[slot] ?? 0));
  }

  #at(place: number): number {
    return this.#heap[place] ?? 0;
  }

  #dueAt(place: number): number {
    return this.#dueUs[this.#at(place)] ?? 0;
  }

  #swap(a: number, b: number): void {
    const slot = this.#at(a);
    this.#heap[a] = this.#at(b);
    this.#heap[b] = slot;
  }

  #siftUp(from: number): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.#dueAt(parent) <= this.#dueAt(place)) {
        return;
      }
      this.#swap(place, parent);
      place = parent;
    }
  }

  #siftDown(): void {
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      if (left >= this.#size) {
        return;
      }
      const right = left + 1;
      const child = right < this.#size && this.#dueAt(right) < this.#dueAt(left) ? right : left;
      if (this.#dueAt(place) <= this.#dueAt(child)) {
        return;
      }
      this.#swap(place, child);
      place = child;
    }
  }
}
