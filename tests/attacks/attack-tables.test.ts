import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { attacksIn } from "./attack-tables.ts";

const root = join(import.meta.dirname, "../..");
const attacks = attacksIn(readFileSync(join(root, "docs/internals/attacks.md"), "utf8"));

test("rows of each section, with their tests", () => {
  const page = [
    "# Attacks\ntext",
    "## One\ntext",
    '| attack | limit | test |\n|---|---|---|\n| a | b | `a.test.ts` "one"; `b.test.ts` |',
    "| c | d | the same |\n\n## Two\nno table",
  ].join("\n");
  const tests = [
    { file: "a.test.ts", part: "one" },
    { file: "b.test.ts", part: "" },
  ];
  expect(attacksIn(page)).toEqual([
    { section: "One", attack: "a", limit: "b", tests },
    { section: "One", attack: "c", limit: "d", tests },
  ]);
});

describe("docs/internals/attacks.md", () => {
  test("has attacks", () => {
    expect(attacks.length).toBeGreaterThan(5);
  });

  test.each(attacks.map((one) => [`${one.section}: ${one.attack}`, one] as const))("%s", (_name, attack) => {
    expect(attack.limit).not.toBe("");
    expect(attack.tests.length).toBeGreaterThan(0);
    for (const { file, part } of attack.tests) {
      expect({ file, exists: existsSync(join(root, file)) }).toEqual({ file, exists: true });
      expect({ file, part, isNamed: sourcesOf(file).includes(part) }).toEqual({ file, part, isNamed: true });
    }
  });
});

/** The test file, and those beside and below it, from which its tests may come. */
function sourcesOf(file: string): string {
  const folder = join(root, dirname(file));
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  return names.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
}
