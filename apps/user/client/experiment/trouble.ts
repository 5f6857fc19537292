/** Work beside an experiment, tried again and again: what stands against it is said once, until it is another. */
export class Trouble {
  readonly #what: string;
  readonly #say: (line: string) => void;
  #reason: string | null = null;

  /** `what`: cannot do what. */
  constructor(what: string, say: (line: string) => void) {
    this.#what = what;
    this.#say = say;
  }

  /** Whether the last try has failed. */
  get is(): boolean {
    return this.#reason !== null;
  }

  /** Resolves to why it failed; null = it did not. */
  async of(act: () => Promise<unknown>): Promise<unknown> {
    try {
      await act();
      this.#reason = null;
      return null;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== this.#reason) {
        this.#reason = reason;
        this.#say(`${this.#what}: ${reason}`);
      }
      return error;
    }
  }
}
