/**
 * What `vantage trace` prints, whole, compared with a file for each scene, NAME.txt, and for some NAME.csv and
 * NAME.json.golden, which is the one line of JSON laid out for people.
 *
 * `VANTAGE_GOLDEN=write bun test tests/golden` writes the files; look at the difference before you commit it.
 */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scenes } from "./scenes.ts";
import { simulateTrace } from "./simulated-trace.ts";

const writes = process.env.VANTAGE_GOLDEN === "write";

function compare(name: string, output: string): void {
  const file = join(import.meta.dirname, name);
  if (writes) {
    writeFileSync(file, output);
  }
  expect(output).toBe(readFileSync(file, "utf8"));
}

for (const { name, path, args, json: keepsJson } of scenes) {
  test(`${name}: the output is as kept`, () => {
    const { text, json, csv } = simulateTrace(path, args);
    compare(`${name}.txt`, text);
    if (keepsJson === true) {
      compare(`${name}.json.golden`, `${JSON.stringify(JSON.parse(json), null, 2)}\n`);
      compare(`${name}.csv`, `${csv}\n`);
    }
  });
}

test("every kept file is of a scene", () => {
  const kept = readdirSync(import.meta.dirname).filter((name) => /\.(txt|csv|json\.golden)$/.test(name));
  const wanted = scenes.flatMap(({ name, json }) => [
    `${name}.txt`,
    ...(json === true ? [`${name}.json.golden`, `${name}.csv`] : []),
  ]);
  expect(kept.sort()).toEqual(wanted.sort());
});
