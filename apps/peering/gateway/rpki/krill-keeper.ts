/**
 * Makes a CA at Krill publish what is authorised here. Each pass sends the difference between the database and what
 * Krill has. No order waits in a queue, where it could be lost, or outlive its lease.
 *
 * What Krill has is read whole at the start, after each failure and now and then; in between it is known, as only one
 * gateway writes.
 */
import { krillCheckMs } from "../limits.ts";
import type { Publication } from "./publication.ts";

/** Objects of one kind. */
interface ObjectsAtKrill {
  /** What Krill has of them. */
  read(): Promise<void>;
  /**
   * Sends the difference to what was read, and remembers it; before each change it asks whether it still may. False
   * when something stays that Krill cannot take.
   */
  tell(checkTurn: () => Promise<void>): Promise<boolean>;
}

interface KeeperParts {
  readonly publication: Publication;
  /** The first one goes first. */
  readonly kinds: readonly ObjectsAtKrill[];
  readonly checkToken: () => Promise<void>;
  readonly reconcileMs: number;
}

export class KrillKeeper {
  readonly #parts: KeeperParts;
  #turn: number | null = null;
  #isKnown = false;
  #readAtMs = 0;
  #checkedAtMs = 0;
  /** The last change that Krill has. */
  #toldNumber: number | null = null;
  #isComplete = false;
  /** A change without an answer may still be made: everything is read once more a while later. */
  #isDoubtful = false;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  /** Rejects with Failure, or the database's error; the next pass then begins by reading everything. */
  async pass(): Promise<void> {
    try {
      await this.#pass();
    } catch (error) {
      this.#isKnown = false;
      this.#isDoubtful = true;
      throw error;
    }
  }

  async #pass(): Promise<void> {
    const { publication, reconcileMs, checkToken } = this.#parts;
    const turn = await publication.hold();
    if (turn === null || turn !== this.#turn) {
      this.#isKnown = false;
      this.#turn = turn;
    }
    if (turn === null) {
      return;
    }
    // Before the authorisations are read: what changes meanwhile has a higher number, and another pass.
    const number = await publication.changeNumber();
    const isCheckDue = performance.now() - this.#checkedAtMs >= krillCheckMs;
    const isReadDue = performance.now() - this.#readAtMs >= reconcileMs;
    const isReadAgain = isCheckDue && (this.#isDoubtful || !this.#isComplete);
    const reads = !this.#isKnown || isReadDue || isReadAgain;
    if (!reads && number === this.#toldNumber && !isCheckDue) {
      return;
    }
    if (reads) {
      this.#isDoubtful &&= !this.#isKnown;
      this.#readAtMs = performance.now();
    } else if (isCheckDue) {
      await checkToken();
    }
    this.#checkedAtMs = performance.now();
    await this.#tell(reads);
    this.#toldNumber = number;
    if (this.#isComplete) {
      await publication.complete();
    }
  }

  /** One kind after the other, so that one that fails does not keep those before it. */
  async #tell(reads: boolean): Promise<void> {
    const left: ObjectsAtKrill[] = [];
    for (const kind of this.#parts.kinds) {
      if (reads) {
        await kind.read();
      }
      if (!(await kind.tell(() => this.#checkTurn()))) {
        left.push(kind);
      }
    }
    this.#isKnown = true;
    this.#isComplete = left.length === 0;
  }

  async #checkTurn(): Promise<void> {
    if ((await this.#parts.publication.hold()) !== this.#turn) {
      throw new Error("Another gateway writes at Krill meanwhile");
    }
  }
}
