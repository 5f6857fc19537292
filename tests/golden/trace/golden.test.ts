/**
 * What `vantage trace` prints, whole, compared with a file for each scene, NAME.txt, and for some NAME.csv and
 * NAME.json.golden, which is the one line of JSON laid out for people.
 *
 * `VANTAGE_GOLDEN=write bun test tests/golden` writes the files; look at the difference before you commit it.
 */
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { compareIn } from "../kept-file.ts";
import { scenes } from "./scenes.ts";
import { simulateTrace } from "./simulated-trace.ts";

const compare = (name: string, output: string) => compareIn(import.meta.dirname, name, output);

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
