/** Plays the statements of docs/internals/sql-attacks.md and writes what each gets: `bun run attacks:sql`. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SqlHome } from "./sql-home.ts";
import { getsOf, lineOf, quick, statementsIn } from "./sql-page.ts";

const path = join(import.meta.dirname, "../../../docs/internals/sql-attacks.md");
const page = readFileSync(path, "utf8");
await using home = await SqlHome.start();
let written = page;
for (const one of statementsIn(page)) {
  const response = await home.ask("mallory", home.filled(one.sql), quick);
  const gets = getsOf(response);
  console.log(
    `${home.isLeak(response.text.replaceAll(home.filled(one.sql), "")) ? "LEAK " : ""}${one.sql} -> ${gets}`,
  );
  written = written.replace(lineOf(one), lineOf({ sql: one.sql, gets }));
}
writeFileSync(path, written);
