/** The page of SQL: by keys from a statement to its rows, what is wrong with one, further rows, files. */
import { expect } from "bun:test";
import { until } from "../exchange/until.ts";
import { Keyboard } from "./keyboard.ts";
import { mustBeReadable } from "./readable.ts";
import type { Tab } from "./tab.ts";

const field = "main [name=query]";

/** `rows`: of the measurement's replies, as the API has them. */
export async function checkSql(tab: Tab, url: string, { id, rows }: { id: string; rows: number }) {
  const keys = new Keyboard(tab);
  /** Until another page than this one is whole: their addresses are alike. */
  const follow = async (selector: string) => {
    await tab.eval("stays = 1");
    await keys.enter(selector);
    await until("the next page", () =>
      tab.eval<boolean>("typeof stays === 'undefined' && document.readyState === 'complete'"),
    );
    return tab.text("main");
  };
  const run = async (statement: string) => {
    await keys.write(field, statement);
    return await follow("main button.main");
  };
  const cells = () =>
    tab.eval<string[][]>(
      `[...document.querySelectorAll("#result tbody tr")].map(({ cells }) =>
        [...cells].map(({ textContent }) => textContent))`,
    );
  await tab.go(`${url}console`);
  await keys.goTo("q", /^\/console\/sql$/);
  await mustBeReadable(tab);
  await run(
    `SELECT measurement_id, count() AS answers FROM replies WHERE measurement_id = '${id}' GROUP BY ALL`,
  );
  expect(await cells()).toEqual([[id, String(rows)]]);
  expect(await tab.text("#result")).toContain("1 of 1");
  const csv = await tab.eval<string>(
    "fetch(document.querySelector('#result a[download$=csv]').href).then((answer) => answer.text())",
  );
  expect(csv).toBe(`"measurement_id","answers"\n"${id}",${rows}\n`);
  await mustBeReadable(tab);

  // Foreign text stays text.
  await run(
    `SELECT '<script>stolen = 1</script>' AS "<img src=x onerror=stolen=1>", [1, 2] AS list, NULL AS none`,
  );
  expect(await cells()).toEqual([["<script>stolen = 1</script>", "[1,2]", "–"]]);
  expect(await tab.eval<string>("typeof stolen")).toBe("undefined");

  // Reasons are the engine's, and what is wrong can be mended where it stands.
  expect(await run("SELECT nothing FROM replies")).toMatch(/nothing[\s\S]*\(UNKNOWN_IDENTIFIER\)/);
  expect(await tab.eval<string>(`document.querySelector("${field}").value`)).toBe(
    "SELECT nothing FROM replies",
  );
  expect(await run("SELECT 1 FORMAT CSV")).toContain("leave FORMAT out of the statement");
  await mustBeReadable(tab);

  await run("SELECT arrayJoin(range(450)) AS n");
  expect(await tab.text("#result")).toContain("200 of more than 200");
  for (const words of ["201 to 400 of more than 400", "401 to 450 of 450"]) {
    expect(await follow("#result a[rel=next]")).toContain(words);
  }
  expect((await cells()).at(-1)).toEqual(["449"]);
  // The browser logs that statements were refused.
  expect(tab.complaints.filter((one) => !one.includes("status of 4"))).toEqual([]);
  tab.complaints.length = 0;
}
