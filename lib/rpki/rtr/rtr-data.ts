/** What one cache has said, whatever the sessions in which it came: it stands until it expires. */
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

  /** Null = nothing is known, or no more. */
  get table(): VrpTable | null {
    return this.#table;
  }

  /** From where on the cache is asked for changes; null = it is asked for all. */
  get position(): RtrPosition | null {
    return this.#position;
  }

  get intervals(): RtrIntervals {
    return this.#intervals;
  }

  /** All of an answer, at once. */
  take({ draft, session, serial, intervals }: RtrTransfer): void {
    this.#table = draft.table();
    this.#position = { session, serial };
    this.#intervals = allowedIntervals(intervals ?? intervalsDefault);
  }

  /** The data stays in use, and all is asked for anew. */
  restart(): void {
    this.#position = null;
  }

  forget(): void {
    this.#table = null;
    this.#position = null;
  }

  /** Sessions and serials are of one version only. */
  speak(version: RtrVersion): void {
    if (version !== this.#version) {
      this.#version = version;
      this.#position = null;
    }
  }

  /** The next session tries the cache's own version, where it names another one that is known; else 0, else 1 again. */
  speakOther(theirs: number): void {
    const known = versions.find((one) => one === theirs && one !== this.#version);
    this.speak(known ?? (this.#version === 0 ? 1 : 0));
  }
}
