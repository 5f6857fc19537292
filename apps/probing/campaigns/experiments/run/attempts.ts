/** Retries what an experiment does; each distinct problem is reported once, and a permanent refusal is kept. */
import { TakenOver } from "./open-journal.ts";

export class Attempts {
  /** The last permanent refusal; null = none. */
  refusal: string | null = null;
  readonly #tell: (line: string) => void;
  /** What is being retried, with the reason. */
  readonly #troubles = new Map<string, string>();

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
  }

  /** Whether it was done. Rejects with TakenOver only. */
  async of(what: string, act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      this.#troubles.delete(what);
      return true;
    } catch (error) {
      if (error instanceof TakenOver) {
        throw error;
      }
      if (isPassing(error)) {
        this.failed(what, reasonOf(error));
      } else {
        this.refusal = reasonOf(error);
      }
      return false;
    }
  }

  /** Reported once for each problem, at any number of attempts. */
  failed(what: string, reason: string): void {
    if (this.#troubles.get(what) !== reason) {
      this.#troubles.set(what, reason);
      this.#tell(`cannot ${what} now, trying again: ${reason}`);
    }
  }
}

/** A gateway is unreachable, or has no room. */
export function isPassing(error: unknown): boolean {
  const status = typeof error === "object" && error !== null && "status" in error ? error.status : null;
  return typeof status !== "number" || status >= 500;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
