/** Retries background work of an experiment; each distinct problem is reported once. */
export class Trouble {
  readonly #what: string;
  readonly #say: (line: string) => void;
  #reason: string | null = null;

  /** `what`: the failing task, for messages. */
  constructor(what: string, say: (line: string) => void) {
    this.#what = what;
    this.#say = say;
  }

  /** Whether the last attempt failed. */
  get is(): boolean {
    return this.#reason !== null;
  }

  /** Resolves to the reason of the failure; null = success. */
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
