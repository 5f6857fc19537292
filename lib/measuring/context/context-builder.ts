/** Everything that one update of the context has read so far. */
import { PassedOver } from "../../base/list/passed-over.ts";
import { PrefixSet } from "../probing/prefix-set.ts";
import { reservedRanges } from "../probing/reserved-ranges.ts";
import { ExchangesBuilder } from "./exchanges.ts";
import type { AsName, Geolocation, Registration } from "./facts.ts";
import { OriginVotes } from "./origin-votes.ts";
import { OriginsBuilder } from "./origins.ts";
import { RelationshipsBuilder } from "./relationships.ts";
import { ValuedRangesBuilder } from "./valued-ranges.ts";
import { VrpsBuilder } from "./vrps.ts";

export class ContextBuilder {
  /** From BGP: RIB dumps, and lists that were made of them. */
  readonly origins = new OriginsBuilder();
  readonly votes: OriginVotes;
  /** From geolocation databases that name an AS too: for addresses that BGP does not cover. */
  readonly databaseOrigins = new OriginsBuilder();
  readonly places = new ValuedRangesBuilder<Geolocation>();
  readonly exchanges = new ExchangesBuilder();
  readonly vrps = new VrpsBuilder();
  readonly registrations = new ValuedRangesBuilder<Registration>();
  readonly relationships = new RelationshipsBuilder();
  readonly asNames = new Map<number, AsName>();
  /** What files have, and the set does not get. */
  readonly passedOver = new PassedOver();
  /** The file that is read, as messages name it. */
  fileName = "";

  /** @param keepPrivate private and documentation addresses and AS numbers count too, as in a laboratory */
  constructor(readonly keepPrivate: boolean) {
    const bogons = new PrefixSet(keepPrivate ? [] : reservedRanges.map(({ prefix }) => prefix));
    this.votes = new OriginVotes((address) => bogons.match(address) !== null, this.origins);
  }

  /** Notes what is not taken of the file that is read. */
  passOver(odd: Parameters<PassedOver["note"]>[0]): void {
    this.passedOver.note({ ...odd, place: `${this.fileName}, ${odd.place}` });
  }

  /** The first source that names an AS counts, but one with a domain comes before one without. */
  nameAs(asn: number, name: string, domain: string | null): void {
    const known = this.asNames.get(asn);
    if (name !== "" && (known === undefined || (known.domain === null && domain !== null))) {
      this.asNames.set(asn, { name, domain });
    }
  }
}
