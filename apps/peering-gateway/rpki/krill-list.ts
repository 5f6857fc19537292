/**
 * Keeps the list of ROAs at Krill equal to what is authorised here. There is no queue of orders that could be lost, or
 * outlive their lease: the database says what shall be there, and each pass sends the difference.
 *
 * What Krill has is read whole at the start, after each failure and now and then; in between it is known, as only one
 * gateway writes. One ROA that Krill does not take holds up no other.
 */
import type { Logger } from "../../../lib/observe/log.ts";
import { krillAddedMax, krillCheckMs, krillNamedMax, krillRemovedMax } from "../limits.ts";
import type { KrillApi } from "./krill-api.ts";
import type { Publication } from "./publication.ts";
import {
  deltaParts,
  deltaWithout,
  type PublishedRoa,
  type Roa,
  type RoaDelta,
  roaDelta,
  roasAfter,
} from "./roa.ts";

interface KrillListParts {
  readonly api: KrillApi;
  readonly publication: Publication;
  /** What is authorised now. */
  readonly authorised: () => Promise<readonly Roa[]>;
  readonly reconcileMs: number;
  readonly onChanged: (change: "added" | "removed", count: number) => void;
  readonly log: Logger;
}

export class KrillList {
  readonly #parts: KrillListParts;
  #turn: number | null = null;
  /** Null = to be read. */
  #known: readonly PublishedRoa[] | null = null;
  #readAtMs = 0;
  #checkedAtMs = 0;
  /** Up to this change Krill has been told everything. */
  #toldNumber: number | null = null;
  #isComplete = false;
  /** A change without an answer may still be made: the list is read once more a while later. */
  #isDoubtful = false;
  #notHeld = "";

  constructor(parts: KrillListParts) {
    this.#parts = parts;
  }

  /** Rejects with Failure, or the database's error; the next pass then begins with the whole list. */
  async pass(): Promise<void> {
    try {
      await this.#pass();
    } catch (error) {
      this.#known = null;
      this.#isDoubtful = true;
      throw error;
    }
  }

  async #pass(): Promise<void> {
    const { api, publication, reconcileMs } = this.#parts;
    const turn = await publication.hold();
    if (turn === null || turn !== this.#turn) {
      this.#known = null;
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
    if (this.#known === null || isReadDue || isReadAgain) {
      this.#isDoubtful &&= this.#known === null;
      this.#known = await api.roas();
      this.#readAtMs = performance.now();
    } else if (number === this.#toldNumber && !isCheckDue) {
      return;
    } else if (isCheckDue) {
      await api.checkToken();
    }
    this.#checkedAtMs = performance.now();
    await this.#tell(this.#known);
    this.#toldNumber = number;
    if (this.#isComplete) {
      await publication.complete();
    }
  }

  async #tell(there: readonly PublishedRoa[]): Promise<void> {
    const { authorised } = this.#parts;
    const refused: Roa[] = [];
    let known = there;
    const max = { added: krillAddedMax, removed: krillRemovedMax };
    for (const part of deltaParts(roaDelta(await authorised(), there), max)) {
      const { done, notHeld } = await this.#send(part);
      known = roasAfter(known, done);
      refused.push(...notHeld);
    }
    this.#known = known;
    this.#isComplete = refused.length === 0;
    this.#warn(refused);
  }

  /** What Krill took of it, the second time without what it refused the first time. */
  async #send(delta: RoaDelta): Promise<{ readonly done: RoaDelta; readonly notHeld: readonly Roa[] }> {
    const notHeld = await this.#change(delta);
    if (notHeld.length === 0) {
      return { done: delta, notHeld };
    }
    const rest = deltaWithout(delta, notHeld);
    if (sizeOf(rest) > 0 && (await this.#change(rest)).length > 0) {
      throw new Error("Krill rejects ROAs for prefixes that its CA held a moment ago");
    }
    return { done: rest, notHeld };
  }

  /** What the CA does not hold; then nothing was changed. */
  async #change(delta: RoaDelta): Promise<readonly Roa[]> {
    const { api, publication, onChanged } = this.#parts;
    if ((await publication.hold()) !== this.#turn) {
      throw new Error("Another gateway writes at Krill meanwhile");
    }
    const notHeld = await api.change(delta);
    if (notHeld.length === 0) {
      onChanged("added", delta.added.length);
      onChanged("removed", delta.removed.length);
    }
    return notHeld;
  }

  /** Once for the same ones. */
  #warn(roas: readonly Roa[]): void {
    const text = roas.map(({ prefix }) => prefix).join(" ");
    if (text !== this.#notHeld && roas.length > 0) {
      const prefixes = roas.slice(0, krillNamedMax).map(({ prefix }) => prefix);
      this.#parts.log.warn(
        "Krill's CA does not hold these prefixes, so they have no ROA; see rpki.krill.ca",
        {
          count: roas.length,
          prefixes,
        },
      );
    }
    this.#notHeld = text;
  }
}

function sizeOf({ added, removed }: RoaDelta): number {
  return added.length + removed.length;
}
