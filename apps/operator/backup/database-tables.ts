/** The tables of a gateway's database, from PostgreSQL's own catalogue: a new migration needs no change here. */
import type { Sql, TransactionSql } from "postgres";

type Asked = Sql | TransactionSql;

interface ColumnOf {
  readonly name: string;
  /** As in a cast. */
  readonly type: string;
}

/** A name for a statement. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** In order of their names. */
export async function tablesOf(sql: Asked): Promise<string[]> {
  const found = await sql.unsafe<{ name: string }[]>(
    `SELECT relname AS name FROM pg_class
     WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY relname COLLATE "C"`,
  );
  return found.map(({ name }) => name);
}

/** Without those that PostgreSQL computes from others. */
export async function columnsOf(sql: Asked, table: string): Promise<ColumnOf[]> {
  return await sql.unsafe<ColumnOf[]>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [quotedName(table)],
  );
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  /** `FOREIGN KEY (…) REFERENCES …`. */
  readonly definition: string;
}

export async function foreignKeysOf(sql: Asked): Promise<ForeignKey[]> {
  return await sql.unsafe<ForeignKey[]>(
    `SELECT relname AS "table", conname AS name, pg_get_constraintdef(pg_constraint.oid) AS definition
     FROM pg_constraint JOIN pg_class ON conrelid = pg_class.oid
     WHERE contype = 'f' AND relnamespace = current_schema()::regnamespace ORDER BY relname, conname`,
  );
}
