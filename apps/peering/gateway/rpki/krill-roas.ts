/** The list of ROAs at Krill: one that it does not take holds up no other. */
import type { Logger } from "../../../../lib/engines/observe/log.ts";
import { krillAddedMax, krillRemovedMax } from "../limits.ts";
import type { KrillApi } from "./krill-api.ts";
import { notHeldWarning } from "./not-held.ts";
import {
  deltaParts,
  deltaWithout,
  type PublishedRoa,
  type Roa,
  type RoaDelta,
  roaDelta,
  roasAfter,
} from "./roa.ts";

interface RoaParts {
  readonly api: KrillApi;
  /** What is authorised now. */
  readonly authorised: () => Promise<readonly Roa[]>;
  readonly onChanged: (change: "added" | "removed", count: number) => void;
  readonly log: Logger;
}

/** ObjectsAtKrill of krill-keeper.ts. */
export class RoasAtKrill {
  readonly #parts: RoaParts;
  #there: readonly PublishedRoa[] = [];
  readonly #warn: ReturnType<typeof notHeldWarning>;

  constructor(parts: RoaParts) {
    this.#parts = parts;
    this.#warn = notHeldWarning(
      parts.log,
      "Krill's CA does not hold these prefixes, so they have no ROA; see rpki.krill.ca",
      "prefixes",
    );
  }

  async read(): Promise<void> {
    this.#there = await this.#parts.api.roas();
  }

  async tell(checkTurn: () => Promise<void>): Promise<boolean> {
    const refused: Roa[] = [];
    const max = { added: krillAddedMax, removed: krillRemovedMax };
    for (const part of deltaParts(roaDelta(await this.#parts.authorised(), this.#there), max)) {
      const { done, notHeld } = await this.#send(part, checkTurn);
      this.#there = roasAfter(this.#there, done);
      refused.push(...notHeld);
    }
    this.#warn(refused.map(({ prefix }) => prefix));
    return refused.length === 0;
  }

  /** What Krill took of it, the second time without what it refused the first time. */
  async #send(
    delta: RoaDelta,
    checkTurn: () => Promise<void>,
  ): Promise<{ readonly done: RoaDelta; readonly notHeld: readonly Roa[] }> {
    const notHeld = await this.#change(delta, checkTurn);
    if (notHeld.length === 0) {
      return { done: delta, notHeld };
    }
    const rest = deltaWithout(delta, notHeld);
    if (sizeOf(rest) > 0 && (await this.#change(rest, checkTurn)).length > 0) {
      throw new Error("Krill rejects ROAs for prefixes that its CA held a moment ago");
    }
    return { done: rest, notHeld };
  }

  /** What the CA does not hold; then nothing was changed. */
  async #change(delta: RoaDelta, checkTurn: () => Promise<void>): Promise<readonly Roa[]> {
    const { api, onChanged } = this.#parts;
    await checkTurn();
    const notHeld = await api.changeRoas(delta);
    if (notHeld.length === 0) {
      onChanged("added", delta.added.length);
      onChanged("removed", delta.removed.length);
    }
    return notHeld;
  }
}

function sizeOf({ added, removed }: RoaDelta): number {
  return added.length + removed.length;
}
