/** What a file reader skipped, by reason: how often, and where first. */

interface Odd {
  /** From a small set: one counter each. */
  readonly reason: string;
  /** As `FILE, line 3`, or `FILE, byte 87`. */
  readonly place: string;
  /** More about this one; null = nothing. */
  readonly detail?: string | null;
  /** False = it is well-formed, but irrelevant. */
  readonly isDamage: boolean;
  /** What was done with it. */
  readonly fate?: "skipped" | "left out";
}

export class PassedOver {
  readonly #reasons = new Map<string, { count: number; readonly first: string }>();
  #hasDamage = false;

  note({ reason, place, detail = null, isDamage, fate = "skipped" }: Odd): void {
    this.#hasDamage ||= isDamage;
    const key = `${fate}: ${reason}`;
    const known = this.#reasons.get(key);
    if (known === undefined) {
      this.#reasons.set(key, { count: 1, first: detail === null ? place : `${place}: ${detail}` });
    } else {
      known.count++;
    }
  }

  /** Whether anything damaged was found. */
  get hasDamage(): boolean {
    return this.#hasDamage;
  }

  /** `3 skipped: no target address (first: a.json, line 2)`. */
  lines(): string[] {
    return [...this.#reasons].map(([key, { count, first }]) => `${count} ${key} (first: ${first})`);
  }
}
