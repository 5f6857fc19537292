/** All rows of all tables, as text. */
import type { Database } from "../../../lib/engines/store/postgres/open.ts";

export async function dump({ sql }: Database): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`;
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await sql<{ row: string }[]>`SELECT t::text AS row FROM ${sql(name)} AS t`;
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join("\n");
}
