/** A list of 32-bit numbers that grows: 4 bytes each, where an array of numbers takes 8 or more. */
export class WordList {
  #words = new Uint32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(word: number): void {
    if (this.#length === this.#words.length) {
      const larger = new Uint32Array(this.#words.length * 2);
      larger.set(this.#words);
      this.#words = larger;
    }
    this.#words[this.#length++] = word;
  }

  /** What was pushed; valid until the next push. */
  words(): Uint32Array {
    return this.#words.subarray(0, this.#length);
  }
}
