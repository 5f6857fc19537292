/** The list of ASPA objects at Krill; ASNs that the CA does not hold are left out. */
import type { Logger } from "../../../../lib/engines/observe/log.ts";
import type { AsnRange } from "../../../../lib/peering/lease/asn-ranges.ts";
import { krillAddedMax, krillRemovedMax } from "../limits.ts";
import { type Aspa, aspaDelta, aspaParts, aspasAfter } from "./aspa.ts";
import type { KrillApi } from "./krill-api.ts";
import { notHeldWarning } from "./not-held.ts";

interface AspaSources {
  readonly api: KrillApi;
  /** What assigned ASNs ask for now. */
  readonly authorised: () => Promise<readonly Aspa[]>;
  /** The ASN pool: see `aspaDelta`. */
  readonly pool: readonly AsnRange[];
  readonly onChanged: (change: "set" | "removed", count: number) => void;
  readonly log: Logger;
}

/** ObjectsAtKrill of krill-keeper.ts. */
export class AspasAtKrill {
  readonly #parts: AspaSources;
  #there: readonly Aspa[] = [];
  #held: readonly AsnRange[] = [];
  readonly #warn: ReturnType<typeof notHeldWarning>;

  constructor(parts: AspaSources) {
    this.#parts = parts;
    this.#warn = notHeldWarning(
      parts.log,
      "Krill's CA does not hold these ASNs, so they have no ASPA object; see rpki.krill.aspa",
      "asns",
    );
  }

  async read(): Promise<void> {
    const { api } = this.#parts;
    this.#held = await api.heldAsns();
    this.#there = await api.aspas();
  }

  async tell(checkTurn: () => Promise<void>): Promise<boolean> {
    const { api, pool, authorised, onChanged } = this.#parts;
    const { delta, notHeld } = aspaDelta(await authorised(), this.#there, { held: this.#held, pool });
    for (const part of aspaParts(delta, { set: krillAddedMax, removed: krillRemovedMax })) {
      await checkTurn();
      await api.changeAspas(part);
      this.#there = aspasAfter(this.#there, part);
      onChanged("set", part.set.length);
      onChanged("removed", part.removed.length);
    }
    this.#warn(notHeld);
    return notHeld.length === 0;
  }
}
