/** The data of one cache, kept across sessions until it expires. */
import type { VrpTable } from "../vrp-table.ts";
import { allowedIntervals, intervalsDefault } from "./intervals.ts";
import type { RtrIntervals, RtrVersion } from "./pdu.ts";
import type { RtrPosition } from "./queries.ts";
import type { VrpDraft } from "./vrp-draft.ts";

const versions: readonly RtrVersion[] = [0, 1, 2];

interface RtrTransfer extends RtrPosition {
  readonly draft: VrpDraft;
  /** Null = version 0, which has none. */
  readonly intervals: RtrIntervals | null;
}

export class RtrData {
  #version: RtrVersion = 1;
  #table: VrpTable | null = null;
  #position: RtrPosition | null = null;
  #intervals = intervalsDefault;

  /** The version that the next session begins with. */
  get version(): RtrVersion {
    return this.#version;
  }

  /** Null = no data yet, or it has expired. */
  get table(): VrpTable | null {
    return this.#table;
  }

  /** The position for a Serial Query; null = Reset Query. */
  get position(): RtrPosition | null {
    return this.#position;
  }

  get intervals(): RtrIntervals {
    return this.#intervals;
  }

  /** Applies a whole response at once. */
  take({ draft, session, serial, intervals }: RtrTransfer): void {
    this.#table = draft.table();
    this.#position = { session, serial };
    this.#intervals = allowedIntervals(intervals ?? intervalsDefault);
  }

  /** Keeps the data in use, and requests all of it anew. */
  restart(): void {
    this.#position = null;
  }

  forget(): void {
    this.#table = null;
    this.#position = null;
  }

  /** Changes the version; sessions and serials belong to one version, so the position is lost. */
  speak(version: RtrVersion): void {
    if (version !== this.#version) {
      this.#version = version;
      this.#position = null;
    }
  }

  /** The next session uses the cache's own version if it stated a known one; else 0, then 1 again. */
  speakOther(theirs: number): void {
    const known = versions.find((one) => one === theirs && one !== this.#version);
    this.speak(known ?? (this.#version === 0 ? 1 : 0));
  }
}
