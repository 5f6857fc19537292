/** The embedded database after its process was killed: what it had confirmed is there, and it opens again. */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { embeddedHome } from "../../postgres/embedded.ts";

const options = { applicationName: "vantage test" };

test("rows that were confirmed survive a kill", async () => {
  using home = await embeddedHome();
  const program = join(import.meta.dirname, "insert-for-ever.ts");
  const child = Bun.spawn([process.execPath, program, home.address], { stdout: "pipe", stderr: "inherit" });
  let confirmed = 0;
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    confirmed = Number(text.trim().split("\n").at(-1));
    if (confirmed > 300) {
      break;
    }
  }
  child.kill("SIGKILL");
  await child.exited;
  await using database = await openDatabase(home.address, options);
  const [row] = await database.sql`SELECT count(*) AS rows, max(n) AS last FROM kept`;
  expect(row?.last).toBeGreaterThanOrEqual(confirmed);
  expect(row?.rows).toBe(row?.last);
});

test("a cluster that was cut off while it was made is made again", async () => {
  using home = await embeddedHome();
  const directory = home.address.slice("pglite:".length);
  const unmade = join(directory, "unmade");
  mkdirSync(join(unmade, "pgdata-making"), { recursive: true });
  writeFileSync(join(unmade, "pgdata-making/PG_VERSION"), "18\n");
  await using database = await openDatabase(`pglite:${unmade}`, options);
  expect(await database.sql`SELECT 1 AS n`).toMatchObject([{ n: 1 }]);
});
