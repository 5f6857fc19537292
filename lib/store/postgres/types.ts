/**
 * How column values become values of ours. bigint columns are numbers: all that we count, and each ASN, is far below
 * 2^53; one that is not throws instead of losing digits. Dates without time stay text, as they have no time zone.
 */
import type { PostgresType } from "postgres";

/** Object identifiers of PostgreSQL's types (pg_type.dat). */
const oid = { int8: 20, date: 1082 } as const;

export const columnTypes: Record<string, PostgresType> = {
  bigint: {
    to: oid.int8,
    from: [oid.int8],
    serialize: (value: number | bigint | string) => String(value),
    parse: (text: string) => {
      const value = Number(text);
      if (!Number.isSafeInteger(value)) {
        throw new RangeError(`Cannot hold the bigint ${text} in a number: cast it to text in the statement`);
      }
      return value;
    },
  },
  day: { to: oid.date, from: [oid.date], serialize: (day: string) => day, parse: (text: string) => text },
};
