/** docs/measure/sql.md as a user's shell runs it, at a gateway with results. */
import { expect, test } from "bun:test";
import { SqlHome } from "../attacks/sql/sql-home.ts";
import { PageRun } from "./page-run.ts";

test("the examples of SQL: rows, a file, a token, curl", async () => {
  await using home = await SqlHome.start();
  await using server = home.home.listen();
  const environment = { VANTAGE_GATEWAY: server.url.replace(/\/$/, ""), VANTAGE_TOKEN: "mallory" };
  const printed: string[] = [];
  await using page = PageRun.open("docs/measure/sql.md", {
    scenes: { here: { environment } },
    onBlock: ({ text }) => printed.push(text),
  });
  await page.runAll();
  expect(printed.length).toBe(1);
});
