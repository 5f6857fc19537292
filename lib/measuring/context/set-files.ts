/** The files of a set of context: tables of arrays, lists as JSON; made from a builder, or read again. */
import type { ContextBuilder } from "./context-builder.ts";
import type { AsName, Exchange, Geolocation, Registration } from "./facts.ts";
import { Sections, sectionFile } from "./section-file.ts";

export const tableNames = [
  "origins",
  "databaseOrigins",
  "lans",
  "members",
  "places",
  "vrps",
  "registrations",
  "relationships",
] as const;

type TableName = (typeof tableNames)[number];

/** Facts that the ranges of the tables refer to by index, and facts without an address. */
export interface SetLists {
  readonly exchanges: readonly Exchange[];
  /** AS numbers of members' addresses. */
  readonly asns: readonly number[];
  readonly memberships: readonly (readonly [asn: number, exchangeIds: readonly number[]])[];
  readonly places: readonly Geolocation[];
  readonly registrations: readonly Registration[];
  readonly asNames: readonly (readonly [asn: number, name: AsName])[];
}

export interface SetFiles {
  readonly tables: Readonly<Record<TableName, Sections>>;
  readonly lists: SetLists;
}

/** Number of entries of each kind in a set. */
interface SetCounts {
  readonly origins: number;
  readonly databaseOrigins: number;
  readonly places: number;
  readonly exchangeLans: number;
  readonly exchangeMembers: number;
  readonly vrps: number;
  readonly registrations: number;
  readonly asRelationships: number;
  readonly asNames: number;
  /** Prefixes of RIB dumps that too few peers see. */
  readonly prefixesLeftOut: number;
}

export interface BuiltSet {
  /** By name of the table, to be written as they are. */
  readonly tables: Readonly<Record<TableName, Uint8Array>>;
  readonly lists: SetLists;
  readonly counts: SetCounts;
}

/** Ends the vote on origins and makes all files; the builder cannot be used again. */
export function buildSet(builder: ContextBuilder): BuiltSet {
  const prefixesLeftOut = builder.votes.decide();
  const lans = builder.exchanges.lans();
  const members = builder.exchanges.members();
  return {
    tables: {
      origins: sectionFile(builder.origins.sections()),
      databaseOrigins: sectionFile(builder.databaseOrigins.sections()),
      lans: sectionFile(lans.sections()),
      members: sectionFile(members.sections()),
      places: sectionFile(builder.places.sections()),
      vrps: sectionFile(builder.vrps.sections()),
      registrations: sectionFile(builder.registrations.sections()),
      relationships: sectionFile(builder.relationships.sections()),
    },
    lists: {
      exchanges: lans.facts(),
      asns: members.facts(),
      memberships: builder.exchanges.memberships(),
      places: builder.places.facts(),
      registrations: builder.registrations.facts(),
      asNames: [...builder.asNames],
    },
    counts: {
      origins: builder.origins.prefixCount,
      databaseOrigins: builder.databaseOrigins.prefixCount,
      places: builder.places.prefixCount,
      exchangeLans: lans.prefixCount,
      exchangeMembers: members.prefixCount,
      vrps: builder.vrps.count,
      registrations: builder.registrations.prefixCount,
      asRelationships: builder.relationships.count,
      asNames: builder.asNames.size,
      prefixesLeftOut,
    },
  };
}

/**
 * @param tableOf the bytes of a table that `buildSet` made
 * @throws DataFileError on a table that is not whole
 */
export function readSet(tableOf: (name: TableName) => Uint8Array, lists: SetLists): SetFiles {
  const sectionsOf = (name: TableName) => new Sections(tableOf(name));
  return {
    tables: {
      origins: sectionsOf("origins"),
      databaseOrigins: sectionsOf("databaseOrigins"),
      lans: sectionsOf("lans"),
      members: sectionsOf("members"),
      places: sectionsOf("places"),
      vrps: sectionsOf("vrps"),
      registrations: sectionsOf("registrations"),
      relationships: sectionsOf("relationships"),
    },
    lists,
  };
}
