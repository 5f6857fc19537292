/** Context of addresses on given days, from sets on disk and from reverse DNS; each is looked up once. */
import { atOnce, type Steps } from "../../base/list/steps.ts";
import type { ContextSets } from "../../measuring/context/disk/context-sets.ts";
import { type Address, formatAddress, parseAddress } from "../../net/ip/address.ts";
import { type ContextField, type Known, nothingKnown } from "./context-fields.ts";
import type { Names } from "./names.ts";
import { type AsPath, type PathContext, pathContext, type Ways } from "./path-context.ts";

interface AddressContextOptions {
  readonly fields: readonly ContextField[];
  /** Null = none of the fields needs them. */
  readonly sets: ContextSets | null;
  readonly names: Names | null;
}

/** Context of addresses that are shown together. */
export interface AddressNotes {
  readonly fields: readonly ContextField[];
  readonly of: (address: string) => Known;
  /** The day of the set; null if none of the fields needs one. */
  readonly date: string | null;
  /** AS paths of the path that is shown, if requested. */
  readonly asPaths: readonly AsPath[];
}

export const noNotes: AddressNotes = { fields: [], of: () => nothingKnown, date: null, asPaths: [] };

/** `2026-11-22`, in UTC. */
export function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

/** Cached addresses: a measurement meets some 10,000 routers; some 50 MB. */
const keptMax = 100_000;

export class AddressContext {
  readonly fields: readonly ContextField[];
  readonly names: Names | null;
  readonly #sets: ContextSets | null;
  #known = new Map<string, Known>();

  constructor({ fields, sets, names }: AddressContextOptions) {
    this.fields = fields;
    this.names = names;
    this.#sets = sets;
  }

  /** Starts looking up the name of an address, when names were requested. */
  ask(address: Address): void {
    this.names?.ask(formatAddress(address));
  }

  /** Whether the name of an address is being looked up. */
  isPending(address: Address): boolean {
    return this.names?.isPending(formatAddress(address)) ?? false;
  }

  /** Changes with each name that is found. */
  get version(): number {
    return this.names?.version ?? 0;
  }

  /** Facts as of a day, for addresses that are shown together. */
  on(day: string): AddressNotes {
    const date = this.#sets?.forDay(day)?.date ?? null;
    return { fields: this.fields, of: (address) => this.of(address, day), date, asPaths: [] };
  }

  /** Facts for a path: exchange crossings; router owners and AS paths if requested. */
  onPath(day: string, ways: () => Ways): AddressNotes {
    const notes = this.on(day);
    const asked = this.fields.includes("path");
    const path = asked || this.fields.includes("ixp") ? atOnce(this.#pathOn(day, ways)) : null;
    if (path === null) {
      return notes;
    }
    const ofPath = (address: string) => ({
      ...(asked ? { ownerAsn: path.ownerOf(address) } : {}),
      crossing: path.crossingOf(address),
    });
    return {
      ...notes,
      of: (address) => ({ ...notes.of(address), ...ofPath(address) }),
      asPaths: asked ? path.asPaths : [],
    };
  }

  /** Null when not requested. In steps, as a path may have 100,000 flows. */
  *pathOn(day: string, ways: () => Ways): Steps<PathContext | null> {
    return this.fields.includes("path") ? yield* this.#pathOn(day, ways) : null;
  }

  *#pathOn(day: string, ways: () => Ways): Steps<PathContext | null> {
    const dated = this.#sets?.forDay(day) ?? null;
    return dated && (yield* pathContext(dated.set, ways()));
  }

  /** Facts as of a day, `2026-11-22`; the name is today's, if looked up already. */
  of(address: string, day: string): Known {
    const key = `${day} ${address}`;
    const kept = this.#known.get(key);
    const known = kept ?? this.#lookedUp(address, day);
    if (kept === undefined) {
      this.#known = this.#known.size >= keptMax ? new Map() : this.#known;
      this.#known.set(key, known);
    }
    return this.#named(known, address);
  }

  /** Uncached, for callers that cache the result themselves. */
  lookUp(address: string, day: string): Known {
    return this.#named(this.#lookedUp(address, day), address);
  }

  #named(known: Known, address: string): Known {
    return this.names === null ? known : { ...known, name: this.names.nameOf(address) };
  }

  #lookedUp(address: string, day: string): Known {
    const bytes = parseAddress(address);
    const dated = bytes === null ? null : (this.#sets?.forDay(day) ?? null);
    return {
      ...nothingKnown,
      address: bytes,
      context: bytes === null || dated === null ? null : dated.set.lookup(bytes),
      dates: dated && { set: dated.date, bgp: dated.bgpDate, geo: dated.geoDate },
    };
  }
}
