/** A process to be killed: adds a row at a time to the database of its argument, and prints each that is in. */
import { openDatabase } from "../../../lib/engines/store/postgres/open.ts";

const database = await openDatabase(Bun.argv[2] ?? "", { applicationName: "vantage test" });
await database.sql`CREATE TABLE kept (n integer PRIMARY KEY)`;
for (let n = 1; ; n++) {
  await database.sql`INSERT INTO kept VALUES (${n})`;
  process.stdout.write(`${n}\n`);
}
